"""The lines of a page: what a trained reader labels, and what it sees of each."""
