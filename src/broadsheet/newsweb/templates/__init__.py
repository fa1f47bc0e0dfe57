"""Renders pages: as HTML in one of three layouts, or as feeds, sitemaps and other machine-readable files."""
