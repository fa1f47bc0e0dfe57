"""What the kinds of lines learn from: lines near the title and the text of labelled pages, and what they show."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from broadsheet.corpora.author_labels import AuthorLabel
from broadsheet.reading.facts import Candidate, Scene, find_days, fold, near_lines
from broadsheet.reading.lines.line_kinds import BYLINE, DATE, HEADLINE, KINDS
from broadsheet.reading.measured_lines import MeasuredLines, kept_lines
from broadsheet.reading.titles import find_titles
from broadsheet.training._fact_examples import ReadPage, is_day, is_title

#: A longer line is not a byline, in characters.
MAX_BYLINE = 150
#: It is not known whether a line is of a kind.
UNKNOWN = -1

Targets = NDArray[np.int8]


class LineExample(NamedTuple):
    """Some lines of a page: their features, their words, and for each kind whether they are of it."""

    site: str
    split: str | None
    rows: NDArray[np.float16]
    words: tuple[NDArray[np.int32], ...]
    #: 1, 0 or `UNKNOWN`, with a row per line and a column per kind.
    targets: Targets


def line_example(page: ReadPage) -> LineExample | None:
    """Return the lines of a page that may be of some kind; None if it has none."""
    scene, found = page.scene(), kept_lines(page.document)
    if not len(found.lines):
        return None
    targets = np.full((len(found.lines), len(KINDS)), UNKNOWN, np.int8)
    if label := page.authors():
        _add_bylines(targets[:, BYLINE], scene, found, label)
    if day := page.labels.gold.date:
        dates = ((each, is_day(each, day)) for each in find_days(scene))
        _add_shown(targets[:, DATE], found, ((_pieces(each), right) for each, right in dates))
    if title := page.labels.gold.title:
        starts = page.document.nodes.piece_start
        headings = (
            ([int(starts[mention.value.node]) for mention in each.mentions if mention.value.node is not None], each)
            for each in find_titles(page.document, {})
        )
        _add_shown(targets[:, HEADLINE], found, ((pieces, is_title(each, title)) for pieces, each in headings))
    chosen = (targets != UNKNOWN).any(axis=1).nonzero()[0]
    measured = found.measured
    words = tuple(measured.words[line, : measured.counts[line]].copy() for line in chosen.tolist())
    rows = measured.rows[chosen].astype(np.float16)
    return LineExample(page.labels.site, page.labels.split, rows, words, targets[chosen])


def _add_bylines(targets: Targets, scene: Scene, found: MeasuredLines, label: AuthorLabel) -> None:
    """Mark the lines near the title and after the text: those with an author are bylines, the others not."""
    authors, accepted = (list(filter(None, map(fold, names))) for names in (label.authors, label.accepted))
    for line in near_lines(scene):
        text = scene.line_text(line)
        if 0 < len(text) <= MAX_BYLINE:
            folded = fold(text)
            if any(name in folded for name in authors):
                targets[_line_of(found, scene.line_pieces(line)[0])] = 1
            elif not any(name in folded for name in accepted):
                targets[_line_of(found, scene.line_pieces(line)[0])] = 0


def _add_shown(targets: Targets, found: MeasuredLines, candidates: Iterable[tuple[Sequence[int], bool]]) -> None:
    """Mark the lines that show candidates; one that shows a right and a wrong one is right."""
    for pieces, is_right in candidates:
        for piece in pieces:
            line = _line_of(found, piece)
            targets[line] = max(targets[line], is_right)


def _pieces(candidate: Candidate[Any]) -> list[int]:
    return [mention.pieces[0] for mention in candidate.mentions if mention.pieces]


def _line_of(found: MeasuredLines, piece: int) -> int:
    return max(0, int(found.lines.first.searchsorted(piece, "right")) - 1)
