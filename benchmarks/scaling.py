"""How time grows with a page's size: real pages whose body is repeated, timed like any others."""

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
    """How one system's time grows."""

    name: str
    #: Total time over total bytes of the pages at each multiple.
    ns_per_byte: dict[int, float]
    #: The mean over pages of the slope of log time against log bytes: 1 is linear, 2 quadratic.
    slope: float | None
    steepest: float | None
    errors: dict[str, int]


def choose(pages: Iterable[Page], count: int) -> list[Page]:
    """Choose the pages nearest to the median size that can be repeated."""
    pages = list(pages)
    middle = statistics.median(len(page.data) for page in pages)
    nearest = sorted(pages, key=lambda page: (abs(len(page.data) - middle), page.id))
    fit = (page for page in nearest if _repeatable(page))
    return [page for page, _ in zip(fit, range(count), strict=False)]


def grow(page: Page, multiple: int) -> Page:
    """Return the page with the content of its body repeated, each copy with links of its own.

    Copies of the same links would cost next to nothing where links are resolved once each.
    """
    parts = _BODY.fullmatch(page.data)
    if parts is None:
        raise ValueError(f"{page.id} has no body to repeat")
    copies = [_HREF.sub(rb"\g<0>-%d" % number, parts["content"]) for number in range(1, multiple)]
    data = b"".join([parts["before"], parts["content"], *copies, parts["after"]])
    return Page.of(_grown_id(page, multiple), data)


def summarise(records: Sequence[Record], pages: Sequence[Page]) -> list[Scaling]:
    """Sum up the times of the grown pages, given the pages they were grown from."""
    sizes = {(page.id, multiple): len(grow(page, multiple).data) for page in pages for multiple in MULTIPLES}
    return [_scaling(record, pages, sizes) for record in records]


def _scaling(record: Record, pages: Sequence[Page], sizes: dict[tuple[str, int], int]) -> Scaling:
    """Sum up one system; a page that it could not read at some multiple is left out at that one."""
    ns_per_byte: dict[int, float] = {}
    points: dict[str, list[tuple[float, float]]] = {page.id: [] for page in pages}
    for multiple in MULTIPLES:
        read = [page for page in pages if record.times.get(_grown_id(page, multiple))]
        for page in read:
            taken = record.times[_grown_id(page, multiple)]
            points[page.id].append((math.log(sizes[page.id, multiple]), math.log(taken)))
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
    """Name a grown page."""
    return f"{page.id} {multiple} times"


def _repeatable(page: Page) -> bool:
    """Tell whether copies of the body would lie beside each other, not (unclosed) within each other."""
    return _BODY.fullmatch(page.data) is not None and _depth(grow(page, 2)) == _depth(page)


def _depth(page: Page) -> int:
    """Measure how deep the page's elements are nested."""
    etree = import_module("lxml.etree")
    root = etree.fromstring(page.data, etree.HTMLParser(encoding="utf-8", huge_tree=True))
    deepest = depth = 0
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        depth += 1 if event == "start" else -1
        deepest = max(deepest, depth)
    return deepest
