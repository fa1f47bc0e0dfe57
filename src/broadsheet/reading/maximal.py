"""All maximal scoring subsequences of a sequence of numbers, in linear time (Ruzzo and Tompa, 1999)."""

from collections.abc import Iterable
from typing import NamedTuple


class Subsequence(NamedTuple):
    """The slice `[start, end)` of a sequence and its sum."""

    start: int
    end: int
    total: int


def maximal_subsequences(values: Iterable[int]) -> list[Subsequence]:
    """Return all maximal subsequences in order.

    Each is contiguous, scores more than any of its proper subsequences, and is not part of a larger one that does.
    Integers make ties exact.
    """
    # Each candidate has its start and end, the sums before it and up to its end, and the index of the last candidate
    # whose own sum before is smaller. This link is what makes the search linear.
    candidates: list[tuple[int, int, int, int, int]] = []
    total = 0
    for position, value in enumerate(values):
        start, before = position, total
        total += value
        if value <= 0:
            continue
        while True:
            link = len(candidates) - 1
            while link >= 0 and candidates[link][2] >= before:
                link = candidates[link][4]
            if link < 0 or candidates[link][3] >= total:
                candidates.append((start, position + 1, before, total, link))
                break
            start, before = candidates[link][0], candidates[link][2]
            del candidates[link:]
    return [Subsequence(start, end, after - before) for start, end, before, after, _ in candidates]


def best_subsequence(values: Iterable[int]) -> Subsequence | None:
    """Return the first maximal subsequence with the highest sum, or None if no number is positive."""
    return max(maximal_subsequences(values), key=lambda subsequence: subsequence.total, default=None)
