"""Checks and repairs of an archive, as the commands do them, in this process."""

from pathlib import Path

from broadsheet.archive import Repaired, Store, repair
from broadsheet.base.clock import SystemClock
from broadsheet.newsroom.line import FilterLine, FilterSettings, build_line
from broadsheet.newsroom.page_visit import FetchedVisit, FilterResult
from broadsheet.newsroom.rereading import NewsroomRereader


class LineInThisProcess:
    """Sends pages through the filters, one after the other."""

    def __init__(self, line: FilterLine) -> None:
        """Take the filters."""
        self._line = line

    def apply_now(self, fetched: FetchedVisit) -> FilterResult:
        """Return what the filters found in a page."""
        return self._line.apply(fetched)


def problems(folder: Path) -> list[str]:
    """Return what a check finds wrong."""
    with Store.open(folder) as archive:
        return [f"{problem.where}: {problem.what}" for problem in archive.check() if not problem.harmless]


def repaired(folder: Path) -> Repaired:
    """Repair an archive as the command does."""
    rereader = NewsroomRereader(LineInThisProcess(build_line(FilterSettings())), 100_000_000)
    return repair(folder, rereader, SystemClock(), lambda _: None)
