"""Examples made by edits of other examples, beside those that people labelled."""

from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import replace

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from broadsheet.base.counters import Counters
from broadsheet.base.errors import LimitError
from broadsheet.base.records import Label
from broadsheet.corpora.labelled_page import PageLabels
from broadsheet.corpora.site_splits import fold_of
from broadsheet.document import Document, parse
from broadsheet.reading.titles import find_title
from broadsheet.training.line_model._examples import Example, from_annotation
from broadsheet.training.line_model._marked_pages import (
    CONTAINER,
    HEADLINE,
    MarkedPage,
    insertable,
    mark,
    marked_pieces,
)
from broadsheet.training.line_model._page_edits import EDITS

#: How many edits are made to each page, each giving one page, and how many others are at hand.
MADE_PER_PAGE, OTHERS = 4, 12
#: Pages are edited if their labels fit well and they are of ordinary size.
MIN_FIT, MAX_LINES = 0.9, 1_500
#: The container has this share of the body's words, and is not the page itself.
_INSIDE, _MIN_DEPTH = 0.95, 2
_FIRST_LINES = 3
#: Running text around the article: lines of so many words, mostly outside links.
_NOISE_LINES, _NOISE_WORDS, _NOISE_LINKS = 6, (5, 60), 0.3


def with_made_pages(examples: Iterable[Example], folds: int, counters: Counters) -> Iterator[Example]:
    """Yield all examples, then those made from them; no page is combined with one of another fold."""
    rng = np.random.default_rng(1)
    marked: list[tuple[PageLabels, MarkedPage]] = []
    for example in examples:
        yield example
        page = _marked(example)
        if page is not None:
            marked.append((example.labels, page))
    by_fold: dict[int, list[MarkedPage]] = {}
    for labels, page in marked:
        by_fold.setdefault(_fold(labels, folds), []).append(page)
    for labels, page in marked:
        group = by_fold[_fold(labels, folds)]
        for number in rng.permutation(len(EDITS))[:MADE_PER_PAGE].tolist():
            edit = EDITS[number]
            others = [group[place] for place in rng.integers(len(group), size=OTHERS).tolist()]
            root = edit(page, [other for other in others if other.site != page.site], rng)
            made = None if root is None else _from_marks(labels, root)
            counters.count("not made" if made is None else "made", edit.__name__)
            if made is not None:
                yield made


def _fold(labels: PageLabels, folds: int) -> int:
    return fold_of(labels.site, folds) if folds > 1 else 0


def _marked(example: Example) -> MarkedPage | None:
    """Mark the body in a copy of the page; None if the page does not suit."""
    document, lines = example.document, example.lines
    if not example.whole or example.fit < MIN_FIT or len(lines) > MAX_LINES or example.labels.kind != "article":
        return None
    chosen = example.is_body == 1
    first, end = lines.first[chosen].tolist(), lines.end[chosen].tolist()
    is_body = np.zeros(len(document.pieces), np.bool_)
    for start, stop in zip(first, end, strict=True):
        is_body[start:stop] = True
    container = _container(document, is_body)
    if container is None:
        return None
    root = deepcopy(document.element(0))
    # The keys keep lxml's proxies alive, so that `document.element` returns the same objects.
    copies = dict(zip(document.element(0).iter(etree.Element), root.iter(etree.Element), strict=True))
    copies[document.element(container)].set(CONTAINER, "")
    for piece in np.flatnonzero(is_body).tolist():
        owner = copies.get(document.element(int(document.pieces.owner[piece])))
        if owner is not None:  # Text after a comment cannot be marked.
            mark(owner, int(document.pieces.slot[piece]))
    title, nodes = find_title(document), document.nodes
    has_headline = title is not None and title.node is not None and container <= title.node < nodes.end[container]
    if title is not None and title.node is not None:
        copies[document.element(title.node)].set(HEADLINE, "")
    return MarkedPage(
        etree.tostring(root, encoding="utf-8", method="html"),
        insertable(title.text) if title else "",
        _texts(document, zip(first[:_FIRST_LINES], end[:_FIRST_LINES], strict=True)),
        _noise(example),
        example.labels.site,
        has_headline,
    )


def _container(document: Document, is_body: NDArray[np.bool_]) -> int | None:
    """Return the deepest element with nearly the whole body."""
    nodes = document.nodes
    sums = np.concatenate(([0], np.cumsum(np.diff(document.sums.words) * is_body)))
    holding = np.flatnonzero(sums[nodes.piece_end] - sums[nodes.piece_start] >= _INSIDE * sums[-1])
    deepest = int(holding[np.argmax(nodes.depth[holding])])
    return deepest if sums[-1] and nodes.depth[deepest] >= _MIN_DEPTH else None


def _noise(example: Example) -> tuple[str, ...]:
    """Return running text that is not part of the article, such as appeals and notices."""
    lines, (least, most) = example.lines, _NOISE_WORDS
    is_running = (lines.words >= least) & (lines.words <= most) & (lines.links <= _NOISE_LINKS)
    chosen = np.flatnonzero(is_running & (example.is_body == 0))[:_NOISE_LINES]
    return _texts(example.document, zip(lines.first[chosen].tolist(), lines.end[chosen].tolist(), strict=True))


def _texts(document: Document, lines: Iterable[tuple[int, int]]) -> tuple[str, ...]:
    return tuple(insertable("".join(map(document.piece_text, range(first, end))).strip()) for first, end in lines)


def _from_marks(labels: PageLabels, root: etree._Element) -> Example | None:
    """Read an edited page back; None if it is beyond a limit or nothing of its body is left."""
    try:
        document = parse(etree.tostring(root, encoding="utf-8", method="html"), labels.url, encoding="utf-8")
    except LimitError:
        return None
    pieces = np.where(marked_pieces(document), np.int8(Label.BODY), np.int8(Label.GARBAGE))
    example = from_annotation(labels, document, pieces)
    return replace(example, made=True) if example.whole and len(example.lines) else None
