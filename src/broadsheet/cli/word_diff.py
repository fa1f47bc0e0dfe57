"""What changed between two texts: which paragraphs, and which words of them."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from typing import Literal

#: Beyond this many insertions and deletions two sequences are compared as wholes: time and memory grow with the square.
MAX_EDITS = 800
#: Paragraphs that share fewer of their words are shown as one removed and one added: mixed, they would be hard to read.
MIN_SHARED = 0.3

Mark = Literal["same", "removed", "added"]

# A word with the space before it, so that the words of a text together are the text. Scripts without spaces are
# compared character by character.
_TOKEN = re.compile(r"\s*(?:[\u2e80-\U0003ffff]|[^\s\u2e80-\U0003ffff]+)|\s+")


@dataclass(frozen=True, slots=True)
class MarkedText:
    """A piece of a text, and whether it is in both texts, only in the first, or only in the second."""

    mark: Mark
    text: str


@dataclass(frozen=True, slots=True)
class ParagraphChange:
    """A paragraph before and after, None where it did not exist, with the words that differ."""

    before: str | None
    after: str | None
    pieces: tuple[MarkedText, ...]

    @property
    def is_same(self) -> bool:
        """Whether nothing changed."""
        return self.before == self.after

    def words(self, mark: Mark) -> int:
        """Return how many words have a mark."""
        return sum(len(tokens(piece.text)) for piece in self.pieces if piece.mark == mark)


def compare_paragraphs(before: Sequence[str], after: Sequence[str]) -> list[ParagraphChange]:
    """Return all paragraphs of two texts in order, those that changed with the words that did."""
    changes: list[ParagraphChange] = []
    for is_same, edits in groupby(edit_script(before, after), key=_is_same):
        run = list(edits)
        if is_same:
            changes.extend(ParagraphChange(text, text, (MarkedText("same", text),)) for _, text in run)
        else:
            removed, added = ([text for mark, text in run if mark == wanted] for wanted in ("removed", "added"))
            changes.extend(_replaced(removed, added))
    return changes


def compare_words(before: str, after: str) -> tuple[MarkedText, ...]:
    """Return two texts as one, in which the words that differ are marked."""
    script = edit_script(tokens(before), tokens(after))
    return tuple(MarkedText(mark, "".join(text for _, text in run)) for mark, run in groupby(script, lambda e: e[0]))


def tokens(text: str) -> list[str]:
    """Return the words of a text, each with the space before it."""
    return _TOKEN.findall(text)


def edit_script(before: Sequence[str], after: Sequence[str]) -> list[tuple[Mark, str]]:
    """Return the shortest way from one sequence to another, by Myers' algorithm; removals come before additions."""
    start = _common(before, after)
    end = _common(before[start:][::-1], after[start:][::-1])
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    script = _shortest(old, new) or [*(("removed", text) for text in old), *(("added", text) for text in new)]
    return [
        *(("same", text) for text in before[:start]),
        *chain.from_iterable(sorted(run, key=_is_added) for _, run in groupby(script, key=_is_same)),
        *(("same", text) for text in before[len(before) - end :]),
    ]


def _replaced(removed: Sequence[str], added: Sequence[str]) -> Iterator[ParagraphChange]:
    """Yield the paragraphs of a run in which all differ: pairs, as far as there are any, then the rest of either."""
    paired = min(len(removed), len(added))
    for before, after in zip(removed[:paired], added[:paired], strict=True):
        old, new = Counter(tokens(before)), Counter(tokens(after))
        if (old & new).total() >= MIN_SHARED * max(old.total(), new.total()):
            yield ParagraphChange(before, after, compare_words(before, after))
        else:
            yield ParagraphChange(before, None, (MarkedText("removed", before),))
            yield ParagraphChange(None, after, (MarkedText("added", after),))
    yield from (ParagraphChange(text, None, (MarkedText("removed", text),)) for text in removed[paired:])
    yield from (ParagraphChange(None, text, (MarkedText("added", text),)) for text in added[paired:])


def _is_same(edit: tuple[Mark, str]) -> bool:
    return edit[0] == "same"


def _is_added(edit: tuple[Mark, str]) -> bool:
    return edit[0] == "added"


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many items two sequences begin with alike."""
    number = 0
    for first, second in zip(one, other, strict=False):
        if first != second:
            break
        number += 1
    return number


def _shortest(old: Sequence[str], new: Sequence[str]) -> list[tuple[Mark, str]] | None:
    """Return the shortest edit script, None if it has more than `MAX_EDITS` insertions and deletions."""
    reach = {1: 0}
    trail: list[dict[int, int]] = []
    for edits in range(min(len(old) + len(new), MAX_EDITS) + 1):
        trail.append(dict(reach))
        for diagonal in range(-edits, edits + 1, 2):
            goes_down = diagonal == -edits or (
                diagonal != edits and reach.get(diagonal - 1, -1) < reach.get(diagonal + 1, -1)
            )
            x = reach[diagonal + 1] if goes_down else reach[diagonal - 1] + 1
            y = x - diagonal
            while x < len(old) and y < len(new) and old[x] == new[y]:
                x, y = x + 1, y + 1
            reach[diagonal] = x
            if x >= len(old) and y >= len(new):
                return _retrace(old, new, trail)
    return None


def _retrace(old: Sequence[str], new: Sequence[str], trail: Sequence[dict[int, int]]) -> list[tuple[Mark, str]]:
    """Return the edits along a trail, which is followed from its end."""
    script: list[tuple[Mark, str]] = []
    x, y = len(old), len(new)
    for edits in range(len(trail) - 1, -1, -1):
        reach, diagonal = trail[edits], x - y
        goes_down = diagonal == -edits or (
            diagonal != edits and reach.get(diagonal - 1, -1) < reach.get(diagonal + 1, -1)
        )
        before = diagonal + 1 if goes_down else diagonal - 1
        from_x = reach[before]
        from_y = from_x - before
        while x > max(from_x, 0) and y > max(from_y, 0):
            x, y = x - 1, y - 1
            script.append(("same", old[x]))
        if edits == 0:
            break
        script.append(("added", new[from_y]) if goes_down else ("removed", old[from_x]))
        x, y = from_x, from_y
    return script[::-1]
