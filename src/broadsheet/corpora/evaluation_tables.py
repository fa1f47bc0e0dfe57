"""The figures of an evaluation: one row per system, over all pages or by corpus, era, language or site."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Literal, get_args

import numpy as np

from broadsheet.corpora.measures import Overlap
from broadsheet.corpora.results import Result
from broadsheet.corpora.summary import summarise
from broadsheet.learning.intervals import bootstrap, bootstrap_by_group

Grouping = Literal["corpus", "era", "language", "site"]

GROUPINGS: tuple[Grouping, ...] = get_args(Grouping)

#: The measure that systems are ranked by and that the report shows.
MAIN = "words"


def by_system(results: Iterable[Result]) -> dict[str, list[Result]]:
    """Group results by system, sorted by page."""
    groups: dict[str, list[Result]] = {}
    for result in sorted(results, key=lambda result: result.page):
        groups.setdefault(result.system, []).append(result)
    return groups


def overview(results: Iterable[Result], seed: int = 0) -> list[dict[str, object]]:
    """Return the main figures of each system, best first."""
    table = [_row(system, members, seed) for system, members in by_system(results).items()]
    return sorted(table, key=lambda row: (-float(str(row["f"])), str(row["system"])))


def grouped(results: Sequence[Result], grouping: Grouping, seed: int = 0) -> list[dict[str, object]]:
    """Return the main figure of each system in each group, with its interval."""
    groups: dict[str, list[Result]] = {}
    for result in results:
        groups.setdefault(str(getattr(result, grouping) or "unknown"), []).append(result)
    return [
        {grouping: name, "system": system, "pages": len(rows), **_interval(rows, MAIN, seed)}
        for name, members in sorted(groups.items())
        for system, rows in by_system(members).items()
    ]


def leads(
    results: Sequence[Result], ours: str, grouping: Grouping | None = None, seed: int = 0
) -> list[dict[str, object]]:
    """Return by how much one system is ahead of each other one, page by page; the intervals resample whole sites."""
    groups: dict[str, list[Result]] = {"all": list(results)}
    for result in results if grouping else ():
        groups.setdefault(str(getattr(result, str(grouping)) or "unknown"), []).append(result)
    return [
        {grouping or "group": name, "ahead_of": peer, **lead}
        for name, members in groups.items()
        for peer, lead in _leads(by_system(members), ours, seed)
    ]


def _leads(
    systems: Mapping[str, Sequence[Result]], ours: str, seed: int
) -> Iterator[tuple[str, Mapping[str, float | int]]]:
    own = {result.page: result for result in systems.get(ours, ())}
    for peer, rows in systems.items():
        shared = [row for row in rows if row.page in own]
        if peer == ours or not shared:
            continue
        ahead = [own[row.page].overlaps[MAIN].score.f - row.overlaps[MAIN].score.f for row in shared]
        lead = bootstrap_by_group(np.mean, [row.site for row in shared], ahead, seed=seed)
        yield peer, {"pages": len(shared), "lead": lead.value, "low": lead.low, "high": lead.high}


def details(results: Iterable[Result], seed: int = 0) -> dict[str, object]:
    """Return every measure of every system as JSON-compatible types."""
    return {
        system: {
            "version": rows[0].version,
            "pages": len(rows),
            "failed": sum(bool(result.error) for result in rows),
            "exact": asdict(bootstrap([float(result.exact) for result in rows], seed)),
            "measures": {name: summarise(_column(rows, name), seed).to_dict() for name in rows[0].overlaps},
            "labels": {
                name: summarise([result.labels[name] for result in rows if name in result.labels], seed).to_dict()
                for name in sorted({name for result in rows for name in result.labels})
            },
        }
        for system, rows in by_system(results).items()
    }


def _row(system: str, rows: Sequence[Result], seed: int) -> dict[str, object]:
    words = summarise(_column(rows, MAIN), seed)
    seconds = [result.seconds for result in rows if result.seconds is not None]
    return {
        "system": system,
        "version": rows[0].version,
        "pages": len(rows),
        "failed": sum(bool(result.error) for result in rows),
        "precision": words.precision.value,
        "recall": words.recall.value,
        "f": words.f.value,
        "low": words.f.low,
        "high": words.f.high,
        "shingle_f": summarise(_column(rows, "shingles"), seed).benchmark_f.value,
        "piece_f": summarise(_column(rows, "piece_words"), seed).f.value,
        "exact": float(np.mean([result.exact for result in rows])),
        "below_half": words.below_half,
        "ms": 1000 * float(np.mean(seconds)) if seconds else None,
    }


def _interval(rows: Sequence[Result], measure: str, seed: int) -> Mapping[str, float]:
    f = summarise(_column(rows, measure), seed).f
    return {"f": f.value, "low": f.low, "high": f.high}


def _column(rows: Sequence[Result], measure: str) -> list[Overlap]:
    return [result.overlaps[measure] for result in rows]
