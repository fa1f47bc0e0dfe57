"""Articles in files and on pipes: one set of columns and one writer per format, for every command."""
