"""Articles on several pages: the number of this page, and the URLs of the next and previous ones.

The next article is never mistaken for the next page: the URLs of an article's pages differ only in a number, and the
links to them show that number or are marked `next` or `prev`.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from broadsheet.base import urls
from broadsheet.document import Document
from broadsheet.document.columns import Ints, Tokens
from broadsheet.reading._assembly_scans import short_links
from broadsheet.reading._page_numbers import (
    MAX_ADDRESS,
    Kind,
    NumberedAddress,
    may_be_numbered,
    parse_page_numbers,
    path_of,
)

#: Links considered per page, and ancestors considered per link.
MAX_LINKS, MAX_LEVELS = 5_000, 8
#: The maximum length of the text of a link to another page, in characters.
MAX_ANCHOR = 40
#: A URL of no more than this many bytes, such as `/?page=10`, may be relative to this page.
SHORT = 10

#: Enough for `https://www.`.
_BEFORE_HOST = 16
_STEPS = {"next": 1, "prev": -1, "previous": -1}
_NUMBER = re.compile(r"\d+")
_DIGIT = re.compile(rb"[0-9]")
# Comments and picture galleries have their own pages.
_ELSEWHERE = re.compile(r"comment|kommentar|disqus|repl[yi]|respond|gallery|galerie|slide", re.IGNORECASE)
_NAMING = [Tokens.KINDS.index("class"), Tokens.KINDS.index("id")]


class Pagination(NamedTuple):
    """The number of a page within its article, the URLs of its neighbours, and the evidence."""

    number: int
    next: str | None
    previous: str | None
    evidence: str


class _Lead(NamedTuple):
    """A link that may lead to another page of the article."""

    address: str
    readings: tuple[NumberedAddress, ...]
    #: The number in the link's text, and the step given by its `rel`.
    shown: int | None
    step: int | None
    source: str


def find_pagination(document: Document) -> Pagination | None:
    """Return the position of a document within its article, or None if there is no sign of further pages."""
    own = document.url or next((value.value for value in document.metadata.canonical), None)
    interpretations = parse_page_numbers(own) if own else []
    leads = list(_leads(document, own, interpretations)) if own else []
    for here in interpretations if leads else ():
        pages = {page.number: lead for lead in reversed(leads) if (page := _page(here, lead))}
        after, before = pages.get(here.number + 1), pages.get(here.number - 1)
        if neighbour := after or before:
            return Pagination(here.number, after and after.address, before and before.address, neighbour.source)
    return None


def is_page_of(url: str, own: str, anchor: str) -> bool:
    """Tell whether a link of a page (`own`) leads to another page of the same list or article.

    A URL that names its page number (`?page=2`) says so itself; any other needs a link that shows the number.
    """
    if not may_be_numbered(url) or len(url) > MAX_ADDRESS:
        return False
    shown = _shown(anchor)
    numbers = {here.article: here.number for here in reversed(parse_page_numbers(own))}
    return any(
        numbers.get(page.article, page.number) != page.number and (page.kind == Kind.NAMED or shown == page.number)
        for page in parse_page_numbers(url)
    )


def _page(here: NumberedAddress, lead: _Lead) -> NumberedAddress | None:
    """Return the interpretation of a link's URL as another page of the same article, or None."""
    for page in lead.readings:
        if page.article == here.article and page.number != here.number and _is_confirmed(here, page, lead):
            return page
    return None


def _is_confirmed(here: NumberedAddress, page: NumberedAddress, lead: _Lead) -> bool:
    """Tell whether the link confirms the page number; the vaguer the URL, the more evidence is needed."""
    by_number = lead.shown == page.number
    by_relation = lead.step is not None and here.number + lead.step == page.number
    if Kind.DASHED in (page.kind, here.kind):
        return by_number
    if Kind.WORDED in (page.kind, here.kind):
        return by_relation
    no_evidence = lead.shown is None and lead.step is None
    return by_number or by_relation or (no_evidence and page.kind == Kind.NAMED and page.number == here.number + 1)


