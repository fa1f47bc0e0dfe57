"""Maximum scoring subsequence (Luo et al., 2009): the run of lines in the page's commonest style that are not links.

Pieces on one line form a segment. A segment of the page's commonest size and colour with few links scores its length,
any other its negative length, and the run of segments with the highest sum is the article.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.records import Reading
from broadsheet.document import Document
from broadsheet.reading._looks import Looks, looks_by_sheets, looks_by_tags
from broadsheet.reading._subtrees import (
    Longs,
    Mask,
    differences,
    line_edges,
    subtree_pieces,
    text_parents,
)
from broadsheet.reading.furniture import furniture
from broadsheet.reading.maximal import Subsequence, best_subsequence
from broadsheet.reading.tidying import raw_reading, tidy_reading

NAME = "subsequence"


@dataclass(frozen=True, slots=True)
class SubsequenceParameters:
    """The published constants.

    - `least_size`: the minimum share of a segment's text in the page's commonest size.
    - `least_colour`: the minimum share in its commonest colour.
    - `most_links`: the maximum share inside links.
    """

    least_size: float = 0.7
    least_colour: float = 0.2
    most_links: float = 0.5


class Segments(NamedTuple):
    """One row per segment: its pieces `[start, end)`, its length in characters, and its score."""

    start: Longs
    end: Longs
    length: Longs
    value: Longs


class SubsequenceResult(NamedTuple):
    """The page's segments, the best run of them unless no score is positive, and the pieces of that run."""

    segments: Segments
    best: Subsequence | None
    pieces: Mask


def segment(document: Document, looks: Looks, chosen: NDArray[np.intp], parameters: SubsequenceParameters) -> Segments:
    """Group the chosen pieces by line and score each group."""
    lines = document.pieces.line.take(chosen)
    edges = line_edges(lines)
    first = edges[:-1]
    if not len(first):
        empty = np.zeros(0, np.int64)
        return Segments(empty, empty, empty, empty)
    characters = differences(document.sums.characters).take(chosen).astype(np.int64)

    def share(mask: Mask) -> NDArray[np.float64]:
        shares: NDArray[np.float64] = np.add.reduceat(np.where(mask, characters, 0), first) / length
        return shares

    length = np.add.reduceat(characters, first)
    size, colour = looks.size.take(chosen), looks.colour.take(chosen)
    matches = share(size == _commonest(size, characters)) >= parameters.least_size
    matches &= share(colour == _commonest(colour, characters)) >= parameters.least_colour
    matches &= share(document.pieces.link.take(chosen) >= 0) <= parameters.most_links
    return Segments(chosen[first], chosen[edges[1:] - 1] + 1, length, np.where(matches, length, -length))


def find(document: Document, ignored: Mask, looks: Looks, parameters: SubsequenceParameters) -> SubsequenceResult:
    """Return the best run of segments among the pieces that are not ignored."""
    segments = segment(document, looks, np.flatnonzero(~ignored), parameters)
    best = best_subsequence(segments.value.tolist())
    pieces = np.zeros(len(document.pieces), np.bool_)
    if best:
        pieces[segments.start[best.start] : segments.end[best.end - 1]] = True
        pieces &= ~ignored
    return SubsequenceResult(segments, best, pieces)


def run(document: Document, *, exact: bool = False, styles: bool = False) -> SubsequenceResult:
    """Return the best run of the page; `styles` takes sizes and colours from its style sheets, which is slower."""
    looks = looks_by_sheets(document) if styles else looks_by_tags(document)
    ignored = subtree_pieces(document, document.rows("head"))
    if not exact:
        ignored |= furniture(document).take(text_parents(document))
    return find(document, ignored, looks, SubsequenceParameters())


def read(document: Document, *, exact: bool = False, styles: bool = False) -> Reading:
    """Label the text of the best run as the body; its score is relative to the page's characters."""
    result = run(document, exact=exact, styles=styles)
    score = result.best.total / int(result.segments.length.sum()) if result.best else 0.0
    return (raw_reading if exact else tidy_reading)(document, result.pieces, score, NAME)


def _commonest(looks: NDArray[np.generic], characters: Longs) -> object:
    """Return the look of most characters; ties go to the smallest value, which makes the result deterministic."""
    if looks.min() == looks.max():
        return looks[0]
    kinds, which = np.unique(looks, return_inverse=True)
    return kinds[np.argmax(np.bincount(which, characters))]
