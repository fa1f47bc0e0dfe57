"""Fetch pages; what a page means is decided elsewhere."""
