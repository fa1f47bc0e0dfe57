"""What it costs to say what a page is, on top of the document: `python -m benchmarks.identify PAGES [options]`."""

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from pathlib import Path

from benchmarks import machine, table
from benchmarks.pages import SourceError, sample
from benchmarks.progress import Progress, say
from benchmarks.quiet import quiet
from benchmarks.stages import BASELINE, parsed
from benchmarks.summary import summarise
from benchmarks.system import Run, System
from benchmarks.timing import measure

PARTS = {
    "content": "broadsheet.pages.content.content",
    "shape": "broadsheet.pages.shape.shape",
    "statements": "broadsheet.pages.statements.statements",
    "identify": "broadsheet.pages.identify.judge",
    "analyse": "broadsheet.pages.analysis.analyse",
}


def part(path: str) -> Run:
    """Load one step, by the name of its function."""
    module, _, name = path.rpartition(".")
    function = getattr(import_module(module), name)

    def run(document: object) -> None:
        function(document)

    return run


SYSTEMS = [BASELINE, *(System(name, "broadsheet", partial(part, path), parsed) for name, path in PARTS.items())]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser("python -m benchmarks.identify", description="Times identification.")
    parser.add_argument("pages", type=Path, help="a folder of .html or .tar.xz files, or one .tar.xz")
    parser.add_argument("--sample", type=int, default=200, metavar="N", help="how many pages (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="another seed draws other pages (%(default)s)")
    parser.add_argument("--repeat", type=int, default=3, metavar="K", help="keep the least of K (%(default)s)")
    options = parser.parse_args(arguments)
    try:
        pages = sample(options.pages, options.sample, options.seed)
    except SourceError as error:
        say(str(error))
        return 1
    quiet()
    records = measure(SYSTEMS, pages, options.repeat, Progress("pages timed", len(pages)))
    print(table.of_rows(summarise(records, records[0], {})))
    print(f"\n{machine.line(machine.describe(), len(pages), sum(len(page.data) for page in pages))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
