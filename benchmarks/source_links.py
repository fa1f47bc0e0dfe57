"""The command: `python -m benchmarks.source_links [--millions N …] [--memory SIZE] [--json FILE]`."""

import argparse
import json
import math
import multiprocessing
import resource
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import duckdb
import numpy as np

from benchmarks import machine, table
from benchmarks.progress import say
from broadsheet.pages.url_verdicts import identify_urls
from broadsheet.sources.link_history import LinkVisit
from broadsheet.sources.recomputation import recompute
from broadsheet.sources.source_judge import SourceJudge
from broadsheet.sources.source_links import SourceLinks

DESCRIPTION = """\
Measure what it costs to follow the links of sources over time.

  recomputed   all counts of all targets from the Parquet rows of an archive, in DuckDB, beside a bare query that only
               counts the rows and visits of each target; CPU time, and the most memory of the process
  one visit    adding a visit of 300 links to a history of a day, and to one of 50 days
  one review   judging 2,000 targets by their links, beside judging their addresses alone; memory per target

Rows are made up: pages with 100 links that stay, 50 of them a menu of all pages, and 200 to articles, of which each
visit has three new ones that push the others down.
"""
LINKS, STAYING, MENU, NEW, PAGES = 300, 100, 50, 3, 100
SNAPSHOTS_OF_A_FILE = 48
MEMORY = "1GB"

_VISITS = """
COPY (
    SELECT snapshot * $pages + page AS visit, 'page' || page AS page, 'https://news.example/' || page AS url,
        'news.example' AS source,
        make_timestamptz((1767225600 + snapshot * 3600 + page)::BIGINT * 1000000) AS fetched_at,
        200::SMALLINT AS status, NULL::VARCHAR AS digest, 0::BIGINT AS bytes, '' AS warc, 0::BIGINT AS "offset",
        0::BIGINT AS length, NULL::BIGINT AS same_as, 'section' AS why
    FROM range($snapshots) AS s(snapshot), range($pages) AS p(page)
) TO '{}' (FORMAT parquet)
"""
_OCCURRENCES = """
COPY (
    SELECT snapshot * $pages + page AS visit, 'page' || page AS page,
        CASE WHEN link < $menu THEN 'news.example/section-' || link
            WHEN link < $staying THEN 'news.example/' || page || '/service-' || link
            ELSE 'news.example/' || page || '/article-' || (snapshot * $new + $links - link) END AS target,
        target AS url, CASE WHEN link < $staying THEN 'menu' ELSE 'list' END AS collection,
        (CASE WHEN link < $staying THEN link ELSE link - $staying END)::INTEGER AS position,
        '/html/body/main/a' AS path, '' AS anchor, 1::SMALLINT AS collection_version
    FROM range($from, $to) AS s(snapshot), range($pages) AS p(page), range($links) AS l(link)
) TO '{}' (FORMAT parquet, ROW_GROUP_SIZE 131072)
"""
_BARE = "SELECT target, count(*), count(DISTINCT visit) FROM read_parquet($occurrences) GROUP BY target"


@dataclass(frozen=True, slots=True)
class Recomputed:
    """What counting so many occurrences took: CPU seconds and megabytes, beside the bare query."""

    occurrences: int
    targets: int
    seconds: float
    megabytes: int
    bare_seconds: float
    bare_megabytes: int


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    options = _options(arguments)
    rows = []
    for millions in options.millions:
        with tempfile.TemporaryDirectory() as folder:
            rows.append(recomputed(Path(folder), millions, options.memory))
            say(str(rows[-1]))
    print(_table(rows))
    visits, review = one_visit(), one_review()
    print(
        f"\none visit of {LINKS} links: {visits['day']:.2f} ms after a day, {visits['fifty_days']:.2f} ms after 50 days"
    )
    print(
        f"one review of {review['targets']:,.0f} targets: {review['links']:.0f} ms, by addresses alone "
        f"{review['addresses']:.0f} ms; {review['bytes']:.0f} bytes of memory per target"
    )
    print(", ".join(map(str, machine.describe().values())))
    if options.json:
        report = {"machine": machine.describe(), "recomputed": [asdict(row) for row in rows]}
        options.json.write_text(json.dumps({**report, "visit_ms": visits, "review": review}, indent=1) + "\n", "utf-8")
    return 0


def recomputed(folder: Path, millions: float, memory: str) -> Recomputed:
    """Make rows, and count them in processes of their own, whose memory nothing else has used."""
    visits, occurrences = folder / "visits.parquet", folder / "occurrences"
    occurrences.mkdir()
    snapshots = max(round(millions * 1e6 / LINKS / PAGES), 1)
    shape = {"pages": PAGES, "links": LINKS, "staying": STAYING, "menu": MENU, "new": NEW}
    with duckdb.connect() as connection:
        connection.execute("SET enable_progress_bar = false")
        connection.execute(_VISITS.format(visits), {"pages": PAGES, "snapshots": snapshots})
        # Archives write their files one after the other, too.
        for first in range(0, snapshots, SNAPSHOTS_OF_A_FILE):
            span = {"from": first, "to": min(first + SNAPSHOTS_OF_A_FILE, snapshots)}
            connection.execute(_OCCURRENCES.format(occurrences / f"{first:06}.parquet"), {**shape, **span})
    targets, seconds, megabytes = _alone(_recompute, visits, occurrences, memory)
    _, bare_seconds, bare_megabytes = _alone(_bare, visits, occurrences, memory)
    number = snapshots * PAGES * LINKS
    return Recomputed(number, targets, seconds, megabytes, bare_seconds, bare_megabytes)


