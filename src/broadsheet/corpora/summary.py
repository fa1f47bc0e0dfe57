"""Aggregates figures per page into figures per system, with confidence intervals."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from broadsheet.corpora.measures import Overlap, Score
from broadsheet.learning.intervals import PERCENTILES, RESAMPLES, Interval, resamples

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Summary:
    """Aggregated overlaps of many pages."""

    pages: int
    #: Means of the figures of each page.
    precision: Interval
    recall: Interval
    f: Interval
    #: From the summed counts of all pages, so that long pages weigh more.
    pooled: Score
    #: As in Zyte's benchmark: the harmonic mean of mean precision, over pages with output, and mean recall.
    benchmark_f: Interval
    #: The share of pages whose F is below one half.
    below_half: float

    def to_dict(self) -> dict[str, object]:
        """Return the summary as JSON-compatible types."""
        return asdict(self) | {"pooled": self.pooled._asdict()}


def summarise(overlaps: Sequence[Overlap], seed: int = 0, count: int = RESAMPLES) -> Summary:
    """Summarise one measure over pages, deterministically for the same pages in the same order."""
    if not overlaps:
        raise ValueError("cannot summarise zero pages")
    counts = np.array(overlaps, np.int64)
    scores = np.array([overlap.score for overlap in overlaps], np.float64)
    table = np.column_stack([scores, counts[:, 1] > 0, counts[:, 2] > 0])
    means = np.column_stack([_means(table[rows]) for rows in resamples(len(table), count, seed)])
    observed = _means(table[np.newaxis])[:, 0]
    precision, recall, f, benchmark = (
        Interval(float(value), float(low), float(high))
        for value, (low, high) in zip(observed, np.percentile(means, PERCENTILES, axis=1).T, strict=True)
    )
    pooled = Overlap(*(int(total) for total in counts.sum(axis=0))).score
    return Summary(len(counts), precision, recall, f, pooled, benchmark, float((scores[:, 2] < 0.5).mean()))


def _means(tables: Floats) -> Floats:
    """Return mean precision, recall, F and the benchmark's F, with one column per resample."""
    precision, recall, f, has_output, has_answer = np.moveaxis(tables, 2, 0)
    mean_precision = (precision * has_output).sum(axis=1) / np.maximum(has_output.sum(axis=1), 1)
    mean_recall = (recall * has_answer).sum(axis=1) / np.maximum(has_answer.sum(axis=1), 1)
    both = mean_precision + mean_recall
    benchmark = 2 * mean_precision * mean_recall / np.where(both > 0, both, 1)
    return np.stack([precision.mean(axis=1), recall.mean(axis=1), f.mean(axis=1), benchmark])
