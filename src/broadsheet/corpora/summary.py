"""From figures per page to figures per system, with the interval that other pages could have given."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from broadsheet.corpora.measures import Overlap, Score

Floats = NDArray[np.float64]

#: How often the pages are drawn anew.
DRAWS = 1_000
#: Draws held in memory at once; more pages would not fit otherwise.
_DRAWS_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure, and the ends between which 95 of 100 draws of the pages put it."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Summary:
    """What overlaps of many pages come to."""

    pages: int
    #: The mean over pages of each page's own figure.
    precision: Interval
    recall: Interval
    f: Interval
    #: All pages' counts added up, so that long pages weigh more.
    pooled: Score
    #: As Zyte's benchmark averages: the harmonic mean of mean precision, over pages with output, and mean recall.
    benchmark_f: Interval
    #: The share of pages whose F is below one half.
    below_half: float

    def to_dict(self) -> dict[str, object]:
        """Return the summary in plain types."""
        return asdict(self) | {"pooled": self.pooled._asdict()}


def summarise(overlaps: Sequence[Overlap], seed: int = 0, draws: int = DRAWS) -> Summary:
    """Summarise one measure over pages; the same pages in the same order give the same figures."""
    if not overlaps:
        raise ValueError("no pages, no summary")
    counts = np.array(overlaps, np.int64)
    scores = np.array([overlap.score for overlap in overlaps], np.float64)
    table = np.column_stack([scores, counts[:, 1] > 0, counts[:, 2] > 0])
    means = np.column_stack([_means(table[rows]) for rows in _draws(len(table), draws, seed)])
    now = _means(table[np.newaxis])[:, 0]
    precision, recall, f, benchmark = (
        Interval(float(value), float(low), float(high))
        for value, (low, high) in zip(now, np.percentile(means, [2.5, 97.5], axis=1).T, strict=True)
    )
    pooled = Overlap(*(int(total) for total in counts.sum(axis=0))).score
    return Summary(len(counts), precision, recall, f, pooled, benchmark, float((scores[:, 2] < 0.5).mean()))


def bootstrap(values: Sequence[float], seed: int = 0, draws: int = DRAWS) -> Interval:
    """Return the mean of values with its interval."""
    column = np.array(values, np.float64)
    means = np.concatenate([column[rows].mean(axis=1) for rows in _draws(len(column), draws, seed)])
    low, high = np.percentile(means, [2.5, 97.5])
    return Interval(float(column.mean()), float(low), float(high))


def _draws(size: int, draws: int, seed: int) -> list[NDArray[np.int64]]:
    generator = np.random.default_rng(seed)
    return [
        generator.integers(0, size, (min(_DRAWS_AT_ONCE, draws - done), size))
        for done in range(0, draws, _DRAWS_AT_ONCE)
    ]


def _means(tables: Floats) -> Floats:
    """Return mean precision, recall and F and the benchmark's F, a column for each draw of rows."""
    precision, recall, f, has_output, has_answer = np.moveaxis(tables, 2, 0)
    mean_precision = (precision * has_output).sum(axis=1) / np.maximum(has_output.sum(axis=1), 1)
    mean_recall = (recall * has_answer).sum(axis=1) / np.maximum(has_answer.sum(axis=1), 1)
    both = mean_precision + mean_recall
    benchmark = 2 * mean_precision * mean_recall / np.where(both > 0, both, 1)
    return np.stack([precision.mean(axis=1), recall.mean(axis=1), f.mean(axis=1), benchmark])
