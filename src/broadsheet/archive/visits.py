"""Visits that were committed: looked up one by one, and rewritten where the WARC files that they name are merged."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
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
    before: list[Path] | None = None
    while True:
        files = ask(lambda connection: catalogue.files(connection, kind))
        paths = [folder / kind / file.name for file in files if file.first_visit <= visit <= file.last_visit]
        try:
            return parquet_files.dataset(kind, paths).to_table(filter=pc.field("visit") == visit)
        except FileNotFoundError as error:
            # A file that was merged into another and removed since it was listed: the catalogue names the other now.
            if paths == before:
                raise ArchiveError(f"{folder}: a file of {kind} is missing; `broadsheet check` says more") from error
            before = paths


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
