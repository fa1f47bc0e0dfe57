import json
from datetime import date
from pathlib import Path

import pytest

from broadsheet.base.provenance import Provenance
from broadsheet.experiments.experiment_results import ExperimentResults, Plot, ResultTable, format_cell, write

DAY = date(2026, 11, 15)
TABLE = ResultTable("Scores", ("reader", "pages", "F"), (("a|b", 1200, 0.98765), ("none", None, None)))
FOUND = ExperimentResults(
    name="tiny",
    title="A tiny experiment",
    remarks=("It was small.",),
    tables=(TABLE,),
    plots=(Plot("scores", "F by reader", "<svg/>"),),
    figures={"best": 3},
)


def test_a_markdown_table_right_aligns_numbers_and_escapes_text() -> None:
    assert list(TABLE.to_markdown()) == [
        "| reader | pages | F |",
        "|---|---:|---:|",
        "| a\\|b | 1,200 | 0.988 |",
        "| none |  |  |",
    ]


def test_a_row_that_does_not_fit_its_table_is_refused() -> None:
    with pytest.raises(ValueError, match="1 cells for 2 columns"):
        ResultTable("Scores", ("reader", "F"), (("one",),))


def test_results_are_written_as_markdown_and_json(tmp_path: Path) -> None:
    written = write(FOUND, tmp_path / "out", DAY, Provenance("c0de", "m0de1", "5"))

    assert [path.name for path in written] == ["results.json", "results.md", "scores.svg"]
    figures = json.loads(written[0].read_text(encoding="utf-8"))
    assert (figures["date"], figures["best"]) == ("2026-11-15", 3)
    assert figures["made_with"] == {"code": "c0de", "models": "m0de1", "compiled": "5"}
    assert figures["tables"]["Scores"][0] == {"reader": "a|b", "pages": 1200, "F": 0.98765}
    text = written[1].read_text(encoding="utf-8")
    assert "# A tiny experiment" in text
    assert "2026-11-15, measured with code c0de, models m0de1." in text
    assert "![F by reader](scores.svg)" in text


@pytest.mark.parametrize(("cell", "text"), [(1234, "1,234"), (0.5, "0.500"), (None, ""), ("a\nb", "a b")])
def test_cells_are_formatted_for_people(cell: str | float | None, text: str) -> None:
    assert format_cell(cell) == text
