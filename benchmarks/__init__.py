"""Times Broadsheet's stages and its peers on the same pages in one run: `python -m benchmarks PAGES`."""
