"""Many small files become one; the old ones stay for a while, for whoever is reading them.

Neighbouring WARC files are put one after the other: gzip members stay members, so a record lies where it lay, plus
where its old file begins in the new one. The visits that name them are rewritten with them. Link occurrences name
no file and are merged by themselves.
"""

import shutil
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select, update

from broadsheet.archive import catalogue, merge_policy, parquet_files, tables, visits
from broadsheet.archive.catalogue import FileRow
from broadsheet.archive.durable_files import PUT_STEPS, Announce, HashedFile, is_intact, put_written
from broadsheet.archive.shards import shard_of

#: How long a file that was merged into another is kept for readers that have listed it but not opened it yet.
GRACE = timedelta(minutes=10)

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
    """A plan that was carried out, but for the catalogue; `bases` says where old WARC files begin in the new one."""

    plan: MergePlan
    put: Sequence[MergedFile]
    bases: dict[int, int] = field(default_factory=dict)


def plans(connection: Connection, shard: int, most: int, full: int, unsound: Collection[str]) -> list[MergePlan]:
    """Return what is to be merged now, at most one run of files of each kind; `unsound` files are left alone.

    Only the one writer of a shard merges its files, so no file is replaced twice.
    """
    found = []
    for kind in DRIVERS:
        files = [file for file in catalogue.files(connection, kind) if _is_of(shard, file)]
        chosen = merge_policy.due(files, most, merge_policy.full_size(kind, full), unsound)
        named = visits.of(connection, chosen) if kind == "warc" else ()
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


def merge(folder: Path, plan: MergePlan, announce: Announce) -> Merging:
    """Put one durable file in place of several."""
    if plan.files[0].kind == "warc":
        return _merge_warcs(folder, plan, announce)
    kind = plan.files[0].kind
    put = _put_rows(folder, kind, parquet_files.batches(kind, _paths(folder, plan.files)), announce)
    return Merging(plan, [put])


def _merge_warcs(folder: Path, plan: MergePlan, announce: Announce) -> Merging:
    def write(out: HashedFile) -> None:
        for path in _paths(folder, plan.files):
            with path.open("rb") as part:
                shutil.copyfileobj(part, out, _COPIED_AT_ONCE)

    stored = put_written(folder, "warc", write, announce, "merged warc")
    first, last = min(file.first_visit for file in plan.files), max(file.last_visit for file in plan.files)
    warc = MergedFile(stored.kind, stored.name, stored.size, sum(file.rows for file in plan.files), first, last)
    begins = list(accumulate((file.size for file in plan.files), initial=0))
    places = {file.name: base for file, base in zip(plan.files, begins, strict=False)}
    put = [warc]
    if plan.visits:
        rows = visits.relocated(_paths(folder, plan.visits), places, stored.name)
        put.append(_put_rows(folder, "visits", rows, announce))
        if put[-1].rows < sum(file.rows for file in plan.visits):
            # A file that holds other visits too, as repairs and earlier versions wrote them, is divided.
            put += [
                _put_rows(folder, "visits", visits.others([path], places), announce)
                for path in _paths(folder, plan.visits)
                if any(table.num_rows for table in visits.others([path], places))
            ]
    return Merging(plan, put, {file.id: places[file.name] for file in plan.files})


def _put_rows(folder: Path, kind: str, rows: Iterator[object], announce: Announce) -> MergedFile:
    extents = []
    stored = put_written(
        folder, kind, lambda out: extents.append(parquet_files.write(kind, rows, out)), announce, f"merged {kind}"
    )
    return MergedFile(stored.kind, stored.name, stored.size, *extents[0])


def _paths(folder: Path, files: Sequence[FileRow]) -> list[Path]:
    return [folder / file.kind / file.name for file in files]


def replace(connection: Connection, merging: Merging, now: datetime) -> None:
    """Name the new files in place of the old ones, and say of every record in them where it lies now."""
    old = [file.id for file in merging.plan.sources]
    connection.execute(update(tables.files).where(tables.files.c.id.in_(old)).values(retired=now))
    ids = [
        connection.execute(insert(tables.files).values(file._asdict()).returning(tables.files.c.id)).scalar_one()
        for file in merging.put
    ]
    for file, base in merging.bases.items():
        for owner in (tables.contents, tables.versions):
            changed = {"file": ids[0], "offset": owner.c.offset + base}
            connection.execute(update(owner).where(owner.c.file == file).values(changed))
        earlier = update(tables.moved).where(tables.moved.c.file == file)
        connection.execute(earlier.values(file=ids[0], base=tables.moved.c.base + base))
    if merging.bases:
        names = {file.id: file.name for file in merging.plan.files}
        rows = [{"name": names[file], "file": ids[0], "base": base} for file, base in merging.bases.items()]
        connection.execute(insert(tables.moved), rows)


def expired(connection: Connection, now: datetime) -> list[FileRow]:
    """Return the files that were merged long enough ago for nobody to be about to open them."""
    query = select(tables.files).where(tables.files.c.retired < now - GRACE)
    return [FileRow(*row) for row in connection.execute(query)]


def forget(connection: Connection, files: list[FileRow]) -> None:
    """Take out the names of files that were removed."""
    connection.execute(delete(tables.files).where(tables.files.c.id.in_([file.id for file in files])))