def _leads(document: Document, own: str, interpretations: list[NumberedAddress]) -> Iterator[_Lead]:
    """Yield links that may lead to other pages of the article by their URL: first `link` elements, then `a`."""
    metadata = document.metadata
    for value in (*metadata.next, *metadata.previous):
        if readings := _others(value.value, interpretations):
            yield _Lead(value.value, readings, None, _STEPS.get(value.source.rpartition(" ")[2]), value.source)
    known: dict[bytes, tuple[str | None, tuple[NumberedAddress, ...]]] = {}
    for row, href in _hrefs(document, own, interpretations):
        if href not in known:
            address = urls.resolve(href.decode(), document.base_url)
            # Most links have no page number; without one on either side, they cannot be another page.
            may_be_other = address is not None and (len(interpretations) > 1 or may_be_numbered(address))
            known[href] = address, _others(address, interpretations) if address and may_be_other else ()
        address, readings = known[href]
        if address and readings and not _leads_elsewhere(document, row):
            node = int(document.hrefs.node[row])
            anchor = _anchor(document, node)
            if len(anchor) <= MAX_ANCHOR:
                yield _Lead(address, readings, _shown(anchor), _step(document, node), "link to a page of the article")


def _hrefs(document: Document, own: str, interpretations: list[NumberedAddress]) -> Iterator[tuple[int, bytes]]:
    """Yield the few links that may lead to a page of the article, judged cheaply by their raw text."""
    names = {path_of(page.article).rpartition("/")[2].encode() for page in interpretations} - {b""}
    host = urls.host(own).removeprefix("www.").encode()
    starts, ends = document.hrefs.start[:MAX_LINKS], document.hrefs.end[:MAX_LINKS]
    text = document.columns.href_text
    naming = {row for name in names for row in _rows_with(name, text, starts, ends)}
    for row in sorted(naming.union(short_links(text, starts, ends, SHORT))):
        href = text[starts[row] : ends[row]]
        if href.startswith((b"http", b"//")):
            may_lead = row in naming and host in href[: len(host) + _BEFORE_HOST]
        elif len(href) <= SHORT or href.startswith(b"?"):
            # It may be relative to the article's own URL, and then has to contain a number.
            may_lead = not href.startswith(b"#") and _DIGIT.search(href) is not None
        else:
            may_lead = row in naming
        if may_lead and len(href) <= MAX_ADDRESS:
            yield row, href


def _rows_with(name: bytes, text: bytes, starts: Ints, ends: Ints) -> Iterator[int]:
    """Yield the links that contain some bytes, given where each begins and ends."""
    offset = text.find(name)
    while 0 <= offset < ends[-1]:
        # Links are stored back to back, so a match may begin in one and end in the next.
        row = int(starts.searchsorted(offset, "right")) - 1
        if offset + len(name) <= ends[row]:
            yield row
        offset = text.find(name, ends[row])


def _others(address: str, interpretations: list[NumberedAddress]) -> tuple[NumberedAddress, ...]:
    """Return the interpretations of a URL as another page of the article."""
    numbers = {own.article: own.number for own in reversed(interpretations)}
    pages = parse_page_numbers(address)
    return tuple(page for page in pages if numbers.get(page.article, page.number) != page.number)


def _anchor(document: Document, node: int) -> str:
    """Return the text of a link, or enough of it to see that it is too long."""
    start, end = int(document.nodes.text_start[node]), int(document.nodes.text_end[node])
    return " ".join(document.columns.text[start : min(end, start + 10 * MAX_ANCHOR)].decode(errors="ignore").split())


def _shown(anchor: str) -> int | None:
    numbers = _NUMBER.findall(anchor)
    return int(numbers[0]) if len(numbers) == 1 and len(numbers[0]) <= 2 else None


def _step(document: Document, node: int) -> int | None:
    words = (document.attribute(node, "rel") or "")[:MAX_ANCHOR].lower().split()
    return next((_STEPS[word] for word in words if word in _STEPS), None)


def _leads_elsewhere(document: Document, row: int) -> bool:
    """Tell whether a link leads to a page of comments or pictures, judging by its fragment and its ancestors."""
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
