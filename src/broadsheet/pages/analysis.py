"""One page, parsed once: its document, what it is, and its article."""

from dataclasses import dataclass
from datetime import datetime

from broadsheet.base.records import Article, Verdict
from broadsheet.base.rendition import shortened, summary
from broadsheet.document import Document, PageInput, parse
from broadsheet.pages.extraction import judge_and_read
from broadsheet.reading.profiles import SiteProfile
from broadsheet.reading.readers import DEFAULT


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Page:
    """A page with its document, verdict and article; `article` is None if the page is hardly one, or has no text."""

    document: Document
    verdict: Verdict
    article: Article | None

    def __repr__(self) -> str:
        """Show on one line what the page is, how sure that is, and its article or its title."""
        about = summary(self.article) if self.article else shortened(self.document.title)
        return f"Page({self.verdict.kind} {self.verdict.probability:.2f}, {about})"


def analyse(  # noqa: PLR0913 - all that may be known of a page, each by its name
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
    """Parse a page once, judge it, and read it if it may be an article; the arguments are those of `extract`."""
    document = parse(page, url, encoding=encoding)
    found = judge_and_read(document, reader=reader, exact=exact, fetched_at=fetched_at, force=force, profile=profile)
    return Page(document, found.verdict, found.article)
