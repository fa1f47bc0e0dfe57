"""Articles on several pages: which page this is, and where the next and the previous one are.

The next article is never the next page: the addresses of an article's pages differ in a number alone, and what leads
there shows that number or is called `next` or `prev`.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from broadsheet.base import urls
from broadsheet.document import Document
from broadsheet.document.columns import Tokens
from broadsheet.reading.page_numbers import MAX_ADDRESS, Kind, Numbered, may_be_numbered, path_of, readings_of

#: Links of a page that are looked at, and elements around one.
MAX_LINKS, MAX_LEVELS = 5_000, 8
#: A link to another page of the article says no more than this, in characters.
MAX_ANCHOR = 40
#: An address of so many bytes, such as `page/2`, may stand for a page beside this one.
SHORT = 8

#: `https://www.` and the like.
_BEFORE_HOST = 16
_STEPS = {"next": 1, "prev": -1, "previous": -1}
_NUMBER = re.compile(r"\d+")
_DIGIT = re.compile(rb"[0-9]")
_QUERY = ord("?")
# Comments and pictures have pages of their own.
_ELSEWHERE = re.compile(r"comment|kommentar|disqus|repl[yi]|respond|gallery|galerie|slide", re.IGNORECASE)
_NAMING = [Tokens.KINDS.index("class"), Tokens.KINDS.index("id")]


class Pagination(NamedTuple):
    """Which page of its article a page is, its neighbours, and the signal that says so."""

    number: int
    next: str | None
    previous: str | None
    evidence: str


class _Lead(NamedTuple):
    """A way to what may be another page of the article, and what it says of it."""

    address: str
    readings: tuple[Numbered, ...]
    #: The number that a link shows, and the step that a relation states.
    shown: int | None
    step: int | None
    source: str


def find_pagination(document: Document) -> Pagination | None:
    """Return which page of its article a document is; None where nothing says that there are several."""
    own = document.url or next((value.value for value in document.metadata.canonical), None)
    ways = readings_of(own) if own else []
    leads = list(_leads(document, own, ways)) if own else []
    for here in ways if leads else ():
        pages = {way.number: lead for lead in reversed(leads) if (way := _page(here, lead))}
        after, before = pages.get(here.number + 1), pages.get(here.number - 1)
        said = after or before
        if said:
            return Pagination(here.number, after and after.address, before and before.address, said.source)
    return None


def _page(here: Numbered, lead: _Lead) -> Numbered | None:
    """Return how to read what a lead leads to as another page of the same article; None where it is none."""
    for way in lead.readings:
        if way.article == here.article and way.number != here.number and _is_said(here, way, lead):
            return way
    return None


def _is_said(here: Numbered, way: Numbered, lead: _Lead) -> bool:
    """Tell whether enough is said of a page beside its address: the more, the less the address itself says."""
    by_number = lead.shown == way.number
    by_relation = lead.step is not None and here.number + lead.step == way.number
    if Kind.DASHED in (way.kind, here.kind):
        return by_number
    if Kind.WORDED in (way.kind, here.kind):
        return by_relation
    says_nothing = lead.shown is None and lead.step is None
    return by_number or by_relation or (says_nothing and way.kind == Kind.NAMED and way.number == here.number + 1)


def _leads(document: Document, own: str, ways: list[Numbered]) -> Iterator[_Lead]:
    """Give what leads to other pages of the article by the address: `link` elements first, then links of the text."""
    metadata = document.metadata
    for value in (*metadata.next, *metadata.previous):
        if readings := _others(value.value, ways):
            yield _Lead(value.value, readings, None, _STEPS.get(value.source.rpartition(" ")[2]), value.source)
    known: dict[bytes, tuple[str | None, tuple[Numbered, ...]]] = {}
    for row, href in _hrefs(document, own, ways):
        if href not in known:
            address = urls.resolve(href.decode(), document.base_url)
            # Where this can only be the first page, and the other too, neither is another; most links are of that kind.
            may_be_other = address is not None and (len(ways) > 1 or may_be_numbered(address))
            known[href] = address, _others(address, ways) if address and may_be_other else ()
        address, readings = known[href]
        if address and readings and not _leads_elsewhere(document, row):
            node = int(document.hrefs.node[row])
            anchor = _anchor(document, node)
            if len(anchor) <= MAX_ANCHOR:
                yield _Lead(address, readings, _shown(anchor), _step(document, node), "link to a page of the article")


def _hrefs(document: Document, own: str, ways: list[Numbered]) -> Iterator[tuple[int, bytes]]:
    """Give the links that may lead to a page of the article by how they are written; few do, and only those cost."""
    names = {path_of(way.article).rpartition("/")[2].encode() for way in ways} - {b""}
    host = urls.host(own).removeprefix("www.").encode()
    starts, ends = document.hrefs.start[:MAX_LINKS].tolist(), document.hrefs.end[:MAX_LINKS].tolist()
    text = document.columns.href_text
    naming = {row for name in names for row in _rows_with(name, text, starts, ends)}
    for row in sorted(naming.union(_short_rows(text, starts, ends))):
        href = text[starts[row] : ends[row]]
        if href.startswith((b"http", b"//")):
            may_lead = row in naming and host in href[: len(host) + _BEFORE_HOST]
        elif len(href) <= SHORT or href.startswith(b"?"):
            # It may be relative to the article's own address, and then it is a number or has one.
            may_lead = not href.startswith(b"#") and _DIGIT.search(href) is not None
        else:
            may_lead = row in naming
        if may_lead and len(href) <= MAX_ADDRESS:
            yield row, href


def _rows_with(name: bytes, text: bytes, starts: list[int], ends: list[int]) -> Iterator[int]:
    """Give the links that have some bytes in them, by where each begins and ends."""
    place = text.find(name)
    while 0 <= place < ends[-1]:
        # Links are written one after the other, so what begins in one may end in the next.
        row = bisect_right(starts, place) - 1
        if place + len(name) <= ends[row]:
            yield row
        place = text.find(name, ends[row])


def _short_rows(text: bytes, starts: list[int], ends: list[int]) -> list[int]:
    """Return the links that are short or a query alone."""
    bounds = enumerate(zip(starts, ends, strict=True))
    return [row for row, (start, end) in bounds if end - start <= SHORT or text[start] == _QUERY]


def _others(address: str, ways: list[Numbered]) -> tuple[Numbered, ...]:
    """Return how to read an address as another page of the article than this."""
    numbers = {own.article: own.number for own in reversed(ways)}
    return tuple(way for way in readings_of(address) if numbers.get(way.article, way.number) != way.number)


def _anchor(document: Document, node: int) -> str:
    """Return what a link says, or enough of it to see that it says too much."""
    start, end = int(document.nodes.text_start[node]), int(document.nodes.text_end[node])
    return " ".join(document.columns.text[start : min(end, start + 10 * MAX_ANCHOR)].decode(errors="ignore").split())


def _shown(anchor: str) -> int | None:
    numbers = _NUMBER.findall(anchor)
    return int(numbers[0]) if len(numbers) == 1 and len(numbers[0]) <= 2 else None


def _step(document: Document, node: int) -> int | None:
    words = str(document.element(node).get("rel") or "")[:MAX_ANCHOR].lower().split()
    return next((_STEPS[word] for word in words if word in _STEPS), None)


def _leads_elsewhere(document: Document, row: int) -> bool:
    """Tell whether a link leads to a page of comments or pictures, by its fragment or the elements around it."""
    if _ELSEWHERE.search(document.href(row).partition("#")[2]):
        return True
    tokens, node = document.tokens, int(document.hrefs.node[row])
    for _ in range(MAX_LEVELS):
        first, end = np.searchsorted(tokens.node, (node, node + 1)).tolist()
        if any(tokens.kind[at] in _NAMING and _ELSEWHERE.search(tokens.token(at)) for at in range(first, end)):
            return True
        node = int(document.nodes.parent[node])
        if node < 0:
            break
    return False
