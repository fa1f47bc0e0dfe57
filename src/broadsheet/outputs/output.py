"""One page with its article, and where both come from: what a row of any output is made of."""

from dataclasses import dataclass
from datetime import datetime

from broadsheet.base.records import Article, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """A page and what was read in it; the last fields are known of pages in an archive alone.

    `file` is the file that holds the page, and `offset` where its record begins there if the file is WARC.
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
