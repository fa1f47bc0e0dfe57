"""The summary of a run: one row per system, compared with lxml's parse of the same pages."""

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.timing import Record


@dataclass(frozen=True)
class Row:
    """The figures of one system; None if it has no times."""

    name: str
    version: str | None
    pages: int
    median_ms: float | None
    mean_ms: float | None
    p95_ms: float | None
    #: Total time over the baseline's total time, on the pages that neither failed on.
    ratio: float | None
    ratio_of_medians: float | None
    #: How many pages failed for each reason.
    errors: dict[str, int]
    peak_mb: float | None


def summarise(records: Sequence[Record], baseline: Record, peaks: Mapping[str, float]) -> list[Row]:
    """Summarise every record."""
    return [_row(record, baseline, peaks.get(record.system.name)) for record in records]


def _row(record: Record, baseline: Record, peak: float | None) -> Row:
    """Summarise one record; ratios use only pages on which neither system fails."""
    milliseconds = sorted(ns / 1e6 for ns in record.times.values())
    common = record.times.keys() & baseline.times.keys()
    own, base = ([timed.times[page_id] for page_id in common] for timed in (record, baseline))
    comparable = bool(common) and min(sum(base), statistics.median(base)) > 0
    return Row(
        name=record.system.name,
        version=record.system.version,
        pages=len(milliseconds),
        median_ms=statistics.median(milliseconds) if milliseconds else None,
        mean_ms=statistics.fmean(milliseconds) if milliseconds else None,
        p95_ms=milliseconds[-(-95 * len(milliseconds) // 100) - 1] if milliseconds else None,
        ratio=sum(own) / sum(base) if comparable else None,
        ratio_of_medians=statistics.median(own) / statistics.median(base) if comparable else None,
        errors=dict(Counter(record.errors.values())),
        peak_mb=peak if milliseconds else None,
    )
