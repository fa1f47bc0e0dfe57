"""Candidates for a fact: what several places of a page say alike is one candidate, and each place speaks for it."""

from collections.abc import Hashable, Iterable, Mapping
from itertools import chain, repeat
from math import fsum
from typing import Generic, NamedTuple, TypeVar

Value = TypeVar("Value")


class Saying(NamedTuple, Generic[Value]):
    """One place of the page that says something: what it says, where, and the signals of that place."""

    #: Sayings with the same key say the same.
    key: Hashable
    value: Value
    source: str
    signals: tuple[str, ...]
    #: The pieces that show it, `[first, end)`; None for what is not shown.
    pieces: tuple[int, int] | None = None


class Candidate(NamedTuple, Generic[Value]):
    """All sayings of one key; the score is the sum of the weights of their signals, each counted once."""

    sayings: tuple[Saying[Value], ...]
    signals: frozenset[str]
    score: float


def pool(
    sayings: Iterable[Saying[Value]],
    weights: Mapping[str, float],
    relations: Mapping[Hashable, Iterable[str]] | None = None,
) -> list[Candidate[Value]]:
    """Put together what says the same, and return the candidates, the best first and of equals the first said.

    `relations` are signals that no place has by itself, but a key beside the others.
    """
    groups: dict[Hashable, list[Saying[Value]]] = {}
    for saying in sayings:
        groups.setdefault(saying.key, []).append(saying)
    found = []
    for key, group in groups.items():
        of_key = relations.get(key, ()) if relations else ()
        signals = frozenset(chain(of_key, *(saying.signals for saying in group)))
        # The exact sum, for a set has its own order in each process, and equal candidates have to stay equal.
        found.append(Candidate(tuple(group), signals, fsum(map(weights.get, signals, repeat(0.0)))))
    return sorted(found, key=lambda candidate: -candidate.score)
