"""The lines of a page, which the trained reader labels, and their features."""
