"""Visits that were committed: looked up one by one, and rewritten where the WARC files that they name are merged."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from sqlalchemy import Connection

from broadsheet.archive import catalogue, catalogued_files, parquet_files, pruning
from broadsheet.archive.archive_errors import ArchiveError
from broadsheet.archive.article_records import RecordPlace
from broadsheet.archive.catalogued_files import FileRow
from broadsheet.archive.pruning import KeptPart, Omission
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
        files = ask(lambda connection: catalogued_files.files(connection, kind))
        paths = [folder / kind / file.name for file in files if chosen(file)]
        wanted = None if columns is None else list(columns)
        try:
            return parquet_files.dataset(kind, paths).to_table(filter=condition, columns=wanted)
        except FileNotFoundError as error:
            # A file that was merged into another and removed since it was listed: the catalogue names the other now.
            if paths == before:
                raise ArchiveError(f"{folder}: a file of {kind} is missing; `broadsheet check` says more") from error
            before = paths
        except (pa.ArrowException, OSError) as error:
            message = " ".join(str(error).split())
            raise ArchiveError(
                f"{folder}: a file of {kind} cannot be read ({message}); `broadsheet check` says more"
            ) from error


def first_since(folder: Path, ask: Ask[list[FileRow]], since: datetime) -> dict[int, int]:
    """Return, for each shard, the first visit of the first file that holds visits of a moment or later.

    A shard without such a file is missing. A few files are opened, and of those only what they say of themselves.
    """
    shards: dict[int, list[FileRow]] = {}
    for file in ask(lambda connection: catalogued_files.files(connection, "visits")):
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
        for file in catalogued_files.files(connection, "visits")
        if any(file.first_visit <= warc.last_visit and warc.first_visit <= file.last_visit for warc in warcs)
    ]


class Relocation(NamedTuple):
    """WARC files that are merged into one: its name, which parts of them lie where in it, and what is left out.

    `first` and `last` are the first and last visit of the files.
    """

    warc: str
    moved: Mapping[str, Sequence[KeptPart]]
    omission: Omission
    first: int
    last: int

    def concerns(self, table: Any) -> Any:  # noqa: ANN401 - pyarrow has no types
        """Say of each visit whether its record is in one of the files, or was between theirs."""
        visits = table["visit"].to_numpy()
        is_removed = pc.equal(table["warc"], parquet_files.REMOVED).to_numpy()
        is_named = pc.is_in(table["warc"], pa.array(list(self.moved), pa.string())).to_numpy()
        return pa.array(is_named | (is_removed & (visits >= self.first) & (visits <= self.last)))


def relocated(paths: Iterable[Path], relocation: Relocation) -> Iterator[Any]:
    """Give the visits of files whose records lie in some WARC files, as they lie in the one those were merged into.

    Those of forgotten pages are left out. Those whose responses are removed say so.
    """
    moved, omission = relocation.moved, relocation.omission
    for table in parquet_files.batches("visits", paths, omission.pages):
        chosen = table.filter(relocation.concerns(table))
        is_removed = pc.equal(chosen["warc"], parquet_files.REMOVED).to_numpy()
        is_removed |= np.isin(chosen["visit"].to_numpy(), omission.responses)
        offsets = np.where(is_removed, 0, chosen["offset"].to_numpy())
        for name in pc.unique(chosen["warc"]).to_pylist():
            own = pc.equal(chosen["warc"], name).to_numpy() & ~is_removed
            if own.any():
                offsets[own] = pruning.shifted(offsets[own], moved[name])
        names = pc.if_else(pa.array(is_removed), parquet_files.REMOVED, relocation.warc)
        renamed = {"warc": names, "offset": offsets}
        columns = [renamed.get(name, chosen[name]) for name in table.column_names]
        yield pa.table(columns, schema=table.schema)


def others(paths: Iterable[Path], relocation: Relocation) -> Iterator[Any]:
    """Give the other visits of files."""
    for table in parquet_files.batches("visits", paths):
        yield table.filter(pc.invert(relocation.concerns(table)))
