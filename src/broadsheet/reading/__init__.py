"""Which text of a page is title, heading and body: readers that answer one question, and the article made of it."""

from broadsheet.reading.article_reading import extract
from broadsheet.reading.assembly import to_article
from broadsheet.reading.readers import Reader, names, read

__all__ = ["Reader", "extract", "names", "read", "to_article"]
