"""The files that a rebuilt catalogue names: those that are whole, and new Parquet files for what was lost."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from broadsheet.archive import parquet_files, scan
from broadsheet.archive.durable_files import Stored, is_intact, put, set_aside
from broadsheet.archive.folder import finished
from broadsheet.archive.link_occurrences import LinkOccurrences
from broadsheet.archive.rebuilt import Rebuilt
from broadsheet.archive.salvage import Salvage
from broadsheet.archive.shards import VISITS_PER_SHARD


class NamedFile(NamedTuple):
    """A file that the new catalogue names; `retired` where another holds all its rows."""

    stored: Stored
    rows: int
    first_visit: int
    last_visit: int
    retired: datetime | None = None


def put_files(folder: Path, saved: Salvage, rebuilt: Rebuilt, now: datetime) -> list[NamedFile]:
    """Put Parquet files for the visits that were found, set damaged ones aside, and return all files to name."""
    # Those of forgotten pages, too: whoever merges their files has to know which records to leave out.
    every = sorted({**saved.visits, **saved.forgotten}.items())
    found = pa.Table.from_pylist([row for _, row in every], schema=parquet_files.VISITS)
    files = list(_warcs(folder, saved))
    files += [_put(folder, "visits", table) for table in _by_shard(found)]
    files += _retired(folder, files, now)
    files += _merged_away(folder, files, now)
    files += _occurrences(folder, saved, rebuilt, now)
    # What is left of one file may be, byte for byte, another one, which then stays.
    by_use = sorted(files, key=lambda file: file.retired is None)
    return list({file.stored.name: file for file in by_use}.values())


def _warcs(folder: Path, saved: Salvage) -> Iterator[NamedFile]:
    visits: dict[str, list[int]] = {}
    for number, row in (*saved.visits.items(), *saved.forgotten.items()):
        if row["warc"] != parquet_files.REMOVED:
            visits.setdefault(row["warc"], []).append(number)
    for name, numbers in visits.items():
        path = folder / "warc" / name
        stored = Stored("warc", name, path.stat().st_size)
        yield NamedFile(stored, sum(1 for _ in scan.records(path)), min(numbers), max(numbers))


def _retired(folder: Path, files: Sequence[NamedFile], now: datetime) -> Iterator[NamedFile]:
    """Give the visits' files whose rows are in another now; readers may still have them open."""
    named = {file.stored.name for file in files}
    for path in list(finished(folder, "visits")):
        if path.name not in named:
            yield from _superseded(folder, path, now)


def _merged_away(folder: Path, files: Sequence[NamedFile], now: datetime) -> Iterator[NamedFile]:
    """Give the WARC files whose records are all in others, into which they were merged."""
    named = {file.stored.name for file in files}
    for path in finished(folder, "warc"):
        if path.name not in named:
            stored = Stored("warc", path.name, path.stat().st_size)
            yield NamedFile(stored, sum(1 for _ in scan.records(path)), 0, 0, now)


def _superseded(folder: Path, path: Path, now: datetime) -> Iterator[NamedFile]:
    if not is_intact(path):
        set_aside(folder, path)
        return
    stored = Stored(path.parent.name, path.name, path.stat().st_size)
    yield NamedFile(stored, pq.read_metadata(path).num_rows, 0, 0, now)


def _occurrences(folder: Path, saved: Salvage, rebuilt: Rebuilt, now: datetime) -> Iterator[NamedFile]:
    """Give the files of link rows: those whose visits were all found as they are, others without the rest."""
    left = {*saved.visits, *saved.forgotten}
    for path in list(finished(folder, "occurrences")):
        if not is_intact(path):
            set_aside(folder, path)
            continue
        table = pq.read_table(path, schema=parquet_files.OCCURRENCES)
        wanted = table.filter(pc.is_in(table["visit"], pa.array(sorted(left), pa.int64())))
        left.difference_update(wanted["visit"].unique().to_pylist())
        if wanted.num_rows == table.num_rows and table.num_rows:
            stored = Stored("occurrences", path.name, path.stat().st_size)
            yield _file(stored, table)
            continue
        if wanted.num_rows:
            yield _put(folder, "occurrences", wanted)
        yield from _superseded(folder, path, now)
    links = LinkOccurrences()
    for visit, found in sorted(rebuilt.links.items()):
        if visit in left and len(found):
            links.add(visit, saved.visits[visit]["page"], found)
    yield from (_put(folder, "occurrences", table) for table in _by_shard(links.table()))


def _by_shard(table: Any) -> Iterator[Any]:  # noqa: ANN401 - pyarrow has no types
    """Give the rows of each shard's visits: files belong to one shard, whose writer merges them."""
    shards = pc.divide(table["visit"], VISITS_PER_SHARD)
    for shard in pc.unique(shards).to_pylist():
        yield table.filter(pc.equal(shards, shard))


def _put(folder: Path, kind: str, table: Any) -> NamedFile:  # noqa: ANN401 - pyarrow has no types
    return _file(put(folder, kind, parquet_files.written(table), lambda _: None), table)


def _file(stored: Stored, table: Any) -> NamedFile:  # noqa: ANN401 - pyarrow has no types
    visits = table["visit"].to_numpy()
    return NamedFile(stored, table.num_rows, int(np.min(visits)), int(np.max(visits)))
