"""Extract the article of a page if the verdict allows it."""

from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from broadsheet.base.records import Article, Verdict
from broadsheet.document import Document, PageInput, parse
from broadsheet.pages.identify import judge
from broadsheet.reading import article_reading
from broadsheet.reading.profiles import SiteProfile
from broadsheet.reading.readers import DEFAULT
from broadsheet.reading.text_lines import line_slices

#: Pages with a lower probability of being an article are not read. It is far below one half because a rejected article
#: is lost, while reading a section is merely useless; docs/explanation/identification.md has the figures.
MIN_PROBABILITY = 0.15
#: A page with fewer links and words than these and no form field is too bare to classify. It is read if some line has
#: at least `SENTENCE` characters outside links and no rule says that it is something else.
FEW_LINKS, FEW_WORDS = 5, 150
SENTENCE = 15


class JudgedArticle(NamedTuple):
    """A page's verdict and article; the article is None if the page is not one or has no article text."""

    verdict: Verdict
    article: Article | None


def extract(  # noqa: PLR0913 - optional keywords
    page: PageInput,
    url: str | None = None,
    *,
    encoding: str | None = None,
    reader: str = DEFAULT,
    exact: bool = False,
    fetched_at: datetime | None = None,
    force: bool = False,
    profile: SiteProfile | None = None,
    model: Path | None = None,
) -> Article | None:
    """Return the article of a page, or None if the page is not an article or has no article text.

    `force` reads any page. `exact` runs the reader's algorithm exactly as published. `fetched_at`, an aware datetime,
    is the reference for dates such as "two hours ago"; a `FetchedPage` brings its own. `profile` holds what the pages
    of the site have in common. `model` is the path of a model that `broadsheet train` wrote; it replaces the reader.
    """
    document = parse(page, url, encoding=encoding)
    judged = judge_and_read(
        document, reader=reader, exact=exact, fetched_at=fetched_at, force=force, profile=profile, model=model
    )
    return judged.article


def judge_and_read(  # noqa: PLR0913 - as above
    document: Document,
    *,
    reader: str = DEFAULT,
    exact: bool = False,
    fetched_at: datetime | None = None,
    force: bool = False,
    profile: SiteProfile | None = None,
    model: Path | None = None,
) -> JudgedArticle:
    """Classify a document, and read it if it may be an article; `force` reads any document."""
    article_reading.check_time(fetched_at)
    verdict = judge(document)
    if not force and not may_be_article(document, verdict):
        return JudgedArticle(verdict, None)
    article = article_reading.extract(
        document,
        reader=reader,
        exact=exact,
        fetched_at=fetched_at,
        force=force,
        profile=profile,
        model=model,
        verdict=verdict,
    )
    return JudgedArticle(verdict, article)


def may_be_article(document: Document, verdict: Verdict) -> bool:
    """Tell whether a page should be read: it may be an article, or is too bare to classify."""
    if verdict.probabilities["article"] >= MIN_PROBABILITY:
        return True
    return verdict.subtype is None and _is_bare(document)


def _is_bare(document: Document) -> bool:
    few = len(document.hrefs) < FEW_LINKS and int(document.sums.words[-1]) < FEW_WORDS
    return few and not len(document.rows("input", "select", "textarea")) and _has_sentence(document)


def _has_sentence(document: Document) -> bool:
    """Tell whether any line has as much text outside links as a short sentence."""
    sums = document.sums
    first, end = line_slices(document)
    characters, in_links = (sums_of[end] - sums_of[first] for sums_of in (sums.characters, sums.link_characters))
    return bool((characters - in_links >= SENTENCE).any())
