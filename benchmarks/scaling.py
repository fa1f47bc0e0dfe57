"""How time grows with the size of a page: real pages with repeated bodies, timed like any others."""

import math
import re
import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module

from benchmarks.pages import Page
from benchmarks.timing import Record

MULTIPLES = (1, 2, 5, 10, 20, 50)

_BODY = re.compile(rb"(?is)(?P<before>.*?<body\b[^>]*>)(?P<content>.*)(?P<after></body\s*>.*)")
_HREF = re.compile(rb"(?i)\bhref\s*=\s*[\"']?[^\"'\s>#?]*")


@dataclass(frozen=True)
class Scaling:
    """The growth of one system's time."""

    name: str
    #: Total time over total bytes of the pages at each multiple.
    ns_per_byte: dict[int, float]
    #: The mean slope of log time over log bytes: 1 is linear, 2 quadratic.
    slope: float | None
    steepest: float | None
    errors: dict[str, int]


def choose(pages: Iterable[Page], count: int) -> list[Page]:
    """Choose the repeatable pages nearest to the median size."""
    pages = list(pages)
    middle = statistics.median(len(page.data) for page in pages)
    nearest = sorted(pages, key=lambda page: (abs(len(page.data) - middle), page.id))
    fit = (page for page in nearest if _repeatable(page))
    return [page for page, _ in zip(fit, range(count), strict=False)]


def grow(page: Page, multiple: int) -> Page:
    """Return the page with the content of its body repeated, each copy with distinct links.

    Identical links would cost next to nothing, because each link is resolved only once.
    """
    parts = _BODY.fullmatch(page.data)
    if parts is None:
        raise ValueError(f"{page.id} has no body to repeat")
    copies = [_HREF.sub(rb"\g<0>-%d" % number, parts["content"]) for number in range(1, multiple)]
    data = b"".join([parts["before"], parts["content"], *copies, parts["after"]])
    return Page.decode(_grown_id(page, multiple), data)


def summarise(records: Sequence[Record], pages: Sequence[Page]) -> list[Scaling]:
    """Summarise the times of the grown pages, given the original pages."""
    sizes = {(page.id, multiple): len(grow(page, multiple).data) for page in pages for multiple in MULTIPLES}
    return [_scaling(record, pages, sizes) for record in records]


def _scaling(record: Record, pages: Sequence[Page], sizes: dict[tuple[str, int], int]) -> Scaling:
    """Summarise one system; a page that it failed on at some multiple is left out there."""
    ns_per_byte: dict[int, float] = {}
    points: dict[str, list[tuple[float, float]]] = {page.id: [] for page in pages}
    for multiple in MULTIPLES:
        read = [page for page in pages if record.times.get(_grown_id(page, multiple))]
        for page in read:
            ns = record.times[_grown_id(page, multiple)]
            points[page.id].append((math.log(sizes[page.id, multiple]), math.log(ns)))
        if read:
            total = sum(record.times[_grown_id(page, multiple)] for page in read)
            ns_per_byte[multiple] = total / sum(sizes[page.id, multiple] for page in read)
    slopes = [statistics.linear_regression(*zip(*line, strict=True)).slope for line in points.values() if len(line) > 1]
    return Scaling(
        name=record.system.name,
        ns_per_byte=ns_per_byte,
        slope=statistics.fmean(slopes) if slopes else None,
        steepest=max(slopes, default=None),
        errors=dict(Counter(record.errors.values())),
    )


def _grown_id(page: Page, multiple: int) -> str:
    """Return the id of a grown page."""
    return f"{page.id} {multiple} times"


def _repeatable(page: Page) -> bool:
    """Return whether copies of the body would be siblings, not nested in each other by unclosed elements."""
    return _BODY.fullmatch(page.data) is not None and _depth(grow(page, 2)) == _depth(page)


def _depth(page: Page) -> int:
    """Return the nesting depth of the page's elements."""
    etree = import_module("lxml.etree")
    root = etree.fromstring(page.data, etree.HTMLParser(encoding="utf-8", huge_tree=True))
    deepest = depth = 0
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        depth += 1 if event == "start" else -1
        deepest = max(deepest, depth)
    return deepest
