"""Labelled pages on disk: their formats, labels per text piece by alignment, splits by site, and measures."""
