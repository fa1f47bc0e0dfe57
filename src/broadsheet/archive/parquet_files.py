"""Visits and link occurrences as Parquet files: their schemas, how they are written, merged and read."""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as pq

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


def written(table: Any) -> bytes:  # noqa: ANN401 - pyarrow has no types
    """Return a table as the bytes of a Parquet file."""
    buffer = io.BytesIO()
    pq.write_table(table, buffer, compression="zstd", use_dictionary=True)
    return buffer.getvalue()


def merged(kind: str, paths: Sequence[Path]) -> bytes:
    """Return the rows of several files, in the order of the files, as the bytes of one."""
    buffer = io.BytesIO()
    with pq.ParquetWriter(buffer, SCHEMAS[kind], compression="zstd", use_dictionary=True) as writer:
        for path in paths:
            writer.write_table(pq.read_table(path, schema=SCHEMAS[kind]))
    return buffer.getvalue()


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


def dataset(kind: str, paths: Sequence[Path]) -> pyarrow.dataset.Dataset:
    """Return the rows of files as one dataset, which reads only what a query asks for."""
    return pyarrow.dataset.dataset([str(path) for path in paths], schema=SCHEMAS[kind], format="parquet")
