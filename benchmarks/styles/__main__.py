"""The command: `python -m benchmarks.styles PAGES… [--sample N] [--json FILE] [--worst K]`."""

import argparse
import gc
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.pages import Page, SourceError
from benchmarks.progress import say
from benchmarks.styles import shares
from benchmarks.styles.chromium import Viewer, installed, open_viewer
from benchmarks.styles.comparing import FIELDS, Tally, compare
from benchmarks.styles.marking import mark_rows
from benchmarks.styles.sources import draw
from benchmarks.table import lay_out
from broadsheet.base.errors import BroadsheetError
from broadsheet.document.document import Document, parse
from broadsheet.document.styles import Styles, read_styles

#: The minimum share of characters that must agree.
BARS = {"size": 0.97, "bold": 0.97, "colour": 0.95, "family": 0.95, "hidden": 0.97}
#: The minimum ratio of Chromium's CPU time to ours; wall-clock time would depend on the load of the machine.
FASTER = 20


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code: 1 if a threshold is missed."""
    options = _options(arguments)
    if installed() is None:
        say("Chromium is not installed")
        return 1
    try:
        pages = draw(options.pages, options.sample, options.seed)
    except SourceError as error:
        say(str(error))
        return 1
    report = _run(pages, options)
    if options.json:
        options.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return 0 if report["passed"] else 1


def _run(pages: list[Page], options: argparse.Namespace) -> dict[str, Any]:
    total, styled = Tally(), Tally()
    rows: list[dict[str, Any]] = []
    failed: list[str] = []
    # As in the other benchmarks: traversing the run's own objects must not count as our time.
    gc.freeze()
    gc.disable()
    with open_viewer() as viewer:
        for page in pages:
            gc.collect()
            try:
                row, tally = _one(page, viewer)
            except BroadsheetError as error:
                failed.append(f"{page.id}: {error}")
                continue
            total.add(tally)
            if row["sheet_bytes"]:
                styled.add(tally)
            rows.append(row)
    rows_by_id = {row["id"]: row for row in rows}
    for page in pages:
        if page.id in rows_by_id:
            rows_by_id[page.id]["ours_cold_ms"] = _cold(page) * 1000
    gc.enable()
    gc.unfreeze()
    for line in failed:
        say(f"left out: {line}")
    report = _report(rows, total, styled)
    report["failed"] = failed
    report["discarded"] = shares.measure(pages)
    _print(report, total, options.worst)
    return report


def _one(page: Page, viewer: Viewer) -> tuple[dict[str, Any], Tally]:
    """Compare both on one page."""
    ours = _timed(page)
    view = viewer.view(mark_rows(page.data))
    tally = compare(ours.document, ours.styles, view)
    return {
        "id": page.id,
        "sheet_bytes": sum(len(element.text or "") for element in ours.document.elements("style")),
        "ours_ms": ours.cpu * 1000,
        "ours_clock_ms": ours.clock * 1000,
        "chromium_ms": view.cpu_seconds * 1000,
        "chromium_clock_ms": view.seconds * 1000,
        "version": view.version,
        "agreement": {name: tally.share(name) for name in FIELDS},
        "characters": tally.compared["hidden"],
        "dropped": dict(ours.styles.dropped),
    }, tally


class Timed(NamedTuple):
    """Our styles of a page, with wall-clock and CPU seconds."""

    document: Document
    styles: Styles
    clock: float
    cpu: float


def _timed(page: Page) -> Timed:
    """Time parsing and styling with warm caches, like those of Chromium."""
    clock, cpu = time.perf_counter(), time.process_time()
    document = parse(page.data, encoding="utf-8")
    styles = read_styles(document)
    return Timed(document, styles, time.perf_counter() - clock, time.process_time() - cpu)


def _cold(page: Page) -> float:
    """Time the same with empty caches."""
    shares.clear_caches()
    start = time.process_time()
    read_styles(parse(page.data, encoding="utf-8"))
    return time.process_time() - start


def _report(rows: list[dict[str, Any]], total: Tally, styled: Tally) -> dict[str, Any]:
    times = ("ours_ms", "ours_cold_ms", "ours_clock_ms", "chromium_ms", "chromium_clock_ms")
    means = {name: sum(row[name] for row in rows) / max(len(rows), 1) for name in times}
    agreement = {name: total.share(name) for name in FIELDS}
    faster = means["chromium_ms"] / (means["ours_ms"] or 1.0)
    return {
        "pages": len(rows),
        "pages_with_sheets": sum(row["sheet_bytes"] > 0 for row in rows),
        "chromium": rows[0]["version"] if rows else None,
        "characters": total.compared["hidden"],
        "visible_characters": total.compared["size"],
        "left_out": dict(total.left_out),
        "agreement": agreement,
        "agreement_with_sheets": {name: styled.share(name) for name in FIELDS},
        **means,
        "times_faster": faster,
        "times_faster_cold": means["chromium_ms"] / (means["ours_cold_ms"] or 1.0),
        "times_faster_clock": means["chromium_clock_ms"] / (means["ours_clock_ms"] or 1.0),
        "passed": all(agreement[name] >= BARS[name] for name in FIELDS) and faster >= FASTER,
        "rows": rows,
    }


def _print(report: dict[str, Any], total: Tally, worst: int) -> None:
    print(f"Chromium {report['chromium']}, {report['pages']} pages ({report['pages_with_sheets']} with sheets)")
    cells = [
        [name, f"{report['agreement'][name]:.4f}", f"{report['agreement_with_sheets'][name]:.4f}", f"{BARS[name]}"]
        for name in FIELDS
    ]
    print(lay_out(["", "agreement", "pages with sheets", "bar"], cells, left=1))
    print(f"left out of {report['characters']:,} characters: {report['left_out']}")
    cells = [
        ["CPU time", *_figures(report, "ours_ms", "chromium_ms", "times_faster")],
        ["CPU time, our caches empty", *_figures(report, "ours_cold_ms", "chromium_ms", "times_faster_cold")],
        ["clock", *_figures(report, "ours_clock_ms", "chromium_clock_ms", "times_faster_clock")],
    ]
    print(lay_out(["ms per page", "ours", "Chromium", f"ratio (bar {FASTER})"], cells, left=1))
    print(f"discarded: {json.dumps(report['discarded'])}")
    for (name, cause), characters in total.causes.most_common(worst):
        print(f"{name:7}{characters:8,}  {cause}")


def _figures(report: dict[str, Any], *names: str) -> list[str]:
    return [f"{report[name]:.1f}" for name in names]


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m benchmarks.styles", description=__doc__)
    parser.add_argument(
        "pages", type=Path, nargs="+", help="folders of .html files, or .tar.xz of corpora or snapshots"
    )
    parser.add_argument("--sample", type=int, default=150, metavar="N", help="how many pages (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="random seed of the sample (%(default)s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures here, with those of each page")
    parser.add_argument("--worst", type=int, default=0, metavar="K", help="list the K worst causes of disagreement")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
