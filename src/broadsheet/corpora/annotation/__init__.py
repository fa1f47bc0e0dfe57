"""Pages that people have annotated: files with a label for every text, and the pages to annotate next."""
