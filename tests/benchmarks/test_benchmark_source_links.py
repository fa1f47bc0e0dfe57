"""The benchmark of links over time, on few rows."""

import json
from pathlib import Path

import pytest

pytest.importorskip("duckdb")

from benchmarks.source_links import LINKS, PAGES, main


def test_rows_are_recomputed_and_visits_and_reviews_timed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "costs.json"

    assert main(["--millions", "0.06", "--json", str(target)]) == 0

    found = json.loads(target.read_text())
    [row] = found["recomputed"]
    assert row["occurrences"] == 2 * PAGES * LINKS
    assert row["targets"] == PAGES + 50 + PAGES * (50 + 203)
    assert found["visit_ms"]["fifty_days"] < 4 * found["visit_ms"]["day"]
    assert 0 < found["review"]["bytes"] < 5_000
    assert "one review of 2,000 targets" in capsys.readouterr().out


def test_less_than_one_row_is_refused() -> None:
    with pytest.raises(SystemExit):
        main(["--millions", "0"])
