"""Parquet files that are merged: many visits are sorted by page, so that those of one page are found quickly."""

import io
from datetime import UTC, datetime

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from broadsheet.archive import parquet_files
from tests.archive.samples import NOON


def visits(number: int) -> pa.Table:
    """Return so many visits to ten pages in turn."""
    row = {"url": "u", "fetched_at": NOON, "status": 200, "bytes": 1, "warc": "w", "offset": 0, "length": 1}
    rows = [{**row, "visit": visit, "page": f"page {visit % 10}"} for visit in range(1, number + 1)]
    return pa.Table.from_pylist(rows, schema=parquet_files.VISITS)


def written(table: pa.Table) -> pq.ParquetFile:
    buffer = io.BytesIO()
    extent = parquet_files.write("visits", [table], buffer)  # type: ignore[arg-type]
    assert extent == (table.num_rows, 1, table.num_rows)
    return pq.ParquetFile(io.BytesIO(buffer.getvalue()))


def test_row_groups_hold_the_visits_of_few_pages_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_files, "SORTED_GROUP", 10)

    file = written(visits(100))

    pages = [set(file.read_row_group(number)["page"].to_pylist()) for number in range(file.num_row_groups)]
    assert pages == [{f"page {number}"} for number in range(10)]
    assert sorted(file.read()["visit"].to_pylist()) == list(range(1, 101))
    assert file.read_row_group(3)["visit"].to_pylist() == list(range(3, 101, 10))


def test_few_visits_stay_in_their_order() -> None:
    assert written(visits(100)).read()["visit"].to_pylist() == list(range(1, 101))


def test_a_file_states_its_greatest_value(tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("files") / "a.parquet"
    path.write_bytes(parquet_files.written(visits(3)))

    assert parquet_files.greatest(path, "visit") == 3
    assert parquet_files.greatest(path, "fetched_at") == datetime(2026, 3, 2, 12, tzinfo=UTC)
