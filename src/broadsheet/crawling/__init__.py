"""How pages come in; what a page means is decided elsewhere."""
