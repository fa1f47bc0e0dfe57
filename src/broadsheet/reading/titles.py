"""The title: the heading that the page's metadata repeats, or else what the metadata say, without the site's name."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from broadsheet.base.domains import registrable_domain
from broadsheet.base.weights import weight
from broadsheet.document import Document
from broadsheet.document.metadata import Value
from broadsheet.document.tags import CODES
from broadsheet.reading.paragraphs import collapse
from broadsheet.reading.shape import rows_of, tag_mask

#: Headings of one kind beyond these many, and longer ones, are no titles.
MAX_HEADINGS = 30
MAX_HEADING_BYTES = 600
#: What a heading has in common with the stated title must be at least this share of it, or any word would do.
LEAST_SHARE = 0.4
#: A title is cut at no more places than these.
MAX_SEPARATORS = 8

_SEPARATOR = re.compile(r"\s+[|\-–—·•:»«<>/]+\s+|\s*[|｜»]\s*|:\s+")
_WORD = re.compile(r"\w+")
#: The highest kind comes first.
_NAMES = ("h1", "h2", "h3")
_CODES = tuple(CODES[name] for name in _NAMES)
_HEADINGS = tag_mask(frozenset(_NAMES))
#: Sources in the order in which their first value was right, by measurement; see docs/metadata.md.
_PREFERRED = ("microdata", ".headline", "meta og:title", "meta twitter:title", "")


class Title(NamedTuple):
    """A title, the signal that gave it, and the heading that holds it, where one does."""

    text: str
    evidence: str
    node: int | None


def find_title(document: Document) -> Title | None:
    """Return the page's title by its headings and metadata; None where neither says anything."""
    stated = _stated(document.metadata.titles)
    headings = list(_headings(document))
    if stated is None:
        ones = [(node, text) for node, text in headings if document.nodes.tag[node] == CODES["h1"]]
        return Title(ones[0][1], "h1", ones[0][0]) if len(ones) == 1 else None
    sites = _site_names(document)
    if match := _repeated(headings, [value.value for value in document.metadata.titles], sites):
        node, text = match
        return Title(text, f"{document.tag_name(node)} repeated in the metadata", node)
    return Title(shown(without_site(stated.value, sites), _visible(document)), stated.source, None)


def shown(title: str, text: bytes) -> str:
    """Return the longest part of a title, cut at its separators, that the page itself shows; else all of it."""
    separators = islice(_SEPARATOR.finditer(title), MAX_SEPARATORS)
    cuts = [0, *(edge for match in separators for edge in match.span()), len(title)]
    parts = [title[start:end] for start in cuts[::2] for end in cuts[1::2] if start < end]
    least = LEAST_SHARE * weight(title)
    widest = sorted((part for part in parts if weight(part) >= least), key=weight, reverse=True)
    return next((part for part in widest if part.encode() in text), title)


def without_site(title: str, names: Iterable[str]) -> str:
    """Return a title without the site's name at its beginning or end."""
    known = {plain for name in names if (plain := _plain(name))}
    parts = list(_SEPARATOR.finditer(title))
    for match in parts:
        if _plain(title[: match.start()]) in known and _plain(title[match.end() :]):
            return without_site(title[match.end() :], names)
    for match in reversed(parts):
        if _plain(title[match.end() :]) in known and _plain(title[: match.start()]):
            return without_site(title[: match.start()], names)
    return title.strip()


def _visible(document: Document) -> bytes:
    """Return the text of the page without its head, which holds the title itself."""
    bodies = document.rows("body")
    return document.columns.text[document.nodes.text_start[bodies[0]] :] if len(bodies) else b""


def _stated(titles: tuple[Value, ...]) -> Value | None:
    for wanted in _PREFERRED:
        for value in titles:
            if wanted in value.source and value.value.strip():
                return value
    return None


def _headings(document: Document) -> Iterator[tuple[int, str]]:
    """Give the headings that may be a title: the highest kind first, then in the order of the page."""
    nodes = document.nodes
    rows = rows_of(document, _HEADINGS)
    tags = nodes.tag.take(rows)
    for code in _CODES:
        for row in rows[tags == code][:MAX_HEADINGS].tolist():
            if nodes.text_end[row] - nodes.text_start[row] <= MAX_HEADING_BYTES and (
                text := collapse(document.text(row))
            ):
                yield row, text


def _repeated(headings: list[tuple[int, str]], stated: list[str], sites: list[str]) -> tuple[int, str] | None:
    """Return the longest heading, but for the site's name, that the metadata repeat, whole or within more."""
    titles = [f" {text} " for title in dict.fromkeys(stated) if (text := _plain(title))]
    names = {_plain(site) for site in sites} | {""}
    longest: tuple[int, str] | None = None
    reached = 0
    for node, heading in headings:
        text = _plain(heading)
        if len(text) > reached and text not in names and any(_repeats(title, text) for title in titles):
            longest, reached = (node, heading), len(text)
    return longest


def _repeats(title: str, text: str) -> bool:
    return len(text) >= LEAST_SHARE * (len(title) - 2) and f" {text} " in title


def _site_names(document: Document) -> list[str]:
    names = [value.value for value in document.metadata.site_names]
    if document.url:
        domain = registrable_domain(document.url)
        names += [domain, f"www.{domain}", domain.partition(".")[0]]
    return names


def _plain(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))
