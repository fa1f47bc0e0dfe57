"""The file of results: finished cells are kept in it, so that the same command goes on where it was stopped."""

import json
import time
from dataclasses import asdict
from pathlib import Path

from benchmarks import machine
from benchmarks.news_crawl.measures import Cell, read_cells, totals
from broadsheet._version import __version__
from broadsheet.base.errors import InputError
from broadsheet.base.provenance import digest_files, provenance
from broadsheet.newsweb.drawn_sites import VERSION as NEWS_WEB

#: Rises when the same cell would be measured differently.
VERSION = 6
#: Whatever takes part in a crawl: a cell is not compared with one of another policy, judge or reader of the same name.
ROOMS = frozenset(
    "archive base corpora crawling document learning models newsroom newsweb pages reading simulation sources".split()
)
BENCHMARKS = Path(__file__).parents[1]
#: The file is written at most once in so many seconds while a run goes on: always whole, with thousands of cells.
PAUSE = 20.0


def versions() -> dict[str, object]:
    """Return the versions of all that takes part: what cells of the same file have in common."""
    code = provenance(ROOMS)
    own = sorted(path for name in ("news_crawl", "replay") for path in (BENCHMARKS / name).rglob("*.py"))
    return {
        "version": VERSION,
        "news web": NEWS_WEB,
        "broadsheet": __version__,
        "code": code.code,
        "models": code.models,
        "benchmark": digest_files(own, BENCHMARKS),
    }


class Results:
    """The finished cells of a run, in memory and in a file if there is one."""

    def __init__(self, file: Path | None, conditions: dict[str, object]) -> None:
        """Read what a file has; refuse one that was measured under other conditions."""
        self._file = file
        self._conditions = {**versions(), **conditions}
        self.cells: list[Cell] = []
        self._saved = -PAUSE
        if file is not None and file.exists():
            self._read(file)

    def _read(self, file: Path) -> None:
        try:
            report = json.loads(file.read_text("utf-8"))
            conditions, cells = report["conditions"], read_cells(report["cells"])
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(f"{file} is not a file of this benchmark ({error}); name another with --json") from error
        if conditions != self._conditions:
            raise InputError(f"{file} was measured with {conditions}, not {self._conditions}; name another with --json")
        self.cells = cells

    def find(self, crawler: str, tier: str, site: str, every: float) -> Cell | None:
        """Return a cell if it is finished."""
        wanted = (crawler, tier, site, every)
        return next((each for each in self.cells if (each.crawler, each.tier, each.site, each.every) == wanted), None)

    def add(self, cell: Cell) -> None:
        """Keep a cell, and write the file if that was not done just now."""
        self.cells.append(cell)
        if time.monotonic() - self._saved >= PAUSE:
            self.save()

    def close(self) -> None:
        """Write what has not been written yet."""
        self.save()

    def save(self) -> None:
        """Write the file, whole or not at all."""
        if self._file is None:
            return
        report = {
            "conditions": self._conditions,
            "machine": machine.describe(),
            "totals": [asdict(each) for each in totals(self.cells)],
            "cells": [each.to_dict() for each in self.cells],
        }
        temporary = self._file.with_name(self._file.name + ".new")
        temporary.write_text(json.dumps(report) + "\n", "utf-8")
        temporary.replace(self._file)
        self._saved = time.monotonic()
