"""What the rules of `keep` remove from an archive: which responses, which link occurrences, and in which files."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray
from sqlalchemy import Connection

from broadsheet.archive import catalogued_files, old_events, parquet_files, prunings, tombstones
from broadsheet.archive.archive_errors import ArchiveError
from broadsheet.archive.catalogued_files import FileRow
from broadsheet.archive.file_shares import FileShare
from broadsheet.archive.keep_ages import Cutoffs, KeepRules
from broadsheet.archive.old_visits import OldVisits
from broadsheet.archive.page_kinds import PageKinds, page_kinds
from broadsheet.archive.page_records import VisitReason
from broadsheet.archive.pruning import NO_VISITS, Visits
from broadsheet.archive.prunings import Pruning, PruningKey
from broadsheet.archive.shards import VISITS_PER_SHARD
from broadsheet.archive.size_limit import NO_PRESSURE, PRESSED_KINDS, SizePressure, archive_size, pressed
from broadsheet.archive.visit_choice import NONE, ChosenVisits, VisitChoice
from broadsheet.base.keep_rules import KEEP_KINDS, RESPONSE_KINDS

_LINKS = "links"
_COLUMNS = ("visit", "page", "source", "fetched_at", "warc", "length", "same_as", "why")


@dataclass(frozen=True, slots=True, eq=False)
class TidyPlan:
    """What the rules remove: from which files, the responses of which visits, and the links of which."""

    files: Sequence[FileShare]
    responses: Visits
    links: Visits
    #: The visits whose rows go.
    rows: Visits = field(default_factory=NO_VISITS.copy)
    #: The events that go, which are not in files.
    events: Mapping[PruningKey, Pruning] = field(default_factory=dict)
    #: How far the archive is beyond the size that it may have.
    pressure: SizePressure = NO_PRESSURE

    @property
    def removed(self) -> dict[PruningKey, Pruning]:
        """How much that is, by source and kind; bytes of links are estimated."""
        return prunings.united([*(share.removed for share in self.files), self.events])


@dataclass(frozen=True, slots=True)
class Tidied:
    """What was removed by source and kind, from how many files, and by how many bytes the archive shrank."""

    removed: Mapping[PruningKey, Pruning]
    files: int = 0
    bytes: int = 0
    #: Files that stay as they are until they are repaired.
    damaged: tuple[str, ...] = ()
    #: How far the archive was beyond the size that it may have.
    pressure: SizePressure = NO_PRESSURE

    def plus(self, later: "Tidied") -> "Tidied":
        """Return this and what was done after it together."""
        return Tidied(
            prunings.united([self.removed, later.removed]),
            self.files + later.files,
            self.bytes + later.bytes,
            tuple(dict.fromkeys((*self.damaged, *later.damaged))),
            self.pressure,
        )


#: Gives the files one by one, and may show how many are done.
Tracking = Callable[[Sequence[FileShare]], Iterable[FileShare]]


def tidy_plan(  # noqa: PLR0913 - what is known, each by its name
    folder: Path,
    connection: Connection,
    rules: KeepRules,
    now: datetime,
    *,
    shard: int | None = None,
    max_bytes: int = 0,
) -> TidyPlan:
    """Return what the rules remove at a moment, in all shards or in one, and so much more that a size is kept to.

    All visits are read once, a bounded number at a time, and twice if the archive is larger than `max_bytes`.
    """
    if rules.shortest is None and (not max_bytes or archive_size(folder, connection) <= max_bytes):
        return TidyPlan((), NO_VISITS, NO_VISITS)
    kinds = page_kinds(connection)
    forgotten = tombstones.forgotten_pages(connection)
    paths = [folder / "visits" / file.name for file in catalogued_files.files(connection, "visits")]

    def tables() -> Iterator[Any]:
        return (table.select(list(_COLUMNS)) for table in parquet_files.batches("visits", paths, forgotten))

    try:
        pressure = NO_PRESSURE
        if max_bytes:
            rules, pressure = pressed(
                folder,
                connection,
                rules,
                limit=max_bytes,
                now=now,
                visits=tables,
                may_go=lambda table: _may_go(table, kinds, shard) & _is_of(table, kinds, PRESSED_KINDS),
            )
        if rules.shortest is None:
            return TidyPlan((), NO_VISITS, NO_VISITS, pressure=pressure)
        return replace(_planned(folder, connection, tables(), kinds, Cutoffs(rules, now), shard), pressure=pressure)
    except (pa.ArrowException, OSError) as error:
        raise ArchiveError(f"{folder}: its visits or links cannot be read: {error}; run `broadsheet check`") from error


def _planned(  # noqa: PLR0913, PLR0917 - what is known
    folder: Path,
    connection: Connection,
    tables: Iterable[Any],
    kinds: PageKinds,
    cutoffs: Cutoffs,
    shard: int | None,
) -> TidyPlan:
    responses, links, rows = VisitChoice(), VisitChoice(), OldVisits(folder, connection, cutoffs)
    for table in tables:
        _choose(table, kinds, cutoffs, shard, responses, links)
        rows.add(table, _are_ours(table, shard))
    going, unlinked, gone = responses.settled(), links.settled(), rows.going()
    warcs = list(_warc_shares(catalogued_files.files(connection, "warc"), responses, going, cutoffs))
    files = [
        *warcs,
        *_link_shares(folder, catalogued_files.files(connection, "occurrences"), links, unlinked, cutoffs),
        *rows.shares(gone, [share.file for share in warcs]),
    ]
    return TidyPlan(files, going.visits, unlinked.visits, gone.visits, old_events.planned(connection, cutoffs.moment))


def _choose(  # noqa: PLR0913, PLR0917 - what is known, and what is made of it
    table: Any,  # noqa: ANN401 - pyarrow has no types
    kinds: PageKinds,
    cutoffs: Cutoffs,
    shard: int | None,
    responses: VisitChoice,
    links: VisitChoice,
) -> None:
    visits, may_go = table["visit"].to_numpy(), _may_go(table, kinds, shard)
    named, is_old = np.full(len(visits), NONE, dtype=np.int64), np.zeros(len(visits), dtype=bool)
    for kind in RESPONSE_KINDS:
        is_kind = _is_of(table, kinds, (kind,))
        named[may_go & is_kind & cutoffs.are_named(table, kind)] = KEEP_KINDS.index(kind)
        is_old |= is_kind & cutoffs.are_old(table, kind)
    responses.add(table, named, is_old, _are_there(table))
    may_lose_links = _are_ours(table, shard) & cutoffs.are_named(table, _LINKS) & ~np.isin(visits, kinds.newest)
    places = np.where(may_lose_links, KEEP_KINDS.index(_LINKS), NONE)
    links.add(table, places, cutoffs.are_old(table, _LINKS), np.ones(len(visits), dtype=bool))


def _may_go(table: Any, kinds: PageKinds, shard: int | None) -> NDArray[np.bool_]:  # noqa: ANN401 - no types
    """Say of each visit whether its response is there and nothing depends on it."""
    # The article that they are a part of was read from them.
    is_part = pc.equal(table["why"], VisitReason.CONTINUATION.value).fill_null(False).to_numpy()
    may_go: NDArray[np.bool_] = _are_ours(table, shard) & _are_there(table) & ~is_part
    return may_go & ~np.isin(table["visit"].to_numpy(), kinds.needed)


def _are_ours(table: Any, shard: int | None) -> NDArray[np.bool_]:  # noqa: ANN401 - pyarrow has no types
    visits = table["visit"].to_numpy()
    ours: NDArray[np.bool_] = np.ones(len(visits), dtype=bool) if shard is None else visits // VISITS_PER_SHARD == shard
    return ours


def _are_there(table: Any) -> NDArray[np.bool_]:  # noqa: ANN401 - pyarrow has no types
    there: NDArray[np.bool_] = pc.not_equal(table["warc"], parquet_files.REMOVED).to_numpy()
    return there


def _is_of(table: Any, kinds: PageKinds, wanted: Iterable[str]) -> NDArray[np.bool_]:  # noqa: ANN401 - no types
    found = np.zeros(table.num_rows, dtype=bool)
    for kind in wanted:
        found |= pc.is_in(table["page"], kinds.keys[kind]).to_numpy()
    return found


def _warc_shares(
    files: Sequence[FileRow], choice: VisitChoice, going: ChosenVisits, cutoffs: Cutoffs
) -> Iterator[FileShare]:
    for file in files:
        own = going.only(going.warcs == choice.names.code(file.name))
        if len(own.visits):
            removed = choice.summed(own, np.ones_like(own.visits), own.lengths, cutoffs)
            size = int(own.lengths.sum())
            code = choice.names.code(file.name)
            # Requests, redirects and what scripts wrote go with answers, but are not counted in their lengths.
            there, in_time = choice.bytes_there[code], choice.bytes_in_time[code]
            yield FileShare(file, size / there, size / max(in_time, size), removed)


def _link_shares(
    folder: Path, files: Sequence[FileRow], choice: VisitChoice, going: ChosenVisits, cutoffs: Cutoffs
) -> Iterator[FileShare]:
    for file in files:
        if not len(going.visits) or file.first_visit > going.visits[-1]:
            continue
        column = pq.read_table(folder / file.kind / file.name, columns=["visit"])["visit"].to_numpy()
        visits, counts = np.unique(column, return_counts=True)
        rows = counts[np.isin(visits, going.visits)].astype(np.int64)
        if len(rows):
            own = going.only(np.isin(going.visits, visits))
            sizes = rows * file.size // file.rows
            number, in_time = int(rows.sum()), int(counts[np.isin(visits, choice.in_time)].sum())
            removed = choice.summed(own, rows, sizes, cutoffs)
            yield FileShare(file, number / file.rows, number / max(in_time, number), removed)
