"""Candidates for a fact: mentions of the same value on a page are pooled, and each adds its signals."""

from collections.abc import Hashable, Iterable, Mapping
from itertools import chain, repeat
from math import fsum
from operator import attrgetter
from typing import Generic, NamedTuple, TypeVar

Value = TypeVar("Value")

_SCORE = attrgetter("score")


class Mention(NamedTuple, Generic[Value]):
    """A value mentioned somewhere on the page, with its source and signals."""

    #: Mentions with equal keys mean the same value.
    key: Hashable
    value: Value
    source: str
    signals: tuple[str, ...]
    #: The pieces that show it, `[first, end)`; None for metadata.
    pieces: tuple[int, int] | None = None


class Candidate(NamedTuple, Generic[Value]):
    """All mentions with one key; the score is the sum of the weights of their distinct signals."""

    mentions: tuple[Mention[Value], ...]
    signals: frozenset[str]
    score: float


def pool(
    mentions: Iterable[Mention[Value]],
    weights: Mapping[str, float],
    relations: Mapping[Hashable, Iterable[str]] | None = None,
    in_all: frozenset[str] = frozenset(),
) -> list[Candidate[Value]]:
    """Group mentions by key and return the candidates, best first; ties keep the order of mention.

    `relations` are additional signals per key, which result from comparing it with the others. Signals `in_all` count
    only if all mentions have them.
    """
    groups: dict[Hashable, list[Mention[Value]]] = {}
    for mention in mentions:
        groups.setdefault(mention.key, []).append(mention)
    candidates = []
    for key, group in groups.items():
        related = relations.get(key, ()) if relations else ()
        signals = frozenset(chain(related, *(mention.signals for mention in group)))
        if in_all & signals:
            signals = signals.difference(*(in_all.difference(mention.signals) for mention in group))
        candidates.append(Candidate(tuple(group), signals, _score(signals, weights)))
    return _best_first(candidates)


def rescore(candidates: Iterable[Candidate[Value]], weights: Mapping[str, float]) -> list[Candidate[Value]]:
    """Return candidates with the scores that some weights give them, best first; ties keep their order."""
    return _best_first(candidate._replace(score=_score(candidate.signals, weights)) for candidate in candidates)


def _score(signals: frozenset[str], weights: Mapping[str, float]) -> float:
    # An exact sum, because the order of a set differs between processes and ties have to remain ties.
    return fsum(map(weights.get, signals, repeat(0.0)))


def _best_first(candidates: Iterable[Candidate[Value]]) -> list[Candidate[Value]]:
    return sorted(candidates, key=_SCORE, reverse=True)
