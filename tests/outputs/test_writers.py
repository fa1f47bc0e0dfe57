"""One writer per format: what each holds of an article, and of a page that is not one."""

import csv
import io
import json
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from broadsheet.base.moments import Precision
from broadsheet.base.records import Article
from broadsheet.outputs.formats import FORMATS, PARQUET
from broadsheet.outputs.output import Output
from broadsheet.outputs.output_columns import ARCHIVED, READ
from broadsheet.outputs.syndication import atom, rss
from broadsheet.outputs.writers import ROWS_AT_ONCE, Style, write_file, write_text
from tests.outputs.samples import EARLY, NOON, article, section


def text(form: str, *outputs: Output, raw_cells: bool = False) -> str:
    file = io.StringIO(newline="")
    write_text(outputs, Style(form, READ, raw_cells), file)
    return file.getvalue()


def cells(*outputs: Output, raw_cells: bool = False) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text("csv", *outputs, raw_cells=raw_cells), newline="")))


def table(path: Path, *outputs: Output) -> list[dict[str, Any]]:
    parquet = pytest.importorskip("pyarrow.parquet")
    assert write_file(outputs, Style(PARQUET, READ), path) == len(outputs)
    rows: list[dict[str, Any]] = parquet.read_table(path).to_pylist()
    return rows


def test_csv_has_one_flat_row_per_page() -> None:
    one, other = cells(article(), section())

    assert (one["url"], one["canonical_url"]) == ("https://news.example/a?x=1&y=2", "https://news.example/a")
    assert (one["kind"], one["probability"], one["title"]) == ("article", "0.97", "Bridge reopens")
    assert one["authors"] == "Nora Pell\nJ. <Ö> & Co"
    assert (one["published"], one["published_day"]) == ("2026-03-02T01:15:00+02:00", "2026-03-02")
    assert (one["language"], one["section"], one["paywalled"]) == ("en-GB", "City", "false")
    assert one["body"].startswith("It was closed for months.\n\nTwo more")
    assert (one["file"], one["offset"], one["fetched_at"]) == ("a.warc.gz", "512", "2026-03-02T12:00:00+00:00")
    assert (other["url"], other["kind"], other["file"]) == ("https://news.example/", "section", "b.html")
    assert {other[name] for name in ("title", "authors", "published", "published_day", "body", "offset")} == {""}


def test_parquet_has_real_times_days_and_lists(tmp_path: Path) -> None:
    one, other = table(tmp_path / "out", article(), section())

    assert one["published"] == EARLY.astimezone(UTC)
    assert one["published_day"] == date(2026, 3, 2)
    assert (one["modified"], one["fetched_at"], one["offset"]) == (NOON, NOON, 512)
    assert one["authors"] == ["Nora Pell", "J. <Ö> & Co"]
    assert (one["probability"], one["paywalled"]) == (0.97, False)
    assert (other["kind"], other["authors"], other["published"]) == ("section", None, None)


def undated(published: datetime, precision: Precision) -> Output:
    output = article()
    assert output.article is not None
    return replace(output, article=replace(output.article, published=published, published_precision=precision))


def test_a_time_is_as_precise_as_the_page_states_it(tmp_path: Path) -> None:
    outputs = article(), undated(datetime(2026, 3, 2, 7, 15), "minute"), undated(datetime(2026, 3, 2), "day")
    columns = ("published", "published_precision", "published_offset")

    assert [tuple(row[name] for name in columns) for row in cells(*outputs)] == [
        ("2026-03-02T01:15:00+02:00", "minute", "120"),
        ("2026-03-02T07:15:00", "minute", ""),
        ("2026-03-02", "day", ""),
    ]
    assert [tuple(row[name] for name in columns) for row in table(tmp_path / "out", *outputs)] == [
        (EARLY.astimezone(UTC), "minute", 120),
        (datetime(2026, 3, 2, 7, 15, tzinfo=UTC), "minute", None),
        (datetime(2026, 3, 2, tzinfo=UTC), "day", None),
    ]


def test_feeds_say_that_an_offset_is_unknown() -> None:
    output = undated(datetime(2026, 3, 2, 7, 15), "minute")

    assert "<pubDate>Mon, 02 Mar 2026 07:15:00 -0000</pubDate>" in rss([output])[0]
    assert "<published>2026-03-02T07:15:00-00:00</published>" in atom([output, article()])[0]


