"""The time of the readers, after parsing: `python -m benchmarks.reading PAGES [options]`.

Every reader receives a parsed document. Metadata and class names, which the article needs as well, are computed before
the timing in one row and within it in another.
"""

import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from typing import Any

from benchmarks.pages import Page
from benchmarks.parts import run
from benchmarks.stages import BASELINE, parsed
from benchmarks.system import Run, System

READERS = ("default", "coreex", "subsequence", "separator")


def with_metadata(page: Page) -> Any:  # noqa: ANN401 - a Document, which only the timed package can name
    """Parse the page and compute its lazy attributes, outside the timing."""
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
    """Load the extraction of an article from a document."""
    extract = import_module("broadsheet").extract

    def run(document: object) -> None:
        extract(document, force=True)

    return run


SYSTEMS = [
    BASELINE,
    *(System(f"{name} exact", "broadsheet", partial(reader, name, True), parsed) for name in READERS),
    *(System(name, "broadsheet", partial(reader, name, False), with_metadata) for name in READERS),
    *(System(f"{name} + metadata", "broadsheet", partial(reader, name, False), parsed) for name in READERS),
    System("extract", "broadsheet", to_article, parsed),
]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    return run("python -m benchmarks.reading", "Times the readers.", SYSTEMS, arguments)


if __name__ == "__main__":
    sys.exit(main())
