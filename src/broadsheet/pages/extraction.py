"""The article of a page: read where the verdict on the page allows it."""

from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from broadsheet.base.records import Article, Verdict
from broadsheet.document import Document, PageInput, parse
from broadsheet.pages.identify import judge
from broadsheet.reading import extraction
from broadsheet.reading.profiles import SiteProfile
from broadsheet.reading.readers import DEFAULT
from broadsheet.reading.text_lines import line_slices

#: A page that is less likely an article than this is not read. Far below one half, because an article that is refused
#: is lost, and a section that is read is only useless; docs/explanation/identification.md has the figures.
LEAST_PROBABILITY = 0.15
#: A page with fewer links and words than these, and no field to fill in, shows too little to tell by, and is read if it
#: has a line of so many characters outside links, and is not plainly something else.
FEW_LINKS, FEW_WORDS = 5, 150
SENTENCE = 15


class Findings(NamedTuple):
    """What a page is, and its article; None where it is none, or has no text of one."""

    verdict: Verdict
    article: Article | None


def extract(  # noqa: PLR0913 - all that may be known of a page, each by its name
    page: PageInput,
    url: str | None = None,
    *,
    encoding: str | None = None,
    reader: str = DEFAULT,
    exact: bool = False,
    fetched_at: datetime | None = None,
    force: bool = False,
    profile: SiteProfile | None = None,
) -> Article | None:
    """Return the article of a page, or None if the page is not an article or has no text.

    `force` reads any page. `reader` names the reader, and `exact` asks for its published algorithm to the letter.
    `fetched_at`, an aware datetime, is what dates such as "two hours ago" are relative to; a `FetchedPage` has its own.
    `profile` describes what the pages of the site have in common.
    """
    document = parse(page, url, encoding=encoding)
    found = judge_and_read(document, reader=reader, exact=exact, fetched_at=fetched_at, force=force, profile=profile)
    return found.article


def judge_and_read(  # noqa: PLR0913 - as above
    document: Document,
    *,
    reader: str = DEFAULT,
    exact: bool = False,
    fetched_at: datetime | None = None,
    force: bool = False,
    profile: SiteProfile | None = None,
) -> Findings:
    """Say what a document is, and read it where it may be an article; `force` reads any."""
    extraction.check_time(fetched_at)
    verdict = judge(document)
    if not force and not may_be_article(document, verdict):
        return Findings(verdict, None)
    article = extraction.extract(
        document, reader=reader, exact=exact, fetched_at=fetched_at, force=force, profile=profile
    )
    return Findings(verdict, article and replace(article, verdict=verdict))


def may_be_article(document: Document, verdict: Verdict) -> bool:
    """Tell whether a page is to be read: whether it is likely enough an article, or too bare to tell."""
    if verdict.probabilities["article"] >= LEAST_PROBABILITY:
        return True
    return verdict.subtype is None and _is_bare(document)


def _is_bare(document: Document) -> bool:
    few = len(document.hrefs) < FEW_LINKS and int(document.sums.words[-1]) < FEW_WORDS
    return few and not len(document.rows("input", "select", "textarea")) and _has_sentence(document)


def _has_sentence(document: Document) -> bool:
    """Tell whether any line says as much outside links as a short sentence."""
    sums = document.sums
    first, end = line_slices(document)
    characters, in_links = (sums_of[end] - sums_of[first] for sums_of in (sums.characters, sums.link_characters))
    return bool((characters - in_links >= SENTENCE).any())
