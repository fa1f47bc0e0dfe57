from pathlib import Path

import pytest

pytest.importorskip("scrapy")
pytest.importorskip("fastwarc")

from benchmarks.crawl.__main__ import Run, bookkeeping_ms, main, ratio


def test_a_run_of_all_crawlers_brings_every_page(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = main([str(folder), "--sample", "4", "--times", "2", "--repeat", "1"])

    out = capsys.readouterr().out
    assert code in (0, 1)
    assert [line.split()[1] for line in out.splitlines()[2:5]] == ["broadsheet", "scrapy", "lean"]
    assert "ratio to scrapy" in out


def test_no_pages_are_said_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "nowhere")]) == 1
    assert capsys.readouterr().err == f"{tmp_path}/nowhere does not exist\n"


def test_the_ratio_is_the_median_over_rounds() -> None:
    def rounds(*seconds: float) -> list[Run]:
        return [Run(100, each, each, each / 2) for each in seconds]

    runs = {"broadsheet": rounds(1, 2, 9), "scrapy": rounds(2, 2, 2), "lean scrapy": rounds(1, 1, 1)}

    assert ratio(runs) == 1
    assert ratio(runs, "lean scrapy") == 0.5
    assert bookkeeping_ms(runs) == pytest.approx(5)
