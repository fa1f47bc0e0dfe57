"""From several pages of one site to its profile: what repeats, and where the text that does not repeat stands."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import date
from functools import partial
from typing import NamedTuple

from broadsheet.base.errors import InputError
from broadsheet.document import Document
from broadsheet.reading.profiles.observation import are_body, fingerprint, observe, text_of
from broadsheet.reading.profiles.profile import LinePlace, RepeatedLine, SiteProfile
from broadsheet.reading.readers import DEFAULT, read

#: Fewer pages have nothing in common that would not be chance.
LEAST_PAGES = 2
#: A line is template from this share of the pages on: stories that go on for days repeat their own paragraphs.
LEAST_SHARE = 0.1
#: Fewer lines say nothing of a place.
LEAST_LINES = 3
#: A place is template where this share of its words repeats, and the article's where this share is body.
TEMPLATE, BODY = 0.8, 0.6
#: A page that has this share of its body's long lines in common with another is the same article once more.
SAME_ARTICLE = 0.8
#: A line of so many words is not repeated by chance.
LONG_LINE = 20
#: A profile keeps the lines of most pages, and so much of each.
MAX_LINES, MAX_TEXT = 10_000, 80


class SeenLine(NamedTuple):
    """A line as it counts for a profile."""

    fingerprint: str | None
    place: str
    words: int
    is_body: bool
    #: How it begins.
    text: str


#: The lines of one page; it takes a small part of the memory that the page does.
SeenPage = tuple[SeenLine, ...]


def induce(pages: Iterable[Document], *, day: date, reader: str = DEFAULT) -> SiteProfile:
    """Return what some pages of one site have in common; it holds from `day` on.

    The reader says what the body of each page is; a profile helps any reader. At least two pages are needed.
    """
    return settle(map(partial(look_at, reader=reader), pages), day=day, reader=reader)


def look_at(document: Document, reader: str = DEFAULT) -> SeenPage:
    """Return what a profile needs to know of one page."""
    seen = observe(document)
    body = are_body(document, seen.lines, read(document, reader)).tolist()
    words = seen.lines.words.tolist()
    texts = [text_of(document, seen.lines, row) for row in range(len(seen))]
    starts = (text[:MAX_TEXT] for text in texts)
    return tuple(map(SeenLine, map(fingerprint, texts, seen.places), seen.places, words, body, starts))


def settle(pages: Iterable[SeenPage], *, day: date, reader: str) -> SiteProfile:
    """Return the profile of pages that were looked at."""
    every = [page for page in pages if page]
    distinct = _distinct(every)
    if len(distinct) < LEAST_PAGES:
        raise InputError(f"a profile needs {LEAST_PAGES} different pages of a site with text, not {len(distinct)}")
    counts = Counter(print_ for page in distinct for print_ in {line.fingerprint for line in page} if print_)
    least = max(LEAST_PAGES, LEAST_SHARE * len(distinct))
    lines = _repeated_lines(distinct, counts, least)
    places = _places(distinct, counts)
    return SiteProfile(
        since=day,
        reader=reader,
        pages=len(distinct),
        duplicates=len(every) - len(distinct),
        lines=tuple(lines[:MAX_LINES]),
        template=tuple(place for place in places if place.repeated >= TEMPLATE * place.words),
        body=tuple(place for place in places if place.body >= BODY * place.words and 2 * place.repeated < place.words),
        lines_left_out=len(lines[MAX_LINES:]),
    )


def _distinct(pages: list[SeenPage]) -> list[SeenPage]:
    """Leave out pages with an article that was seen before: one that is published twice is no template."""
    kept: list[SeenPage] = []
    articles: list[frozenset[str | None]] = []
    for page in pages:
        article = frozenset(line.fingerprint for line in page if line.words >= LONG_LINE)
        if not any(_same(article, other) for other in articles):
            kept.append(page)
            articles.append(article)
    return kept


def _same(one: frozenset[str | None], other: frozenset[str | None]) -> bool:
    return len(one & other) > SAME_ARTICLE * min(len(one), len(other))


def _repeated_lines(pages: list[SeenPage], counts: Counter[str], least: float) -> list[RepeatedLine]:
    """Return the lines that are on enough pages, those on most pages first."""
    texts: dict[str, str] = {}
    for page in pages:
        for line in page:
            if line.fingerprint is not None and counts[line.fingerprint] >= least:
                texts.setdefault(line.fingerprint, line.text)
    found = [RepeatedLine(fingerprint, counts[fingerprint], text) for fingerprint, text in texts.items()]
    return sorted(found, key=lambda line: -line.pages)


def _places(pages: list[SeenPage], counts: Counter[str]) -> list[LinePlace]:
    """Return the places of which enough was seen, those with most words first."""
    at: defaultdict[str, list[SeenLine]] = defaultdict(list)
    for page in pages:
        for line in page:
            at[line.place].append(line)
    on = Counter(place for page in pages for place in {line.place for line in page})
    found = []
    for path, lines in at.items():
        words = sum(line.words for line in lines)
        if on[path] >= LEAST_PAGES and len(lines) >= LEAST_LINES and words:
            repeated = sum(line.words for line in lines if counts[line.fingerprint or ""] >= LEAST_PAGES)
            body = sum(line.words for line in lines if line.is_body)
            found.append(LinePlace(path, on[path], words, repeated, body))
    return sorted(found, key=lambda place: -place.words)
