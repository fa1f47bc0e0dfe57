"""The summary of a run: a row for each system, against the bare parse of the same pages."""

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.timing import Record


@dataclass(frozen=True)
class Row:
    """What the table says of one system; a figure is None where there are no times to take it from."""

    name: str
    version: str | None
    pages: int
    median_ms: float | None
    mean_ms: float | None
    p95_ms: float | None
    #: Total time over the baseline's total time, on the pages that both could read.
    ratio: float | None
    ratio_of_medians: float | None
    #: How many pages failed for each reason.
    errors: dict[str, int]
    peak_mb: float | None


def summarise(records: Sequence[Record], baseline: Record, peaks: Mapping[str, float]) -> list[Row]:
    """Sum up every record."""
    return [_row(record, baseline, peaks.get(record.system.name)) for record in records]


def _row(record: Record, baseline: Record, peak: float | None) -> Row:
    """Sum up one record; a page on which either fails is in neither's part of a ratio."""
    milliseconds = sorted(taken / 1e6 for taken in record.times.values())
    common = record.times.keys() & baseline.times.keys()
    ours, theirs = ([each.times[page_id] for page_id in common] for each in (record, baseline))
    comparable = bool(common) and min(sum(theirs), statistics.median(theirs)) > 0
    return Row(
        name=record.system.name,
        version=record.system.version,
        pages=len(milliseconds),
        median_ms=statistics.median(milliseconds) if milliseconds else None,
        mean_ms=statistics.fmean(milliseconds) if milliseconds else None,
        p95_ms=milliseconds[-(-95 * len(milliseconds) // 100) - 1] if milliseconds else None,
        ratio=sum(ours) / sum(theirs) if comparable else None,
        ratio_of_medians=statistics.median(ours) / statistics.median(theirs) if comparable else None,
        errors=dict(Counter(record.errors.values())),
        peak_mb=peak if milliseconds else None,
    )
