"""Article extraction: readers that label the title, headings and body of a page, and the article built from them."""

from broadsheet.reading.article_reading import extract
from broadsheet.reading.assembly import to_article
from broadsheet.reading.readers import Reader, names, read

__all__ = ["Reader", "extract", "names", "read", "to_article"]
