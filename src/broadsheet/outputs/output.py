"""One output row: a page, its article, and where both come from."""

from dataclasses import dataclass
from datetime import datetime

from broadsheet.base.records import Article, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """A page and its article; the last fields are only known for pages in an archive.

    `file` is the file that contains the page, and `offset` the position of its record if that file is a WARC.
    `fetched_at` is when the page was captured.
    """

    article: Article | None
    verdict: Verdict | None = None
    page: str | None = None
    url: str | None = None
    file: str | None = None
    offset: int | None = None
    fetched_at: datetime | None = None
    length: int | None = None
    key: str | None = None
    source: str | None = None
    version: int | None = None
    model: str | None = None
    story: str | None = None
    #: What is wrong with the structure of the article, if that was checked.
    structure: tuple[str, ...] | None = None
