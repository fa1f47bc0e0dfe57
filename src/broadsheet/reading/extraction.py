"""The one call from a page to its article."""

from datetime import datetime

from broadsheet.base.records import Article
from broadsheet.document import Document, parse
from broadsheet.reading.article import has_body, to_article
from broadsheet.reading.readers import DEFAULT, read


def extract(  # noqa: PLR0913 - all that may be known of a page, each by its name
    page: bytes | bytearray | memoryview | str | Document,
    url: str | None = None,
    *,
    encoding: str | None = None,
    reader: str = DEFAULT,
    exact: bool = False,
    fetched_at: datetime | None = None,
    force: bool = False,
) -> Article | None:
    """Return the article of a page; None where it has no text of one, unless `force` asks for what there is.

    `exact` asks for the reader's published algorithm to the letter. `fetched_at`, an aware datetime, is what dates
    such as "two hours ago" are relative to.
    """
    if fetched_at is not None and fetched_at.utcoffset() is None:
        raise ValueError(f"fetched_at needs an offset: {fetched_at.isoformat()} has none")
    document = parse(page, url, encoding=encoding)
    reading = read(document, reader, exact=exact)
    return to_article(document, reading) if force or has_body(reading) else None
