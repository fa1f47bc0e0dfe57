"""The time of identification, after parsing: `python -m benchmarks.identify PAGES [options]`."""

import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module

from benchmarks.parts import run
from benchmarks.stages import BASELINE, parsed
from benchmarks.system import Run, System

PARTS = {
    "shape": "broadsheet.pages._page_shape.shape",
    "titles": "broadsheet.pages._page_titles.titles",
    "metadata": "broadsheet.document.metadata.read_metadata",
    "statements": "broadsheet.pages._statements.statements",
    "identify": "broadsheet.pages.identify.judge",
    "analyse": "broadsheet.pages.analysis.analyse",
}


def part(path: str) -> Run:
    """Load one step by the path of its function."""
    module, _, name = path.rpartition(".")
    function = getattr(import_module(module), name)

    def run(document: object) -> None:
        function(document)

    return run


SYSTEMS = [BASELINE, *(System(name, "broadsheet", partial(part, path), parsed) for name, path in PARTS.items())]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    return run("python -m benchmarks.identify", "Times identification.", SYSTEMS, arguments)


if __name__ == "__main__":
    sys.exit(main())
