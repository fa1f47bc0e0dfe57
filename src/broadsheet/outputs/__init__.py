"""Writing articles to files and pipes: one set of columns and one writer per format, for every command."""