def one_visit() -> dict[str, float]:
    """Return the milliseconds of a visit after a day and after 50 days of hourly visits; the best of three."""
    spent: dict[str, list[float]] = {"day": [], "fifty_days": []}
    for _ in range(3):
        links = SourceLinks()
        _visits(links, 0, 12)
        spent["day"].append(_visits(links, 12, 24))
        _visits(links, 36, 1140)
        spent["fifty_days"].append(_visits(links, 1176, 24))
    return {name: min(seconds) / 24 * 1000 for name, seconds in spent.items()}


def one_review() -> dict[str, float]:
    """Return the milliseconds of judging 2,000 targets, and what each takes in memory."""
    tracemalloc.start()
    links = SourceLinks()
    for snapshot in range(48):
        for page in range(8):
            _visits(links, snapshot, 1, f"page{page}", links_on=200)
    memory, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    keys = list(links.urls)[:2000]
    judge = SourceJudge(lambda _: links)
    judge.judge("news.example", keys[:10])
    by_links = _best(lambda: judge.judge("news.example", keys))
    anchors = ["The long headline of an article"] * len(keys)
    by_address = _best(lambda: identify_urls([links.urls[key] for key in keys], anchors))
    return {
        "targets": len(keys),
        "links": by_links * 1000,
        "addresses": by_address * 1000,
        "bytes": memory / len(links.urls),
    }


def _visits(links: SourceLinks, first: int, number: int, page: str = "home", *, links_on: int = LINKS) -> float:
    """Add hourly visits of a page, each with three new links on top, and return the CPU time."""
    made = []
    for snapshot in range(first, first + number):
        keys = [f"news.example/section-{link}" for link in range(STAYING)]
        keys += [f"news.example/{page}/article-{NEW * snapshot + links_on - link}" for link in range(STAYING, links_on)]
        collections = np.array([1] * STAYING + [2] * (links_on - STAYING), np.uint64)
        positions = np.array([*range(STAYING), *range(links_on - STAYING)], np.int32)
        made.append((LinkVisit(page, snapshot * 3600.0, snapshot, keys, collections, positions), keys))
    begin = time.process_time()
    for visit, keys in made:
        links.add(visit, [f"https://{key}" for key in keys], keys, ["/html/body/main/ul/li/a"] * len(keys))
    return time.process_time() - begin


def _alone(work: Callable[[Path, Path, str], int], *given: object) -> tuple[int, float, int]:
    """Do work in a process of its own; return its result, its CPU time and the most memory that it had."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        return pool.apply(_measured, (work, *given))


def _measured(work: Callable[..., int], *given: object) -> tuple[int, float, int]:
    before = time.process_time()
    result = work(*given)
    return result, time.process_time() - before, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def _recompute(visits: Path, occurrences: Path, memory: str) -> int:
    return len(recompute([visits], sorted(occurrences.iterdir()), every=3600.0, memory=memory))


def _bare(visits: Path, occurrences: Path, memory: str) -> int:
    del visits
    with duckdb.connect(config={"memory_limit": memory}) as connection:
        connection.execute("SET enable_progress_bar = false")
        files = {"occurrences": [str(file) for file in occurrences.iterdir()]}
        return len(connection.execute(_BARE, files).fetchnumpy()["target"])


def _best(work: Callable[[], object]) -> float:
    times = []
    for _ in range(3):
        begin = time.process_time()
        work()
        times.append(time.process_time() - begin)
    return min(times)


def _table(rows: Sequence[Recomputed]) -> str:
    head = ["occurrences", "targets", "CPU s", "MB", "bare CPU s", "bare MB", "ratio", "slope"]
    cells = []
    for place, row in enumerate(rows):
        before = rows[place - 1] if place else None
        slope = _slope(before, row) if before else "\N{EN DASH}"
        figures = (f"{row.seconds:.1f}", f"{row.megabytes:,}", f"{row.bare_seconds:.1f}", f"{row.bare_megabytes:,}")
        ratio = f"{row.seconds / max(row.bare_seconds, 1e-9):.2f}"
        cells.append([f"{row.occurrences:,}", f"{row.targets:,}", *figures, ratio, slope])
    return table.lay_out(head, cells, left=0)


def _slope(before: Recomputed, row: Recomputed) -> str:
    """Return how steeply the time grows: 1 is linear, 2 quadratic."""
    return f"{math.log(row.seconds / before.seconds) / math.log(row.occurrences / before.occurrences):.2f}"


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m benchmarks.source_links",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--millions", type=float, nargs="+", default=(5, 20), metavar="N", help="occurrences to recompute (5 20)"
    )
    parser.add_argument("--memory", default=MEMORY, metavar="SIZE", help="what DuckDB may use (%(default)s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures here")
    options = parser.parse_args(arguments)
    if min(options.millions) <= 0:
        parser.error("--millions must be more than 0")
    return options


if __name__ == "__main__":
    sys.exit(main())
