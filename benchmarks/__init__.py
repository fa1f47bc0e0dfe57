"""Broadsheet's stages and its peers, timed on the same pages in one run: `python -m benchmarks PAGES`."""
