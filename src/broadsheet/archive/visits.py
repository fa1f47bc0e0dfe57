"""Visits that were committed: looked up one by one, and rewritten where the WARC files that they name are merged."""

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.compute as pc
from sqlalchemy import Connection

from broadsheet.archive import catalogue, parquet_files, pruning
from broadsheet.archive.archive_errors import ArchiveError
from broadsheet.archive.archive_records import RecordPlace
from broadsheet.archive.catalogue import FileRow
from broadsheet.archive.pruning import KeptPart
from broadsheet.archive.shards import shard_of

T = TypeVar("T")
#: Asks the catalogue something in a transaction of its own.
Ask = Callable[[Callable[[Connection], T]], T]


def row(folder: Path, ask: Ask[list[FileRow]], visit: int) -> dict[str, Any]:
    """Return a visit's row; only the files that can hold it are read."""
    found = _rows(folder, ask, "visits", visit).to_pylist()
    if not found:
        raise ArchiveError(f"{folder}: has no visit {visit}")
    only: dict[str, Any] = found[0]
    return only


def links(folder: Path, ask: Ask[list[FileRow]], visit: int) -> list[tuple[str, str, str | None]]:
    """Return key, address and text of each link that a visit found."""
    found = _rows(folder, ask, "occurrences", visit)
    columns = (found[name].to_pylist() for name in ("target", "url", "anchor"))
    return list(zip(*columns, strict=True))


def _rows(folder: Path, ask: Ask[list[FileRow]], kind: str, visit: int) -> Any:  # noqa: ANN401 - pyarrow has no types
    def holds(file: FileRow) -> bool:
        return file.first_visit <= visit <= file.last_visit

    return matching(folder, ask, kind, holds, pc.field("visit") == visit)


def matching(  # noqa: PLR0913, PLR0917 - where to look, and for what
    folder: Path,
    ask: Ask[list[FileRow]],
    kind: str,
    chosen: Callable[[FileRow], bool],
    condition: Any,  # noqa: ANN401 - pyarrow has no types
    columns: Sequence[str] | None = None,
) -> Any:  # noqa: ANN401 - pyarrow has no types
    """Return the rows that meet a condition, in some columns or all; only the chosen files are read."""
    before: list[Path] | None = None
    while True:
        files = ask(lambda connection: catalogue.files(connection, kind))
        paths = [folder / kind / file.name for file in files if chosen(file)]
        wanted = None if columns is None else list(columns)
        try:
            return parquet_files.dataset(kind, paths).to_table(filter=condition, columns=wanted)
        except FileNotFoundError as error:
            # A file that was merged into another and removed since it was listed: the catalogue names the other now.
            if paths == before:
                raise ArchiveError(f"{folder}: a file of {kind} is missing; `broadsheet check` says more") from error
            before = paths


def first_since(folder: Path, ask: Ask[list[FileRow]], since: datetime) -> dict[int, int]:
    """Return, for each shard, the first visit of the first file that holds visits of a moment or later.

    A shard without such a file is missing. A few files are opened, and of those only what they say of themselves.
    """
    shards: dict[int, list[FileRow]] = {}
    for file in ask(lambda connection: catalogue.files(connection, "visits")):
        shards.setdefault(shard_of(file.first_visit), []).append(file)
    found = {}
    for shard, files in shards.items():
        place = bisect_left(files, since, key=lambda file: _newest(folder / "visits" / file.name))
        if place < len(files):
            found[shard] = files[place].first_visit
    return found


def _newest(path: Path) -> datetime:
    """Return the moment of the last visit of a file; a time to come for a file that was merged meanwhile."""
    try:
        stated = parquet_files.greatest(path, "fetched_at")
    except FileNotFoundError:
        stated = None
    return stated or datetime.max.replace(tzinfo=UTC)


def kept(folder: Path, ask: Ask[list[FileRow]], visit: int) -> catalogue.Kept:
    """Return where and when a visit's answer was kept."""
    found = row(folder, ask, visit)
    return catalogue.Kept(RecordPlace(found["warc"], found["offset"], found["length"]), found["fetched_at"])


def of(connection: Connection, warcs: Sequence[FileRow]) -> list[FileRow]:
    """Return the files of visits that may name one of some WARC files."""
    return [
        file
        for file in catalogue.files(connection, "visits")
        if any(file.first_visit <= warc.last_visit and warc.first_visit <= file.last_visit for warc in warcs)
    ]


def relocated(
    paths: Iterable[Path], moved: Mapping[str, Sequence[KeptPart]], warc: str, forgotten: Collection[str] = ()
) -> Iterator[Any]:
    """Give the visits of files whose records lie in some WARC files, as they lie in the one those were merged into.

    Those of forgotten pages are left out.
    """
    names = pa.array(list(moved), pa.string())
    for table in parquet_files.batches("visits", paths, forgotten):
        chosen = table.filter(pc.is_in(table["warc"], names))
        offsets = chosen["offset"].to_numpy().copy()
        for name in pc.unique(chosen["warc"]).to_pylist():
            own = pc.equal(chosen["warc"], name).to_numpy()
            offsets[own] = pruning.shifted(offsets[own], moved[name])
        renamed = {"warc": pa.repeat(pa.scalar(warc, pa.string()), chosen.num_rows), "offset": offsets}
        columns = [renamed.get(name, chosen[name]) for name in table.column_names]
        yield pa.table(columns, schema=table.schema)


def others(paths: Iterable[Path], warcs: Collection[str]) -> Iterator[Any]:
    """Give the visits of files whose records lie in none of some WARC files."""
    names = pa.array(list(warcs), pa.string())
    for table in parquet_files.batches("visits", paths):
        yield table.filter(pc.invert(pc.is_in(table["warc"], names)))
