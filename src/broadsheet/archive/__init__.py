"""What is kept: the catalogue, WARC files, visits and link occurrences, and the articles."""
