"""Articles that are formulas: a spreadsheet that opens an export shows them and calculates nothing."""

import csv
from pathlib import Path

import pytest

from broadsheet.archive import Store
from broadsheet.archive.export import export
from broadsheet.cli.commands.export_command import FORMATS
from tests.archive.samples import SOURCE, article, exchange, page
from tests.newsroom.program import run

FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "\uff1d1+1", '=HYPERLINK("http://x.example")']


def kept(folder: Path, text: str) -> Path:
    """Make an archive of one article whose every text is the same."""
    with Store.open(folder, create=True) as archive, archive.writer() as writer:
        batch = writer.batch()
        batch.source(SOURCE)
        batch.page(page("news.example/b"))
        visit = batch.visit("news.example/b", "https://news.example/b", (exchange(b"c"),))
        formula = article(text, text, authors=(text, "A. Author"), description=text, section=text, topics=(text,))
        batch.article("news.example/b", SOURCE.key, formula, visit=visit)
        writer.commit(batch)
    return folder


def cells(path: Path) -> dict[str, str]:
    with path.open(encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file)
    return row


@pytest.mark.parametrize("formula", FORMULAS)
def test_no_cell_of_a_page_begins_a_formula(tmp_path: Path, formula: str) -> None:
    out = tmp_path / "out.csv"

    with Store.open(kept(tmp_path / "news", formula)) as archive:
        export(archive, "csv", out)

    row = cells(out)
    assert row["title"] == row["body"] == row["description"] == row["section"] == row["topics"] == "'" + formula
    assert row["authors"] == f"'{formula}\nA. Author"
    assert not any(cell.startswith(tuple("=+-@\t\r\n\uff1d")) for cell in row.values())


def test_what_is_no_formula_is_left_alone(tmp_path: Path) -> None:
    out = tmp_path / "out.csv"

    with Store.open(kept(tmp_path / "news", "1 - 1 = 0")) as archive:
        export(archive, "csv", out)

    row = cells(out)
    assert row["title"] == "1 - 1 = 0"
    assert row["version"] == "1"
    assert row["url"] == ""


def test_raw_cells_are_written_where_they_are_asked_for(tmp_path: Path) -> None:
    news = kept(tmp_path / "news", "=1+1")

    code, _, err = run("export", news, "-f", "csv", "-o", tmp_path / "out.csv", "--raw-cells")

    assert (code, err) == (0, f"broadsheet: wrote 1 articles to {tmp_path / 'out.csv'}\n")
    assert cells(tmp_path / "out.csv")["title"] == "=1+1"


@pytest.mark.parametrize("form", sorted(set(FORMATS) - {"csv"}))
def test_raw_cells_go_with_csv_alone(tmp_path: Path, form: str) -> None:
    code, _, err = run("export", tmp_path, "-f", form, "-o", tmp_path / "out", "--raw-cells")

    assert code == 2
    assert "--raw-cells only applies to CSV" in err
