import json
from datetime import timedelta
from pathlib import Path

import pytest

pytest.importorskip("scrapy")
pytest.importorskip("pyarrow")

from benchmarks.month import START, DayWatch, archive_files, growth, is_flat, main

from broadsheet.newsweb.web import NewsWeb

pytestmark = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="only Linux tells a process's memory")


def test_two_days_of_a_site_are_measured_and_compared_with_the_truth(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target, archive = tmp_path / "month.json", tmp_path / "archive"

    code = main(["--days", "2", "--sources", "1", "--json", str(target), "--archive", str(archive)])

    report = json.loads(target.read_text())
    first, second = report["days"]
    assert code == 0
    assert first["requests"] > 24
    assert second["requests"] > 24
    kinds = ("warc", "visits", "occurrences")
    on_disk = sum(len(list((archive / kind).iterdir())) for kind in kinds)
    assert sum(second["files"][kind] for kind in kinds) + second["merged"] == on_disk
    assert second["merged"] > 0
    assert second["size"] > first["size"]
    assert report["peak"] >= max(first["resident"], second["resident"]) > 0
    assert report["scores"][0]["recall"] > 0.8
    out = capsys.readouterr().out
    assert "memory: day 1" in out
    assert "articles: " in out


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "letter.txt").write_text("mine")

    assert main(["--days", "1", "--archive", str(tmp_path)]) == 1
    assert "is not empty" in capsys.readouterr().err


def test_a_day_without_requests_ends_as_well(tmp_path: Path) -> None:
    web = NewsWeb(seed=1, sites=1)
    watch = DayWatch(tmp_path, web.fetch, lambda _: None)

    watch.fetch(web.home(web.sites[0]), START + timedelta(hours=1), {})
    watch.fetch(web.home(web.sites[0]), START + timedelta(days=2, hours=1), {})

    assert [day.requests for day in watch.days] == [1, 0]
    assert watch.requests == 1


@pytest.mark.parametrize(
    ("megabytes", "flat"),
    [
        ([100, 180, 190, 200, 200, 200, 201, 202, 203], True),
        ([100, 110, 120, 130, 140, 150, 180, 200, 220], False),
        ([100, 200, 300], True),
        # One day that was taken at a bad moment says nothing.
        ([100, 180, 190, 200, 200, 200, 201, 400, 203], True),
        ([100, 180, 190, 200, 200, 200, 201, 20, 203], True),
        # A leak that never stops, fast or slow, and one that sets in late.
        ([300 + 13 * hour for hour in range(24)], False),
        ([300 + 4 * hour for hour in range(24)], False),
        ([300] * 12 + [300 + 10 * hour for hour in range(12)], False),
        # Caches that fill take half as long as the rest.
        ([200 + 20 * hour for hour in range(8)] + [360] * 16, True),
    ],
)
def test_memory_is_flat_if_it_stops_growing(megabytes: list[int], flat: bool) -> None:
    assert is_flat(megabytes) == flat


def test_growth_is_that_of_the_last_two_thirds() -> None:
    leak = [300 + 10 * hour for hour in range(24)]

    assert growth(leak) == pytest.approx(150 / 380)
    assert growth([300]) == 0


def test_files_are_counted_by_folder_without_journals(tmp_path: Path) -> None:
    for name in ("catalogue.sqlite", "catalogue.sqlite-wal", "warc/a.warc.gz", "warc/b.warc.gz"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"12345")

    assert archive_files(tmp_path) == ({".": 1, "warc": 2}, 15)
