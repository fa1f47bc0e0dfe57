"""What the readers take on top of the document: `python -m benchmarks.reading PAGES [options]`.

Every reader is given a document that is parsed already; what a reader shares with the article, metadata and class
names, is asked for before the timing in one row and inside it in the other.
"""

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks import machine, table
from benchmarks.pages import Page, SourceError, sample
from benchmarks.progress import Progress, say
from benchmarks.quiet import quiet
from benchmarks.stages import BASELINE, parsed
from benchmarks.summary import summarise
from benchmarks.system import Run, System
from benchmarks.timing import measure

READERS = ("coreex", "subsequence", "separator")


def asked(page: Page) -> Any:  # noqa: ANN401 - a Document, which only the package that is timed can name
    """Parse the page and ask for what is computed once, outside the timing."""
    document = parsed(page)
    for name in ("metadata", "tokens"):
        getattr(document, name)
    return document


def reader(name: str, exact: bool) -> Run:
    """Load one reader."""
    read = import_module("broadsheet.reading").read

    def run(document: object) -> None:
        read(document, name, exact=exact)

    return run


def to_article() -> Run:
    """Load the whole way from a document to its article."""
    extract = import_module("broadsheet").extract

    def run(document: object) -> None:
        extract(document, force=True)

    return run


SYSTEMS = [
    BASELINE,
    *(System(f"{name} exact", "broadsheet", partial(reader, name, True), parsed) for name in READERS),
    *(System(name, "broadsheet", partial(reader, name, False), asked) for name in READERS),
    *(System(f"{name} + metadata", "broadsheet", partial(reader, name, False), parsed) for name in READERS),
    System("extract", "broadsheet", to_article, parsed),
]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser("python -m benchmarks.reading", description="Times the readers.")
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
