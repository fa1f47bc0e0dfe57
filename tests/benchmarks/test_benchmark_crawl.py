from pathlib import Path

import pytest

pytest.importorskip("scrapy")
pytest.importorskip("fastwarc")

from benchmarks.crawl import __main__ as command
from benchmarks.crawl.__main__ import BUDGET, Run, bookkeeping_ms, main, ratio


def rounds(*seconds: float) -> list[Run]:
    return [Run(100, each, each, each / 2) for each in seconds]


def test_a_run_of_all_crawlers_fetches_every_page(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Eight pages are too few to measure speed.
    monkeypatch.setattr(command, "BUDGET", 0.0)

    code = main([str(folder), "--sample", "4", "--times", "2", "--repeat", "1"])

    out = capsys.readouterr().out
    assert code == 0
    assert [line.split()[1] for line in out.splitlines()[2:5]] == ["broadsheet", "scrapy", "lean"]
    assert "ratio to scrapy" in out


@pytest.mark.parametrize(("speed", "code"), [(BUDGET * 1.01, 0), (BUDGET * 0.99, 1)])
def test_a_crawler_below_the_minimum_ratio_fails(
    folder: Path, monkeypatch: pytest.MonkeyPatch, speed: float, code: int
) -> None:
    runs = {"broadsheet": rounds(1 / speed), "scrapy": rounds(1), "lean scrapy": rounds(1)}
    monkeypatch.setattr(command, "_measure", lambda *_: runs)

    assert main([str(folder), "--sample", "1"]) == code


def test_missing_pages_are_reported_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "nowhere")]) == 1
    assert capsys.readouterr().err == f"{tmp_path}/nowhere does not exist\n"


def test_the_ratio_is_the_median_over_rounds() -> None:
    runs = {"broadsheet": rounds(1, 2, 9), "scrapy": rounds(2, 2, 2), "lean scrapy": rounds(1, 1, 1)}

    assert ratio(runs) == 1
    assert ratio(runs, "lean scrapy") == 0.5
    assert bookkeeping_ms(runs) == pytest.approx(5)
