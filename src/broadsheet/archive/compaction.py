"""Many small files become one; the old ones stay for a while, for whoever is reading them.

Neighbouring WARC files are put one after the other: gzip members stay members, so a record lies where it lay, plus
where its old file begins in the new one. The visits that name them are rewritten with them. Link occurrences name
no file and are merged by themselves. What was forgotten, or is not to be kept any longer, is not copied; records
behind it then move by less.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import BinaryIO, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
from sqlalchemy import Connection, bindparam, delete, insert, select, update

from broadsheet.archive import catalogued_files, merge_policy, moved_records, parquet_files, pruning, tables, visits
from broadsheet.archive.catalogued_files import FileRow
from broadsheet.archive.durable_files import PUT_STEPS, Announce, HashedFile, is_intact, put_written
from broadsheet.archive.prepared_queries import PreparedQuery
from broadsheet.archive.pruning import KeptPart, Omission
from broadsheet.archive.shards import shard_of
from broadsheet.archive.visits import Relocation

#: How long a file that was merged into another is kept for readers that have listed it but not opened it yet.
GRACE = timedelta(minutes=10)

#: What is left out unless something is.
NOTHING = Omission()

#: What decides when files are merged.
DRIVERS = ("warc", "occurrences")
#: What is announced while files are merged, in order.
COMPACTION_STEPS = (
    *(f"{step} merged {kind}" for kind in ("warc", "visits", "occurrences") for step in PUT_STEPS),
    "before transaction of merging",
    "in transaction of merging",
    "after transaction of merging",
)
#: What is announced while files are removed whose time has passed, in order.
REMOVAL_STEPS = ("before removing merged files", "after removing merged files", "after forgetting merged files")

_COPIED_AT_ONCE = 1 << 20
_EXPIRED = PreparedQuery(select(tables.files).where(tables.files.c.retired <= bindparam("moment")))


class MergedFile(NamedTuple):
    """A file that was put in place of others, as its row says."""

    kind: str
    name: str
    size: int
    rows: int
    first_visit: int
    last_visit: int


@dataclass(frozen=True, slots=True)
class MergePlan:
    """Neighbouring files of a kind that are to become one, and the files of visits that name them."""

    files: Sequence[FileRow]
    visits: Sequence[FileRow] = ()

    @property
    def sources(self) -> tuple[FileRow, ...]:
        """All files that are read and replaced."""
        return (*self.files, *self.visits)


@dataclass(frozen=True, slots=True)
class Merging:
    """A plan that was carried out, but for the catalogue; `moved` says which parts of old WARC files lie where now."""

    plan: MergePlan
    put: Sequence[MergedFile]
    moved: Mapping[str, Sequence[KeptPart]] = field(default_factory=dict)


def plans(connection: Connection, shard: int, most: int, full: int, unsound: Collection[str]) -> list[MergePlan]:
    """Return what is to be merged now, at most one run of files of each kind; `unsound` files are left alone.

    Only the one writer of a shard merges its files, so no file is replaced twice.
    """
    found = []
    for kind in DRIVERS:
        files = [file for file in catalogued_files.files(connection, kind) if _is_of(shard, file)]
        chosen = merge_policy.due(files, most, merge_policy.full_size(kind, full), unsound)
        named = visits.of(connection, chosen) if chosen and kind == "warc" else ()
        if chosen and all(_is_of(shard, file) for file in named):
            found.append(MergePlan(chosen, named))
    return found


def _is_of(shard: int, file: FileRow) -> bool:
    return shard_of(file.first_visit) == shard_of(file.last_visit) == shard


def unsound(folder: Path, plan: MergePlan) -> set[str]:
    """Return the names of files that cannot be merged because they, or the visits in them, are damaged or missing.

    A merged file has a hash of its own, which would hide the damage.
    """
    damaged = [file for file in plan.sources if not _is_sound(folder / file.kind / file.name)]
    return {
        file.name
        for file in plan.files
        for other in damaged
        if other.first_visit <= file.last_visit and file.first_visit <= other.last_visit
    }


def _is_sound(path: Path) -> bool:
    try:
        return is_intact(path)
    except OSError:
        return False


def merge(folder: Path, plan: MergePlan, announce: Announce, omission: Omission = NOTHING) -> Merging:
    """Put one durable file in place of several, without what is left out."""
    if plan.files[0].kind == "warc":
        return _merge_warcs(folder, plan, announce, omission)
    kind, paths = plan.files[0].kind, _paths(folder, plan.files)

    gone = omission.rows if kind == "visits" else omission.links

    def rows() -> Iterator[pa.Table]:
        return parquet_files.without_visits(parquet_files.batches(kind, paths, omission.pages), gone)

    return Merging(plan, _put_rows(folder, kind, rows, announce))


def _merge_warcs(folder: Path, plan: MergePlan, announce: Announce, omission: Omission) -> Merging:
    moved = pruning.laid_out(_kept(folder, plan, omission))

    def write(out: HashedFile) -> None:
        for path in _paths(folder, plan.files):
            with path.open("rb") as file:
                for part in moved[path.name]:
                    file.seek(part.start)
                    _copy(file, out, part.stop - part.start)

    put: list[MergedFile] = []
    first, last = min(file.first_visit for file in plan.files), max(file.last_visit for file in plan.files)
    if any(moved.values()):
        stored = put_written(folder, "warc", write, announce, "merged warc")
        records = sum(file.rows for file in plan.files)
        put.append(MergedFile(stored.kind, stored.name, stored.size, records, first, last))
    if plan.visits:
        name = put[0].name if put else parquet_files.REMOVED
        put += _merge_visits(folder, plan, Relocation(name, moved, omission, first, last), announce)
    return Merging(plan, put, moved)


def _kept(folder: Path, plan: MergePlan, omission: Omission) -> dict[str, Sequence[KeptPart]]:
    """Return which parts of each file are copied: all of it, unless it holds records that are left out."""
    names = [file.name for file in plan.files]
    leaves_out = bool(omission.pages) or len(omission.responses)
    found = pruning.answers(_paths(folder, plan.visits), names, omission) if leaves_out else {}
    return {
        file.name: pruning.kept_parts(folder / "warc" / file.name, found[file.name])
        if file.name in found
        else [KeptPart(0, file.size)]
        for file in plan.files
    }


def _copy(file: BinaryIO, out: HashedFile, size: int) -> None:
    while size:
        size -= out.write(file.read(min(size, _COPIED_AT_ONCE)))


def _merge_visits(folder: Path, plan: MergePlan, relocation: Relocation, announce: Announce) -> list[MergedFile]:
    paths = _paths(folder, plan.visits)
    put = _put_rows(folder, "visits", lambda: visits.relocated(paths, relocation), announce)
    if sum(file.rows for file in put) < sum(file.rows for file in plan.visits):
        # A file that holds other visits too, as repairs and earlier versions wrote them, is divided.
        for path in paths:
            put += _put_rows(folder, "visits", partial(visits.others, [path], relocation), announce)
    return put


def _put_rows(folder: Path, kind: str, rows: Callable[[], Iterator[pa.Table]], announce: Announce) -> list[MergedFile]:
    """Put the one file that holds some rows; none where there are none."""
    if not any(table.num_rows for table in rows()):
        return []
    extents = []
    stored = put_written(
        folder, kind, lambda out: extents.append(parquet_files.write(kind, rows(), out)), announce, f"merged {kind}"
    )
    return [MergedFile(stored.kind, stored.name, stored.size, *extents[0])]


def _paths(folder: Path, files: Sequence[FileRow]) -> list[Path]:
    return [folder / file.kind / file.name for file in files]


def replace(connection: Connection, merging: Merging, now: datetime) -> None:
    """Name the new files in place of the old ones, and say of every record in them where it lies now."""
    old = [file.id for file in merging.plan.sources]
    connection.execute(update(tables.files).where(tables.files.c.id.in_(old)).values(retired=now))
    ids = {file.kind: _name(connection, file) for file in reversed(merging.put)}
    new = ids.get("warc")
    # Where all of the others was forgotten, the new file is one of the old ones, and its records lie where they lay.
    moving = [file for file in merging.plan.files if file.name in merging.moved and file.id != new]
    moved_records.relocate(connection, moving, merging.moved, new)


def _name(connection: Connection, file: MergedFile) -> int:
    """Name a file; one that was retired and turns out to be what is needed again is named already."""
    known = select(tables.files.c.id).where(tables.files.c.name == file.name)
    found = connection.execute(known).scalar_one_or_none()
    if found is not None:
        # A repair does not say of files that it retires which visits they hold.
        again = {**file._asdict(), "retired": None}
        connection.execute(update(tables.files).where(tables.files.c.id == found).values(again))
        return int(found)
    return int(
        connection.execute(insert(tables.files).values(file._asdict()).returning(tables.files.c.id)).scalar_one()
    )


def affected(folder: Path, connection: Connection, forgotten: Collection[str]) -> Iterator[FileRow]:
    """Give the WARC files and files of links that still hold something about forgotten pages."""
    keys = pa.array(sorted(forgotten), pa.string())
    named = parquet_files.dataset("visits", _paths(folder, catalogued_files.files(connection, "visits")))
    warcs = named.to_table(columns=["warc"], filter=pc.field("page").isin(keys))["warc"].unique().to_pylist()
    yield from (file for file in catalogued_files.files(connection, "warc") if file.name in set(warcs))
    concerned = ~parquet_files.is_remembered("occurrences", forgotten)
    for file in catalogued_files.files(connection, "occurrences"):
        [path] = _paths(folder, [file])
        if parquet_files.dataset("occurrences", [path]).count_rows(filter=concerned):
            yield file


def rewriting(connection: Connection, file: FileRow) -> MergePlan:
    """Return the plan that puts one file without what was forgotten in the place of a file."""
    return MergePlan([file], visits.of(connection, [file]) if file.kind == "warc" else ())


def expired(connection: Connection, now: datetime, grace: timedelta = GRACE) -> list[FileRow]:
    """Return the files that were merged long enough ago for nobody to be about to open them."""
    return [FileRow(*row) for row in _EXPIRED.rows(connection, moment=now - grace)]


def forget(connection: Connection, files: list[FileRow]) -> None:
    """Take out the names of files that were removed."""
    connection.execute(delete(tables.files).where(tables.files.c.id.in_([file.id for file in files])))
