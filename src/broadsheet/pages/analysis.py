"""One page, parsed once: its document, what it is, and its article."""

from dataclasses import dataclass, replace
from datetime import datetime

from broadsheet.base.records import Article, Verdict
from broadsheet.document import Document, parse
from broadsheet.pages.identify import judge
from broadsheet.reading import extract
from broadsheet.reading.readers import DEFAULT


@dataclass(frozen=True, slots=True, eq=False)
class Page:
    """A page with the verdict on it; `article` is None where the verdict is another, or no text was found."""

    document: Document
    verdict: Verdict
    article: Article | None


def analyse(  # noqa: PLR0913 - all that may be known of a page, each by its name
    page: bytes | bytearray | memoryview | str | Document,
    url: str | None = None,
    *,
    encoding: str | None = None,
    reader: str = DEFAULT,
    fetched_at: datetime | None = None,
    force: bool = False,
) -> Page:
    """Parse a page, say what it is, and read it where it is an article; `force` reads any page."""
    document = parse(page, url, encoding=encoding)
    verdict = judge(document)
    article = None
    if force or verdict.kind == "article":
        article = extract(document, reader=reader, fetched_at=fetched_at, force=force)
    return Page(document, verdict, replace(article, verdict=verdict) if article else None)
