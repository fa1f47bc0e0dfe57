"""A command that times parts of the pipeline, with lxml's parse as the baseline."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from benchmarks import machine, table
from benchmarks.pages import SourceError, sample
from benchmarks.progress import Progress, say
from benchmarks.quiet import quiet
from benchmarks.summary import summarise
from benchmarks.system import System
from benchmarks.timing import measure


def run(program: str, description: str, systems: Sequence[System], arguments: Sequence[str] | None) -> int:
    """Time the systems, the first of which is the baseline, print the table, and return the exit code."""
    parser = argparse.ArgumentParser(program, description=description)
    parser.add_argument("pages", type=Path, help="a folder of .html or .tar.xz files, or one .tar.xz")
    parser.add_argument("--sample", type=int, default=200, metavar="N", help="how many pages (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="random seed of the sample (%(default)s)")
    parser.add_argument("--repeat", type=int, default=3, metavar="K", help="take the minimum of K runs (%(default)s)")
    options = parser.parse_args(arguments)
    try:
        pages = sample(options.pages, options.sample, options.seed)
    except SourceError as error:
        say(str(error))
        return 1
    quiet()
    records = measure(list(systems), pages, options.repeat, Progress("pages timed", len(pages)))
    print(table.of_rows(summarise(records, records[0], {})))
    print(f"\n{machine.line(machine.describe(), len(pages), sum(len(page.data) for page in pages))}")
    return 0
