import json
from pathlib import Path

import pytest
from benchmarks.__main__ import SYSTEMS, main
from benchmarks.pages import Page
from benchmarks.stages import BASELINE
from benchmarks.system import Run, System


def picky() -> Run:
    def run(page: Page) -> str:
        if page.id.endswith("/1"):
            raise ValueError(page.text)
        return page.text * 2

    return run


PICKY = System("picky", "lxml", picky)
ABSENT = System("absent", "no-such-distribution", picky)


@pytest.fixture(autouse=True)
def _loud(monkeypatch: pytest.MonkeyPatch) -> None:
    """Undo the silencing of the process, for later tests."""
    monkeypatch.setattr("benchmarks.__main__.quiet", lambda: None)


def test_table_and_json_agree(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "bench.json"
    code = main([str(folder), "--json", str(target), "--sample", "14"], [BASELINE, PICKY, ABSENT])
    out, err = capsys.readouterr()
    report = json.loads(target.read_text())
    bare, picked = report["systems"]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in out.splitlines() if "|" in line]
    assert code == 0
    assert [row[0] for row in rows[2:]] == ["lxml parse", "picky"]
    times = ["median ms", "mean ms", "p95 ms", "ratio", "ratio of medians"]
    assert rows[0] == ["system", "version", *times, "errors", "peak MB"]
    assert [row[7] for row in rows[2:]] == ["0", str(sum(picked["errors"].values()))] == ["0", "3"]
    assert (len(bare["ms"]), len(picked["ms"])) == (14, 11)
    same = [bare["ms"][page_id] for page_id in picked["ms"]]
    assert picked["ratio"] == pytest.approx(sum(picked["ms"].values()) / sum(same))
    assert rows[3][5] == f"{picked['ratio']:.2f}"
    assert bare["peak_mb"] > 0
    assert "absent is not installed and left out (pip install 'broadsheet[bench]')" in err.splitlines()
    assert "picky failed on 3 of 14 pages: ValueError in test_benchmark_command.py, run" in err.splitlines()
    assert (report["pages"], report["seed"], report["repeat"]) == (14, 1, 3)
    assert "14 pages" in out.splitlines()[-1]
    assert report["machine"]["date"] in out.splitlines()[-1]
    assert "Some text" not in target.read_text()


def test_only_keeps_the_baseline(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = System("other", "lxml", picky)
    assert main([str(folder), "--only", "picky", "--no-memory"], [BASELINE, PICKY, other]) == 0
    out = capsys.readouterr().out
    assert "lxml parse" in out
    assert "picky" in out
    assert "other" not in out


def test_scaling_reports_slopes(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "bench.json"
    arguments = [str(folder), "--scaling", "--grown", "2", "--repeat", "1", "--json", str(target)]
    assert main(arguments, [BASELINE, PICKY]) == 0
    (row,) = json.loads(target.read_text())["scaling"]
    assert row["name"] == "lxml parse"
    assert list(row["ns_per_byte"]) == ["1", "2", "5", "10", "20", "50"]
    assert row["slope"] < row["steepest"] + 1e-9 < 2
    assert "slope" in capsys.readouterr().out


def test_list_shows_every_system_without_pages(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--list"], [BASELINE, ABSENT]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.split() == ["lxml", "parse", BASELINE.version]
    assert second.split() == ["absent", "not", "installed"]
    assert len({system.name for system in SYSTEMS}) == len(SYSTEMS)


@pytest.mark.parametrize("wrong", [[], ["x", "--only", "nobody"], ["x", "--repeat", "0"], ["x", "--sample", "0"]])
def test_wrong_usage_exits_with_2(wrong: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(wrong)
    assert caught.value.code == 2


def test_a_folder_without_pages_exits_with_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1
