"""Which text of a page is title, heading and body: readers that answer one question, and the article made of it."""

from broadsheet.reading.article import to_article
from broadsheet.reading.extraction import extract
from broadsheet.reading.readers import Reader, names, read

__all__ = ["Reader", "extract", "names", "read", "to_article"]
