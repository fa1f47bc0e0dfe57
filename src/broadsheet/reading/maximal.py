"""All maximal scoring subsequences of a sequence of numbers, in linear time (Ruzzo and Tompa, 1999)."""

from collections.abc import Iterable
from typing import NamedTuple


class Subsequence(NamedTuple):
    """The places `[start, end)` of a sequence, and the sum of the numbers there."""

    start: int
    end: int
    total: int


def maximal_subsequences(values: Iterable[int]) -> list[Subsequence]:
    """Return the maximal subsequences in their order.

    Each is contiguous and scores more than any part of itself, and no larger one does so. Whole numbers keep
    equal scores equal.
    """
    # Of each candidate: where it starts and ends, the sum before it and up to its end, and the last candidate
    # before it whose own sum before is smaller. That last link is what makes the search linear.
    candidates: list[tuple[int, int, int, int, int]] = []
    total = 0
    for place, value in enumerate(values):
        start, before = place, total
        total += value
        if value <= 0:
            continue
        while True:
            link = len(candidates) - 1
            while link >= 0 and candidates[link][2] >= before:
                link = candidates[link][4]
            if link < 0 or candidates[link][3] >= total:
                candidates.append((start, place + 1, before, total, link))
                break
            start, before = candidates[link][0], candidates[link][2]
            del candidates[link:]
    return [Subsequence(start, end, after - before) for start, end, before, after, _ in candidates]


def best_subsequence(values: Iterable[int]) -> Subsequence | None:
    """Return the maximal subsequence with the highest sum, the first of equals; None where no number is positive."""
    return max(maximal_subsequences(values), key=lambda each: each.total, default=None)
