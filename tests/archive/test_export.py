"""Articles in the formats of others, in a file that is complete or absent."""

import csv
import gzip
import io
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from warcio.archiveiterator import ArchiveIterator

from broadsheet.archive import ArchiveError, Store, export
from broadsheet.archive.compaction import GRACE
from broadsheet.base.clock import ManualClock
from broadsheet.base.errors import BroadsheetError
from broadsheet.base.records import Article
from broadsheet.outputs.output_columns import ARCHIVED
from broadsheet.outputs.writers import parquet_schema
from tests.archive.samples import NOON, SOURCE, exchange, keep


@pytest.fixture
def kept(archive: Store) -> Store:
    with archive.writer() as writer:
        keep(writer, "news.example/a", b"a", title='Übermut, "quoted"\nand broken \ud83d')
        keep(writer, "news.example/b", b"b", title="older")
        keep(writer, "news.example/b", b"c", title="newer")
        batch = writer.batch()
        visit = batch.visit("news.example/c", "https://news.example/c", (exchange(b"d"),))
        written = Article(title="C", authors=("A", "B"), published=NOON, topics=("x",), paywalled=True, body="1\n\n2")
        batch.article("news.example/c", SOURCE.key, written, visit=visit)
        writer.commit(batch)
    return archive


def test_json_lines_and_json_hold_whole_articles(kept: Store, tmp_path: Path) -> None:
    assert export.export(kept, "jsonl", tmp_path / "a.jsonl") == export.export(kept, "json", tmp_path / "a.json") == 3

    lines = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines()]
    assert lines == json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    assert lines == [json.loads(json.dumps(export.row(stored))) for stored in kept.articles()]
    assert {line["title"] for line in lines} == {'Übermut, "quoted"\nand broken \ud83d', "newer", "C"}


def test_csv_has_a_row_an_article(kept: Store, tmp_path: Path) -> None:
    export.export(kept, "csv", tmp_path / "a.csv")

    rows = list(csv.DictReader(io.StringIO((tmp_path / "a.csv").read_text(encoding="utf-8"), newline="")))
    by_key = {row["key"]: row for row in rows}
    assert by_key["news.example/a"]["title"].startswith('Übermut, "quoted"\nand broken ')
    assert by_key["news.example/c"]["authors"] == "A\nB"
    assert by_key["news.example/b"]["version"] == "2"


def test_parquet_has_columns_of_their_types(kept: Store, tmp_path: Path) -> None:
    export.export(kept, "parquet", tmp_path / "a.parquet", source=SOURCE.key)

    table = pq.read_table(tmp_path / "a.parquet")
    by_key = {row["key"]: row for row in table.to_pylist()}
    assert table.schema.equals(parquet_schema(ARCHIVED))
    assert by_key["news.example/c"]["authors"] == ["A", "B"]
    assert by_key["news.example/c"]["published"] == NOON
    assert by_key["news.example/c"]["fetched_at"] == NOON
    assert by_key["news.example/c"]["paywalled"] is True


def test_markdown_parts_articles_with_a_line(kept: Store, tmp_path: Path) -> None:
    assert export.export(kept, "md", tmp_path / "a.md") == 3

    assert (tmp_path / "a.md").read_text(encoding="utf-8").count("\n---\n") == 2


def test_warc_is_all_that_was_fetched(kept: Store, tmp_path: Path) -> None:
    assert export.export(kept, "warc", tmp_path / "a.warc.gz") == 4

    with (tmp_path / "a.warc.gz").open("rb") as file:
        bodies = [
            record.raw_stream.read()
            for record in ArchiveIterator(file, check_digests="raise")
            if record.rec_type == "response"
        ]
    assert bodies == [b"a", b"b", b"c", b"d"]


@pytest.mark.parametrize("form", export.FORMATS)
def test_an_empty_archive_can_be_exported(archive: Store, tmp_path: Path, form: str) -> None:
    assert export.export(archive, form, tmp_path / "out") == 0
    assert (tmp_path / "out").exists()


def test_a_file_is_replaced_only_by_force(kept: Store, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.write_text("precious", encoding="utf-8")

    with pytest.raises(ArchiveError, match="already exists"):
        export.export(kept, "jsonl", out)
    assert out.read_text(encoding="utf-8") == "precious"

    export.export(kept, "jsonl", out, overwrite=True)
    assert len(out.read_text(encoding="utf-8").splitlines()) == 3


def test_an_export_that_fails_leaves_nothing(kept: Store, tmp_path: Path) -> None:
    next((kept.folder / "warc").iterdir()).unlink()
    before = sorted(tmp_path.iterdir())

    with pytest.raises(ArchiveError, match="is missing"):
        export.export(kept, "warc", tmp_path / "out")
    with pytest.raises(BroadsheetError, match="No such file"):
        export.export(kept, "jsonl", tmp_path / "nowhere" / "out")
    with pytest.raises(ArchiveError, match="'xls' is not a known format"):
        export.export(kept, "xls", tmp_path / "out")
    for choice in ({"words": ("x",)}, {"section": "x"}, {"author": "x"}, {"language": "x"}, {"tag": "x"}):
        with pytest.raises(ArchiveError, match="can be limited only by date, source and kind"):
            export.export(kept, "warc", tmp_path / "out", **choice)

    assert sorted(tmp_path.iterdir()) == before


def test_a_warc_file_is_compressed_as_its_name_says(kept: Store, tmp_path: Path) -> None:
    for name in ("a.warc", "a.warc.gz"):
        export.export(kept, "warc", tmp_path / name)

    plain, packed = (tmp_path / "a.warc").read_bytes(), (tmp_path / "a.warc.gz").read_bytes()
    assert plain.startswith(b"WARC/1.1\r\n")
    assert gzip.decompress(packed) == plain


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz"])
def test_files_that_are_merged_during_a_warc_export_are_exported_once(
    archive: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    clock = ManualClock(NOON)
    with archive.writer(machine=clock, most_files=3) as writer:
        for number in range(3):
            keep(writer, f"p{number}", b"%d" % number)
        expected = export.export(archive, "warc", tmp_path / f"before-{name}")
        listed = archive.warc_places()
        keep(writer, "p3", b"3")
        clock.advance(GRACE * 2)
        writer.heartbeat()

        monkeypatch.setattr(archive, "warc_places", lambda: listed)
        number = export.export(archive, "warc", tmp_path / name)

    assert len(list((archive.folder / "warc").iterdir())) == 1
    assert number == expected == 3
    assert (tmp_path / name).read_bytes() == (tmp_path / f"before-{name}").read_bytes()
