"""The experiments of the papers, each re-run by name: what they measured, on the pages that are at hand."""
