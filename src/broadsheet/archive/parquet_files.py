"""Visits and link occurrences as Parquet files: their schemas, how they are written, merged and read."""

import io
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset
import pyarrow.parquet as pq
from numpy.typing import NDArray

from broadsheet.archive.durable_files import is_intact

VISITS = pa.schema(
    [
        pa.field("visit", pa.int64(), nullable=False),
        pa.field("page", pa.string(), nullable=False),
        pa.field("url", pa.string(), nullable=False),
        pa.field("source", pa.string()),
        pa.field("fetched_at", pa.timestamp("us", tz="UTC"), nullable=False),
        pa.field("status", pa.int16(), nullable=False),
        pa.field("digest", pa.string()),
        pa.field("bytes", pa.int64(), nullable=False),
        pa.field("warc", pa.string(), nullable=False),
        pa.field("offset", pa.int64(), nullable=False),
        pa.field("length", pa.int64(), nullable=False),
        pa.field("same_as", pa.int64()),
        pa.field("why", pa.string()),
    ]
)
OCCURRENCES = pa.schema(
    [
        pa.field("visit", pa.int64(), nullable=False),
        pa.field("page", pa.string(), nullable=False),
        pa.field("target", pa.string(), nullable=False),
        pa.field("url", pa.string(), nullable=False),
        pa.field("collection", pa.string(), nullable=False),
        pa.field("position", pa.int32(), nullable=False),
        pa.field("path", pa.string(), nullable=False),
        pa.field("anchor", pa.string()),
        pa.field("collection_version", pa.int16()),
    ]
)
SCHEMAS = {"visits": VISITS, "occurrences": OCCURRENCES}
#: Columns that files of earlier layouts lack: they are read as null.
ADDED = frozenset(("why", "anchor", "collection_version"))
#: The column `warc` of a visit whose response was removed because it was older than it is to be kept. The row stays.
REMOVED = ""
#: The columns that name a page which a row concerns.
_CONCERNED = {"visits": ("page",), "occurrences": ("page", "target")}
#: The rows that are in memory while files are merged. They make a row group of the merged file, unless they are sorted.
ROWS_AT_ONCE = 131_072
#: What the rows are sorted by that are in memory together, so that a reader who looks for one value skips most row
#: groups; the others stay in the order of the visits.
SORTED_BY = {"visits": [("page", "ascending"), ("visit", "ascending")]}
#: The rows in a row group of those that are sorted.
SORTED_GROUP = 8_192


class Extent(NamedTuple):
    """What a file holds: how many rows, of which visits."""

    rows: int
    first_visit: int
    last_visit: int


def written(table: Any) -> bytes:  # noqa: ANN401 - pyarrow has no types
    """Return a table as the bytes of a Parquet file."""
    buffer = io.BytesIO()
    pq.write_table(table, buffer, compression="zstd", use_dictionary=True)
    return buffer.getvalue()


def without_visits(tables: Iterable[Any], visits: NDArray[np.int64]) -> Iterator[Any]:
    """Give tables without the rows of some visits."""
    for table in tables:
        yield table.filter(pa.array(~np.isin(table["visit"].to_numpy(), visits))) if len(visits) else table


def batches(kind: str, paths: Iterable[Path], forgotten: Collection[str] = ()) -> Iterator[Any]:
    """Give the rows of files, in the order of the files, as tables of a bounded number of rows.

    Rows that concern forgotten pages are left out.
    """
    wanted = is_remembered(kind, forgotten) if forgotten else None
    for path in paths:
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=ROWS_AT_ONCE):
                table = _completed(kind, pa.Table.from_batches([batch]))
                yield table if wanted is None else table.filter(wanted)


def is_remembered(kind: str, forgotten: Collection[str]) -> Any:  # noqa: ANN401 - pyarrow has no types
    """Return the expression that leaves out the visits of forgotten pages, or their links and the links to them."""
    keys = pa.array(sorted(forgotten), pa.string())
    concerned = [pc.field(name).isin(keys) for name in _CONCERNED[kind]]
    return ~reduce(or_, concerned)


def _completed(kind: str, table: Any) -> Any:  # noqa: ANN401 - pyarrow has no types
    """Return rows with all columns of their kind, those that files of earlier layouts lack as nulls."""
    schema = SCHEMAS[kind]
    for name in ADDED.intersection(schema.names).difference(table.column_names):
        table = table.append_column(name, pa.nulls(table.num_rows, schema.field(name).type))
    return table.select(schema.names).cast(schema)


def write(kind: str, tables: Iterable[Any], file: io.RawIOBase) -> Extent:
    """Write tables one after the other as one Parquet file, and return what it holds; small tables are joined."""
    extents, waiting = [], []
    with pq.ParquetWriter(file, SCHEMAS[kind], compression="zstd", use_dictionary=True) as writer:
        for table in tables:
            if not table.num_rows:
                continue
            waiting.append(table)
            visits = pc.min_max(table["visit"]).as_py()
            extents.append(Extent(table.num_rows, visits["min"], visits["max"]))
            if sum(part.num_rows for part in waiting) >= ROWS_AT_ONCE:
                _write_group(writer, kind, pa.concat_tables(waiting))
                waiting = []
        if waiting:
            _write_group(writer, kind, pa.concat_tables(waiting))
    return Extent(
        sum(extent.rows for extent in extents),
        min((extent.first_visit for extent in extents), default=0),
        max((extent.last_visit for extent in extents), default=0),
    )


def _write_group(writer: Any, kind: str, table: Any) -> None:  # noqa: ANN401 - pyarrow has no types
    # A single row group is read as a whole, in whatever order it is.
    if kind in SORTED_BY and table.num_rows > SORTED_GROUP:
        writer.write_table(table.sort_by(SORTED_BY[kind]), row_group_size=SORTED_GROUP)
    else:
        writer.write_table(table)


def greatest(path: Path, column: str) -> Any:  # noqa: ANN401 - pyarrow has no types
    """Return the greatest value in a column of a file, as far as the file states it; None where it does not."""
    metadata = pq.read_metadata(path)
    index = metadata.schema.names.index(column)
    stated = (metadata.row_group(number).column(index).statistics for number in range(metadata.num_row_groups))
    found = [statistics.max for statistics in stated if statistics is not None and statistics.has_min_max]
    return max(found) if len(found) == metadata.num_row_groups and found else None


def has_columns(kind: str, schema: Any) -> bool:  # noqa: ANN401 - pyarrow has no types
    """Say whether a schema is that of a kind of file, as this layout or an earlier one writes it."""
    ours = SCHEMAS[kind]
    earlier = pa.schema([field for field in ours if field.name not in ADDED])
    return bool(schema.equals(ours) or schema.equals(earlier))


def intact_rows(path: Path, kind: str, names: Sequence[str]) -> Any:  # noqa: ANN401 - pyarrow has no types
    """Return columns of a file as a table; none of its rows where it is damaged."""
    empty = SCHEMAS[kind].empty_table().select(list(names))
    if not is_intact(path):
        return empty
    try:
        return pq.read_table(path, schema=SCHEMAS[kind], columns=list(names))
    except (pa.ArrowException, OSError):
        return empty


def dataset(kind: str, paths: Sequence[Path], forgotten: Collection[str] = ()) -> pyarrow.dataset.Dataset:
    """Return the rows of files as one dataset, which reads only what a query asks for, without forgotten pages."""
    found = pyarrow.dataset.dataset([str(path) for path in paths], schema=SCHEMAS[kind], format="parquet")
    return found.filter(is_remembered(kind, forgotten)) if forgotten else found
