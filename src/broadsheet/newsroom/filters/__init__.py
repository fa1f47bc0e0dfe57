"""The filters that a fetched page passes: decode, parse, judge, links, read; `keep` comes last."""
