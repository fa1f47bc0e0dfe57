"""How often saved pages change their bytes."""

import gzip
import json
import lzma
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

pytest.importorskip("scrapy")

from benchmarks.page_changes import LEFT_OVER, compare_copies, main, read_copies
from benchmarks.replay.golden import Golden, GoldenLabels
from benchmarks.replay.saved_changes import Sameness, sameness_of_fronts

from tests.benchmarks.replay_folder import HOME, SITE, START, moment, write_data

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
Row = dict[str, object]


def write_lines(path: Path, rows: Iterable[Mapping[str, object]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with lzma.open(path, "wt") as lines:
        lines.writelines(json.dumps(row) + "\n" for row in rows)
    return path


def saved(page: str, minutes: int, links: str = "", same_as: int | None = None) -> Row:
    """Return a row of saved links; each letter is one."""
    row: Row = {"page": page, "ts": moment(START + minutes * MINUTE)}
    if same_as is not None:
        return {**row, "same_as": moment(START + same_as * MINUTE)}
    return {**row, "links": [[f"{HOME}{letter}", "/html/body/a", letter] for letter in links]}


def test_only_snapshots_with_the_same_links_in_the_same_order_are_compared(tmp_path: Path) -> None:
    rows = [
        saved("sport", 0, "ab"),
        saved("sport", 30, same_as=0),
        saved("sport", 60, "ab"),
        saved("sport", 90, "ba"),
        # Too long after the one before.
        saved("sport", 150, same_as=90),
        saved("politics", 0, "ab"),
        saved("politics", 30, "abc"),
    ]

    found = sameness_of_fronts(write_lines(tmp_path / "links.jsonl.xz", rows))

    assert found == {"sport": Sameness(pairs=2, same=1, apart=30 * MINUTE)}


def test_the_chance_to_stay_the_same_shrinks_with_time() -> None:
    half = Sameness(pairs=8, same=4, apart=30 * MINUTE)

    assert half.chance(30 * MINUTE) == pytest.approx(0.5)
    assert half.chance(HOUR) == pytest.approx(0.25)
    assert replace(half, same=0).chance(MINUTE) == 0
    assert replace(half, same=8).chance(DAY) == 1


def copy(minutes: int, linked: Iterable[str], pages: Mapping[str, str]) -> tuple[Row, list[Row]]:
    """Return the home page of a copy of a site, and its pages by name with their digests."""
    at = moment(START + minutes * MINUTE)
    home: Row = {"ts": at, "file": "index.html", "links": [[f"{name}#top", None, "", ""] for name in linked]}
    return home, [{"ts": at, "file": name, "blob": blob, "canonical": f"{HOME}{name}"} for name, blob in pages.items()]


def test_pages_that_the_home_page_links_to_in_both_copies_are_told_from_what_is_left_over(tmp_path: Path) -> None:
    copies = [
        copy(0, ["story", "kept"], {"story": "1", "kept": "1"}),
        copy(4, ["story"], {"story": "1", "kept": "1"}),
        copy(24, ["story"], {"story": "2", "kept": "1"}),
    ]
    write_lines(tmp_path / "links.jsonl.xz", [home for home, _ in copies])
    write_lines(tmp_path / "pages.jsonl.xz", [row for _, rows in copies for row in rows])
    labels = GoldenLabels(
        Golden(f"{SITE}/{name}", f"{HOME}{name}", "ARTICLE", "", is_certain=True, anchor="")
        for name in ("story", "kept")
    )

    read = read_copies(tmp_path, labels)

    assert compare_copies(read, "ARTICLE") == {5: Sameness(1, 1, 4 * MINUTE), 35: Sameness(2, 0, 22 * MINUTE)}
    assert compare_copies(read, LEFT_OVER) == {35: Sameness(1, 1, 20 * MINUTE)}
    assert compare_copies(read, "SECTION") == {}


def test_the_command_shows_both_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_data(tmp_path).joinpath("temporal")
    rows = [saved("index", 0, "ab"), saved("index", 30, same_as=0), saved("index", 60, "ab")]
    write_lines(folder / "links" / f"{SITE}.jsonl.xz", rows)
    home, pages = copy(0, ["story"], {"story": "1"})
    later, later_pages = copy(10, ["story"], {"story": "1"})
    write_lines(folder / "foxnews.com" / "links.jsonl.xz", [home, later])
    write_lines(folder / "foxnews.com" / "pages.jsonl.xz", [*pages, *later_pages])
    with gzip.open(folder / "gold" / "foxnews.com.jsonl.gz", "wt") as gold:
        gold.write(json.dumps({"url": f"{HOME}story", "label": "ARTICLE", "confidence": "high"}) + "\n")

    assert main(["--snapshots", str(tmp_path)]) == 0
    fronts, linked = capsys.readouterr().out.split("\n\n")
    assert fronts.splitlines()[2].split()[1:-1:2] == [SITE, "1", "2", "0.500", "0", "0"]
    assert "1.000 of 1" in linked


def test_a_folder_without_snapshots_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--snapshots", str(tmp_path)]) == 1
    assert "no snapshots here" in capsys.readouterr().err
