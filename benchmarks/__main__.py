"""The command: `python -m benchmarks PAGES [options]`."""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks import machine, scaling, summary, table
from benchmarks.memory import peaks
from benchmarks.pages import Page, SourceError, sample
from benchmarks.peers import PEERS
from benchmarks.progress import Progress, say
from benchmarks.quiet import quiet
from benchmarks.stages import ALONE, BASELINE, PARSE, STAGES
from benchmarks.system import System
from benchmarks.timing import measure

SYSTEMS = [*STAGES, *PEERS]


def main(arguments: Sequence[str] | None = None, systems: Sequence[System] = SYSTEMS) -> int:
    """Run the command and return its exit code."""
    options = _options(arguments, {system.name for system in systems})
    if options.list:
        for system in systems:
            print(f"{system.name:<20}{system.version or 'not installed'}")
        return 0
    try:
        pages = sample(options.pages, options.sample, options.seed)
    except SourceError as error:
        say(str(error))
        return 1
    chosen = installed(systems, options.only)
    quiet()
    run = _scale if options.scaling else _compare
    report = {"machine": machine.describe(), **run(chosen, pages, options)}
    print(f"\n{machine.line(report['machine'], report['pages'], report['bytes'])}")
    if options.json:
        options.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return 0


def installed(systems: Sequence[System], only: set[str]) -> list[System]:
    """Return the requested systems that are installed, and report those that are not."""
    chosen = []
    for system in systems:
        # Ratios always need the baseline.
        if system.name not in only and system != BASELINE:
            continue
        if system.version is None:
            extra = "broadsheet" if system.distribution == "broadsheet" else "broadsheet[bench]"
            say(f"{system.name} is not installed and left out (pip install '{extra}')")
        else:
            chosen.append(system)
    return chosen


def _compare(systems: list[System], pages: list[Page], options: argparse.Namespace) -> dict[str, Any]:
    """Time the systems on the pages, print the table and return the report."""
    records = measure(systems, pages, options.repeat, Progress("pages timed", len(pages)))
    high = peaks(systems, pages, Progress("systems weighed", len(systems))) if options.memory else {}
    baseline = next(record for record in records if record.system == BASELINE)
    rows = summary.summarise(records, baseline, high)
    print(table.of_rows(rows))
    for row in rows:
        for reason, count in row.errors.items():
            say(f"{row.name} failed on {count} of {len(pages)} pages: {reason}")
    milliseconds = [{page_id: ns / 1e6 for page_id, ns in record.times.items()} for record in records]
    return {
        **_conditions(pages, options),
        "systems": [asdict(row) | {"ms": times} for row, times in zip(rows, milliseconds, strict=True)],
    }


def _scale(systems: list[System], pages: list[Page], options: argparse.Namespace) -> dict[str, Any]:
    """Time our stages on growing pages, print the table and return the report."""
    ours = [system for system in systems if system in {BASELINE, PARSE, *ALONE}]
    chosen = scaling.choose(pages, options.grown)
    grown = [scaling.grow(page, multiple) for page in chosen for multiple in scaling.MULTIPLES]
    records = measure(ours, grown, options.repeat, Progress("pages timed", len(grown)))
    rows = scaling.summarise(records, chosen)
    print(table.of_scaling(rows))
    return {**_conditions(chosen, options), "scaling": [asdict(row) for row in rows]}


def _conditions(pages: Sequence[Page], options: argparse.Namespace) -> dict[str, int]:
    """Return the conditions of a run, which are needed to repeat it."""
    size = sum(len(page.data) for page in pages)
    return {"pages": len(pages), "bytes": size, "seed": options.seed, "repeat": options.repeat}


def _options(arguments: Sequence[str] | None, names: set[str]) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser("python -m benchmarks", description="Times Broadsheet's stages and its peers.")
    parser.add_argument("pages", type=Path, nargs="?", help="a folder of .html or .tar.xz files, or one .tar.xz")
    parser.add_argument("--sample", type=int, default=200, metavar="N", help="how many pages (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="random seed of the sample (%(default)s)")
    parser.add_argument("--repeat", type=int, default=3, metavar="K", help="take the minimum of K runs (%(default)s)")
    parser.add_argument("--only", metavar="NAME,NAME", help="only these systems, besides the baseline")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures here, with the time of each page")
    parser.add_argument("--memory", action=argparse.BooleanOptionalAction, default=True, help="measure peak memory")
    parser.add_argument("--scaling", action="store_true", help="time our stages on growing pages instead")
    parser.add_argument("--grown", type=int, default=5, metavar="N", help="pages to grow (%(default)s)")
    parser.add_argument("--list", action="store_true", help="list the systems and exit")
    options = parser.parse_args(arguments)
    options.only = {name.strip() for name in options.only.split(",")} if options.only else names
    if unknown := options.only - names:
        parser.error(f"no system is called {', '.join(sorted(unknown))}; --list shows them")
    if options.pages is None and not options.list:
        parser.error("PAGES is required")
    if min(options.sample, options.repeat, options.grown) < 1:
        parser.error("--sample, --repeat and --grown must be at least 1")
    return options


if __name__ == "__main__":
    sys.exit(main())
