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
#: Groups of several sites; within one site, there is nothing for the intervals of leads to resample.
OF_SEVERAL_SITES: tuple[Grouping, ...] = tuple(grouping for grouping in GROUPINGS if grouping != "site")

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
    """Return the main figures of each system in each group, the first with its interval."""
    return [
        {grouping: name, "system": system, "pages": len(rows), **_group_figures(rows, seed)}
        for name, members in _groups(results, grouping)
        for system, rows in by_system(members).items()
    ]


def _groups(results: Iterable[Result], grouping: Grouping) -> list[tuple[str, list[Result]]]:
    groups: dict[str, list[Result]] = {}
    for result in results:
        groups.setdefault(str(getattr(result, grouping) or "unknown"), []).append(result)
    return sorted(groups.items())


def leads(
    results: Sequence[Result], ours: str, groupings: Iterable[Grouping] = (), seed: int = 0
) -> list[dict[str, object]]:
    """Return by how much one system is ahead of each other one, page by page; the intervals resample whole sites.

    The leads on all pages come first, then those in each group of each grouping.
    """
    groups = [("", "all", list(results))]
    groups += [(by, name, members) for by in groupings for name, members in _groups(results, by)]
    return [
        {"by": by, "group": name, "ahead_of": peer, **lead}
        for by, name, members in groups
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


def _group_figures(rows: Sequence[Result], seed: int) -> Mapping[str, float]:
    words = summarise(_column(rows, MAIN), seed)
    # Without an interval, one resample is enough.
    shingles = summarise(_column(rows, "shingles"), seed, count=1)
    return {
        "f": words.f.value,
        "low": words.f.low,
        "high": words.f.high,
        "shingle_f": shingles.benchmark_f.value,
        "mean_shingle_f": shingles.f.value,
        "below_half": words.below_half,
    }


def _column(rows: Sequence[Result], measure: str) -> list[Overlap]:
    return [result.overlaps[measure] for result in rows]
