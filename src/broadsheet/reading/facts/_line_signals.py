"""The signals of a line that looks, by its features, like a headline, a byline or a date."""

from bisect import bisect_right
from collections.abc import Callable, Hashable, Sequence
from typing import Final, TypeAlias

from broadsheet.document import Document
from broadsheet.reading.lines.line_kinds import BYLINE, DATE, HEADLINE

#: Returns how much the lines of some pieces look like a kind of line, in log-odds.
LineScorer: TypeAlias = Callable[[Document, int, Sequence[int]], list[float]]

#: What the names of these signals begin with.
LINE_LIKE: Final = "line like a "
#: For each kind, its name and the range of scores, beyond which they make no difference.
_RANGES = {HEADLINE: ("headline", -5, 5), BYLINE: ("byline", -7, 2), DATE: ("date", -4, 4)}
#: For each kind, the bounds within the range, and the signals of a line by how many it reaches: one for each of them,
#: so that the weights add up from one to the next.
_SIGNALS = {
    kind: (
        range(low + 1, high + 1),
        [tuple(f"{LINE_LIKE}{name} {bound:+d}" for bound in range(low + 1, end)) for end in range(low + 1, high + 2)],
    )
    for kind, (name, low, high) in _RANGES.items()
}


def line_signals(
    score_lines: LineScorer, document: Document, kind: int, shown: Sequence[tuple[Hashable, int]]
) -> dict[Hashable, tuple[str, ...]]:
    """Return the signals of values by the likeliest of the lines that show them, given as values and pieces."""
    if not shown:
        return {}
    best: dict[Hashable, float] = {}
    scores = score_lines(document, kind, [piece for _, piece in shown])
    for (value, _), score in zip(shown, scores, strict=True):
        if value not in best or score > best[value]:
            best[value] = score
    bounds, signals = _SIGNALS[kind]
    return {value: signals[bisect_right(bounds, score)] for value, score in best.items()}
