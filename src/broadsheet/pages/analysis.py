"""Parse a page once and return its document, verdict and article together."""

from dataclasses import dataclass
from datetime import datetime

from broadsheet.base.records import Article, Verdict
from broadsheet.base.rendition import format_title, summary
from broadsheet.document import Document, PageInput, parse
from broadsheet.pages.extraction import judge_and_read
from broadsheet.reading.profiles import SiteProfile
from broadsheet.reading.readers import DEFAULT


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Page:
    """A page with its verdict; `article` is None if the page is unlikely to be one or has no article text."""

    document: Document
    verdict: Verdict
    article: Article | None

    def __repr__(self) -> str:
        """Show the page's kind, its probability, and the article or title on one line."""
        about = summary(self.article) if self.article else format_title(self.document.title)
        return f"Page({self.verdict.kind} {self.verdict.probability:.2f}, {about})"


def analyse(  # noqa: PLR0913 - optional keywords
    page: PageInput,
    url: str | None = None,
    *,
    encoding: str | None = None,
    reader: str = DEFAULT,
    exact: bool = False,
    fetched_at: datetime | None = None,
    force: bool = False,
    profile: SiteProfile | None = None,
) -> Page:
    """Parse and classify a page, and read it if it may be an article; `force` reads any page."""
    document = parse(page, url, encoding=encoding)
    judged = judge_and_read(document, reader=reader, exact=exact, fetched_at=fetched_at, force=force, profile=profile)
    return Page(document, judged.verdict, judged.article)
