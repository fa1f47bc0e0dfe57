"""Build a profile from several pages of one site: which lines repeat, and where text that does not repeat is."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import date, datetime
from functools import partial
from typing import NamedTuple

from broadsheet.base.errors import InputError
from broadsheet.document import Document
from broadsheet.reading.facts import stated_times, zones_of
from broadsheet.reading.profiles._observation import are_body, fingerprint, observe, text_of
from broadsheet.reading.profiles._profile import LinePlace, RepeatedLine, SiteProfile
from broadsheet.reading.readers import DEFAULT, read

#: The minimum number of pages in a profile, and of pages with a repeated line.
MIN_PAGES = 2
#: The minimum share of pages with a template line: developing stories repeat their own paragraphs.
MIN_SHARE = 0.1
#: The minimum number of lines from which a place is judged.
MIN_LINES = 3
#: A place is template if this share of its words repeats, and part of the article if this share is body.
TEMPLATE, BODY = 0.8, 0.6
#: A page with more than this share of its long lines in common with another is the same article.
SAME_ARTICLE = 0.8
#: Lines of at least this many words do not repeat by chance.
LONG_LINE = 20
#: The most lines in a profile, those on most pages first, and the characters kept of each.
MAX_LINES, MAX_TEXT = 10_000, 80


class ObservedLine(NamedTuple):
    """A line of a page, as far as a profile needs it."""

    fingerprint: str | None
    place: str
    words: int
    is_body: bool
    #: The beginning of its text.
    text: str


class ObservedPage(NamedTuple):
    """The lines of one page and the times that it states with an offset, in a fraction of the memory of a document."""

    lines: tuple[ObservedLine, ...]
    times: tuple[datetime, ...] = ()


def induce(pages: Iterable[Document], *, day: date, reader: str = DEFAULT) -> SiteProfile:
    """Build the profile of a site, valid from `day` on, from two or more of its pages.

    `reader` finds the body of each page; the profile can be applied to any reader.
    """
    return build_profile(map(partial(observe_page, reader=reader), pages), day=day, reader=reader)


def observe_page(document: Document, reader: str = DEFAULT) -> ObservedPage:
    """Reduce a page to what a profile needs."""
    observed = observe(document)
    body = are_body(document, observed.lines, read(document, reader)).tolist()
    words = observed.lines.words.tolist()
    texts = [text_of(document, observed.lines, row) for row in range(len(observed))]
    starts = (text[:MAX_TEXT] for text in texts)
    lines = map(ObservedLine, map(fingerprint, texts, observed.places), observed.places, words, body, starts)
    return ObservedPage(tuple(lines), stated_times(document))


def build_profile(pages: Iterable[ObservedPage], *, day: date, reader: str) -> SiteProfile:
    """Build a profile from observed pages."""
    with_text = [page for page in pages if page.lines]
    distinct = _distinct(with_text)
    if len(distinct) < MIN_PAGES:
        raise InputError(
            f"a profile needs at least {MIN_PAGES} different pages with text from one site, not {len(distinct)}"
        )
    counts = Counter(print_ for page in distinct for print_ in {line.fingerprint for line in page.lines} if print_)
    least = max(MIN_PAGES, MIN_SHARE * len(distinct))
    lines = _repeated_lines(distinct, counts, least)
    places = _places(distinct, counts)
    return SiteProfile(
        since=day,
        reader=reader,
        pages=len(distinct),
        duplicates=len(with_text) - len(distinct),
        lines=tuple(lines[:MAX_LINES]),
        template=tuple(place for place in places if place.repeated >= TEMPLATE * place.words),
        body=tuple(place for place in places if place.body >= BODY * place.words and 2 * place.repeated < place.words),
        lines_left_out=len(lines[MAX_LINES:]),
        zones=zones_of(page.times for page in distinct),
    )


def _distinct(pages: list[ObservedPage]) -> list[ObservedPage]:
    """Leave out pages that repeat an earlier article, because a republished article is not a template."""
    distinct: list[ObservedPage] = []
    articles: list[frozenset[str | None]] = []
    for page in pages:
        article = frozenset(line.fingerprint for line in page.lines if line.words >= LONG_LINE)
        if not any(_same(article, other) for other in articles):
            distinct.append(page)
            articles.append(article)
    return distinct


def _same(left: frozenset[str | None], right: frozenset[str | None]) -> bool:
    return len(left & right) > SAME_ARTICLE * min(len(left), len(right))


def _repeated_lines(pages: list[ObservedPage], counts: Counter[str], least: float) -> list[RepeatedLine]:
    """Return the lines on enough pages, most frequent first."""
    texts: dict[str, str] = {}
    for page in pages:
        for line in page.lines:
            if line.fingerprint is not None and counts[line.fingerprint] >= least:
                texts.setdefault(line.fingerprint, line.text)
    lines = [RepeatedLine(fingerprint, counts[fingerprint], text) for fingerprint, text in texts.items()]
    return sorted(lines, key=lambda line: -line.pages)


def _places(pages: list[ObservedPage], counts: Counter[str]) -> list[LinePlace]:
    """Return the places with enough pages and lines, those with most words first."""
    lines_by_place: defaultdict[str, list[ObservedLine]] = defaultdict(list)
    for page in pages:
        for line in page.lines:
            lines_by_place[line.place].append(line)
    page_counts = Counter(place for page in pages for place in {line.place for line in page.lines})
    places = []
    for path, lines in lines_by_place.items():
        words = sum(line.words for line in lines)
        if page_counts[path] >= MIN_PAGES and len(lines) >= MIN_LINES and words:
            repeated = sum(line.words for line in lines if counts[line.fingerprint or ""] >= MIN_PAGES)
            body = sum(line.words for line in lines if line.is_body)
            places.append(LinePlace(path, page_counts[path], words, repeated, body))
    return sorted(places, key=lambda place: -place.words)
