import json
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("scrapy")
pytest.importorskip("pyarrow")

from benchmarks.feeds import WITHOUT, Outlay, main, missed_bars

BEFORE = Outlay(
    case=WITHOUT, published=100, archived=100, wrong=0, requests=900, finding=100_000, reading=100_000, delay=30.0
)


def test_a_quarter_of_a_day_of_one_site_is_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "feeds.json"

    main(["--days", "0.2", "--sites", "1", "--cases", "stale", "--json", str(target)])

    without, stale = json.loads(target.read_text())["cases"]
    assert (without["case"], stale["case"]) == (WITHOUT, "stale")
    assert without["archived"] == stale["archived"] == without["published"] > 0
    assert "| stale " in capsys.readouterr().out


def test_bars_that_are_missed_are_named() -> None:
    good, stale = replace(BEFORE, case="good", finding=50_000), replace(BEFORE, case="stale", finding=103_000)

    assert missed_bars([BEFORE, good, stale]) == []
    assert missed_bars([BEFORE, replace(good, finding=51_000)]) == ["good: finding an article takes 51%"]
    assert missed_bars([BEFORE, replace(stale, finding=105_000)]) == ["stale: all bytes grow by 2.5%"]
    assert missed_bars([BEFORE, replace(good, finding=40_000, archived=99)]) == [
        "good: recall falls from 1.0000 to 0.9900"
    ]
