"""Rows of visits that keep rules remove: those of which nothing else is left."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray
from sqlalchemy import Connection

from broadsheet.archive import catalogued_files, parquet_files
from broadsheet.archive.catalogued_files import FileRow
from broadsheet.archive.file_shares import FileShare
from broadsheet.archive.keep_ages import Cutoffs
from broadsheet.archive.pruning import NO_VISITS, Visits
from broadsheet.archive.visit_choice import NONE, ChosenVisits, VisitChoice
from broadsheet.base.keep_rules import KEEP_KINDS

VISITS = "visits"
_PLACE = KEEP_KINDS.index(VISITS)


class OldVisits:
    """Collects the rows that may go: old ones, without a response and without links, to which none refers that stays.

    A response goes before its row, so that a repair cannot take what is left of a file that is about to be removed for
    a visit that was never stored.
    """

    def __init__(self, folder: Path, connection: Connection, cutoffs: Cutoffs) -> None:
        """Look up which visits have links, if rows may go at all."""
        self._folder = folder
        self._cutoffs = cutoffs
        self._files = catalogued_files.files(connection, "visits")
        self._retired = [
            file for file in catalogued_files.files(connection, "warc", retired=True) if file.retired is not None
        ]
        self._linked = self._with_links(connection) if cutoffs.names(VISITS) else NO_VISITS
        self._choice = VisitChoice()

    def _with_links(self, connection: Connection) -> Visits:
        found = [NO_VISITS]
        for file in catalogued_files.files(connection, "occurrences"):
            column = pq.read_table(self._folder / file.kind / file.name, columns=["visit"])["visit"]
            found.append(pc.unique(column).to_numpy())
        return np.concatenate(found)

    def add(self, table: Any, is_ours: NDArray[np.bool_]) -> None:  # noqa: ANN401 - pyarrow has no types
        """Look at some visits; only those of one shard may be ours."""
        if not self._cutoffs.names(VISITS):
            return
        visits = table["visit"].to_numpy()
        may_go = is_ours & pc.equal(table["warc"], parquet_files.REMOVED).to_numpy() & ~np.isin(visits, self._linked)
        for file in self._retired:
            may_go &= (visits < file.first_visit) | (visits > file.last_visit)
        may_go &= self._cutoffs.are_old(table, VISITS)
        every = np.ones(len(visits), dtype=bool)
        self._choice.add(table, np.where(may_go, _PLACE, NONE), every, every)

    def going(self) -> ChosenVisits:
        """Return the visits whose rows go."""
        return self._choice.settled()

    def shares(self, going: ChosenVisits, rewritten: Sequence[FileRow]) -> Iterator[FileShare]:
        """Give the files that rows go from, but for those that are replaced together with WARC files."""
        for file in self._files:
            if any(warc.first_visit <= file.last_visit and file.first_visit <= warc.last_visit for warc in rewritten):
                continue
            first, end = np.searchsorted(going.visits, (file.first_visit, file.last_visit + 1))
            own = going.only(np.arange(first, end))
            column = pq.read_table(self._folder / file.kind / file.name, columns=["visit"])["visit"].to_numpy()
            own = own.only(np.isin(own.visits, column))
            if len(own.visits):
                sizes = np.full_like(own.visits, file.size // file.rows)
                removed = self._choice.summed(own, np.ones_like(own.visits), sizes, self._cutoffs)
                yield FileShare(file, len(own.visits) / file.rows, 1.0, removed)
