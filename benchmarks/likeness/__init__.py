"""How well near-duplicates are found, and at what cost: `python -m benchmarks.likeness PAGES`."""