def test_csv_and_parquet_have_the_same_columns(tmp_path: Path) -> None:
    assert list(cells(article())[0]) == list(table(tmp_path / "out", article())[0])


def test_parquet_is_written_in_groups(tmp_path: Path) -> None:
    many = [replace(article(), offset=number) for number in range(ROWS_AT_ONCE + 1)]

    assert [row["offset"] for row in table(tmp_path / "out", *many)] == list(range(ROWS_AT_ONCE + 1))


def test_json_has_whole_articles_and_where_they_come_from() -> None:
    one, other = (json.loads(line) for line in text("jsonl", article(), section()).splitlines())

    assert json.loads(text("json", article(), section())) == [one, other]
    assert one["article"]["title"] == "Bridge reopens"
    assert (one["file"], one["offset"], one["fetched_at"]) == ("a.warc.gz", 512, "2026-03-02T12:00:00+00:00")
    assert (other["page"], other["article"], other["verdict"]["kind"]) == ("b.html", None, "section")
    assert json.loads(text("json")) == []


def test_markdown_text_and_tei_hold_articles_alone() -> None:
    assert text("md", section(), article()).startswith("# Bridge reopens\n")
    assert text("text", section(), article()).startswith("Bridge reopens\n\nIt was closed")
    assert etree.fromstring(text("tei", section(), article()).encode()).tag.endswith("}TEI")
    assert text("md", section()) == text("text", section()) == ""


@pytest.mark.parametrize("layout", [READ, ARCHIVED])
@pytest.mark.parametrize("form", FORMATS)
def test_every_format_writes_none_one_and_many(tmp_path: Path, form: str, layout: Any) -> None:
    if form == PARQUET:
        pytest.importorskip("pyarrow")
    for number in (0, 1, 3):
        assert write_file([article()] * number, Style(form, layout), tmp_path / "out") == number


@pytest.mark.parametrize("form", FORMATS)
def test_half_a_surrogate_pair_and_control_characters_end_no_file(tmp_path: Path, form: str) -> None:
    if form == PARQUET:
        pytest.importorskip("pyarrow")
    broken = article()
    assert broken.article is not None
    odd = "\ud83d\x00\x0b\ufffe"
    broken = replace(broken, article=replace(broken.article, title=odd, authors=(odd,), url=odd, topics=(odd,)))

    assert write_file([broken, broken], Style(form, READ), tmp_path / "out") == 2

    if form == "tei":
        etree.parse(tmp_path / "out")
    if form != PARQUET:
        (tmp_path / "out").read_text(encoding="utf-8")


def test_a_carriage_return_in_a_cell_does_not_end_the_row() -> None:
    broken = article()
    assert broken.article is not None
    odd = replace(broken, article=replace(broken.article, title="one\rtwo\r\n"))

    assert [row["title"] for row in cells(odd, odd)] == ["one\rtwo\r\n"] * 2


def test_the_first_and_last_years_are_written(tmp_path: Path) -> None:
    first = article()
    assert first.article is not None
    moments = (datetime.min.replace(tzinfo=EARLY.tzinfo), datetime.max.replace(tzinfo=EARLY.tzinfo))
    outputs = [replace(first, article=replace(first.article, published=moment)) for moment in moments]

    for form in FORMATS:
        if form != PARQUET:
            assert len(text(form, *outputs)) > 100
    pytest.importorskip("pyarrow")
    assert write_file(outputs, Style(PARQUET, READ), tmp_path / "out") == 2


@pytest.mark.parametrize("formula", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\uff1d1"])
def test_no_cell_begins_a_formula_unless_raw_cells_are_asked_for(formula: str) -> None:
    page = article()
    assert page.article is not None
    page = replace(page, file=formula, article=replace(page.article, title=formula, authors=(formula, "B")))

    [guarded], [raw] = cells(page), cells(page, raw_cells=True)

    assert (guarded["title"], guarded["authors"], guarded["file"]) == (f"'{formula}", f"'{formula}\nB", f"'{formula}")
    assert (raw["title"], raw["authors"], raw["file"]) == (formula, f"{formula}\nB", formula)


def test_an_archive_has_the_columns_of_pages_and_more() -> None:
    assert ARCHIVED.columns[: len(READ.columns)] == READ.columns


def test_markdown_of_an_article_without_blocks_has_its_body() -> None:
    plain = Output(article=Article(title="A", body="One *star*.\n\n# Two"))

    assert text("md", plain) == "# A\n\nOne \\*star\\*.\n\n\\# Two\n"
