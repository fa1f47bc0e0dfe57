"""The cycle that follows a source: visit, classify, collect, update; and the archive that people crawl with."""
