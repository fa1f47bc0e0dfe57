"""Whether the files of an archive are those that rows name, and the visits and links in them belong together."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from broadsheet.archive import catalogued_files, parquet_files
from broadsheet.archive.catalogued_files import FileRow
from broadsheet.archive.durable_files import is_intact
from broadsheet.archive.problem import Problem
from broadsheet.archive.shards import VISITS_PER_SHARD, first_visit_of
from broadsheet.archive.warc_reading import Asking


def sound_files(folder: Path, ask: Asking, files: Iterable[FileRow], sound: list[FileRow]) -> Iterator[Problem]:
    """Give what is wrong with files, and add those with which nothing is to a list."""
    for file in files:
        problem = _file(folder, file)
        if problem is None:
            sound.append(file)
        elif (folder / file.kind / file.name).exists() or _is_current(ask, file):
            yield problem


def _is_current(ask: Asking, file: FileRow) -> bool:
    """Say whether a file still belongs to the archive, and was not merged and removed since it was listed."""
    return any(other.id == file.id for other in ask(lambda connection: catalogued_files.files(connection, file.kind)))


def _file(folder: Path, file: FileRow) -> Problem | None:
    """Compare a file with its row."""
    path, where = folder / file.kind / file.name, f"{file.kind}/{file.name}"
    try:
        size = path.stat().st_size
        if size != file.size:
            return Problem(where, f"has {size:,} bytes instead of {file.size:,}")
        if not is_intact(path):
            return Problem(where, "its content differs from what was written")
    except FileNotFoundError:
        # One that was merged into another is removed before its row is.
        return None if file.retired else Problem(where, "is missing")
    except OSError as error:
        return Problem(where, f"cannot be read: {error.strerror}")
    return _parquet(path, where, file) if file.kind in parquet_files.SCHEMAS else None


def _parquet(path: Path, where: str, file: FileRow) -> Problem | None:
    try:
        with pq.ParquetFile(path) as opened:
            schema, number = opened.schema_arrow, opened.metadata.num_rows
    except pa.ArrowException as error:
        return Problem(where, f"is not a Parquet file: {error}")
    if not parquet_files.has_columns(file.kind, schema):
        return Problem(where, "has the wrong columns")
    if number != file.rows:
        return Problem(where, f"has {number:,} rows instead of {file.rows:,}")
    return None


def check_visits(marks: Mapping[int, int], table: Any) -> Iterator[Problem]:  # noqa: ANN401 - pyarrow has no types
    """Compare visits with each other and with the high-water mark of their shard."""
    numbers = table["visit"].to_numpy()
    known, counts = np.unique(numbers, return_counts=True)
    for visit in known[counts > 1]:
        yield Problem(f"visit {visit}", "is stored more than once")
    for shard in np.unique(known // VISITS_PER_SHARD).tolist():
        last, mark = known[known // VISITS_PER_SHARD == shard][-1], marks.get(shard, first_visit_of(shard))
        if last > mark:
            yield Problem(f"visit {last}", f"is later than the last committed visit, {mark}")
    same = table["same_as"].drop_null().to_numpy()
    for visit in np.setdiff1d(same, known):
        yield Problem(f"visit {visit}", "is referred to by another visit, but is missing")
    is_removed = pc.equal(table["warc"], parquet_files.REMOVED).to_numpy()
    needed = table.filter(pa.array(~is_removed))["same_as"].drop_null().to_numpy()
    for visit in np.intersect1d(needed, numbers[is_removed]):
        yield Problem(f"visit {visit}", "is referred to by another visit, but its response was removed")


def check_occurrences(
    folder: Path,
    files: list[FileRow],
    table: Any,  # noqa: ANN401 - pyarrow has no types
    forgotten: frozenset[str],
) -> Iterator[Problem]:
    """Make sure that every occurrence belongs to a visit."""
    known = table["visit"].to_numpy()
    for file in files:
        if file.kind == "occurrences" and file.retired is None:
            rows_ = parquet_files.dataset("occurrences", [folder / file.kind / file.name], forgotten)
            visits = rows_.to_table(columns=["visit"])["visit"].to_numpy()
            for visit in np.setdiff1d(visits, known):
                yield Problem(f"{file.kind}/{file.name}", f"has links of visit {visit}, which is missing")
