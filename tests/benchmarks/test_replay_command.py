"""The whole benchmark on a made-up data folder."""

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("scrapy")

from benchmarks.replay.__main__ import main
from benchmarks.replay.measuring import Archived, Conditions, compare, prepare
from benchmarks.replay.row import Row, lay_out, mean
from benchmarks.replay.snapshots import Folder
from benchmarks.replay.standins import unpack

from broadsheet.base import urls
from tests.benchmarks.replay_folder import ABOUT, CULTURE, HOME, LATE, NEW, ODD, POLITICS, SITE, write_data

REQUIRED = (
    "site",
    "fresh",
    "fresh_archived",
    "archived",
    "archived_wrong",
    "saved_sections",
    "saved_sections_followed",
    "requests",
    "bytes",
)


def run(data: Path, *options: str) -> int:
    return main(["--snapshots", str(data), "--pages", str(data), *options])


def test_the_newsroom_is_measured_on_a_replayed_site(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, results = write_data(tmp_path / "data"), tmp_path / "rows.json"

    code = run(data, "--json", str(results), "--archives", str(tmp_path / "archives"))

    output = capsys.readouterr()
    (row,) = json.loads(results.read_text())
    assert code == 0
    assert list(row)[: len(REQUIRED)] == list(REQUIRED)
    assert (row["site"], row["fresh"], row["saved_sections"]) == (SITE, 2, 1)
    # The new article stands on the home page for three hours.
    assert row["fresh_archived"] >= 1
    assert row["requests"] == sum(tally["requests"] for tally in row["by_class"].values()) > 7
    assert row["bytes"] == sum(tally["bytes"] for tally in row["by_class"].values())
    assert row["by_class"]["saved"]["not_modified"] > 0
    assert row["peak_mb"] > 0
    assert f"| {SITE} |" in output.out
    assert f"{SITE}: {row['fresh_archived']} of 2 fresh articles" in output.err
    assert (tmp_path / "archives" / SITE).is_dir()


def test_an_archive_is_compared_with_the_golden_labels(tmp_path: Path) -> None:
    data = write_data(tmp_path / "data")
    for name in ("standins", "html"):
        (tmp_path / name).mkdir()
    replay = prepare(SITE, Conditions(Folder.find(data), unpack(data, None, tmp_path / "standins")), tmp_path / "html")
    articles = (NEW, LATE, ABOUT, CULTURE, ODD, f"{HOME}unlabelled/")

    row = compare(replay, Archived(frozenset(map(urls.key, articles)), frozenset({urls.key(POLITICS)})))

    assert (row.fresh, row.fresh_archived, row.fresh_brief, row.fresh_brief_archived) == (2, 1, 1, 1)
    assert (row.archived, row.archived_wrong, row.archived_uncertain, row.archived_unlabelled) == (5, 2, 1, 1)
    assert (row.saved_sections, row.saved_sections_followed, row.followed) == (1, 1, 1)
    assert row.wrong.keys() == {ABOUT, CULTURE}
    assert list(row.missed.values()) == ["never asked for"]


@pytest.mark.parametrize("inner", ["", "temporal"])
def test_the_folder_may_be_the_whole_data_or_only_the_snapshots(tmp_path: Path, inner: str) -> None:
    data = write_data(tmp_path)

    assert Folder.find(data / inner).sites() == [SITE]


def change(data: Path, name: str, content: bytes | None) -> None:
    file = data / name
    if content is None:
        file.unlink()
    else:
        file.write_bytes(content)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("temporal/manifest.jsonl.gz", None, "no snapshots here"),
        (f"temporal/html/{SITE}.tar.xz", None, "no snapshots here"),
        (f"temporal/html/{SITE}.tar.xz", b"not packed", "cannot be unpacked"),
        (f"temporal/gold/{SITE}.jsonl.gz", None, f"no golden labels of {SITE}"),
        (f"temporal/gold/{SITE}.jsonl.gz", b"not packed", "cannot be read as golden labels"),
        ("pages/papers.tar.xz", None, "no corpus here"),
    ],
)
def test_a_folder_of_another_layout_is_reported_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, content: bytes | None, message: str
) -> None:
    data = write_data(tmp_path)
    change(data, name, content)

    assert run(data) == 1
    *_, line = capsys.readouterr().err.splitlines()
    assert message in line


def test_a_site_that_is_not_there_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(write_data(tmp_path), "--sites", "nowhere.example") == 1
    assert capsys.readouterr().err == (f"{tmp_path}/temporal: no site nowhere.example; its sites are {SITE}\n")


@pytest.mark.parametrize("option", [("--every", "0"), ("--every", "nan"), ("--jobs", "0")])
def test_options_that_cannot_be_are_refused(tmp_path: Path, option: tuple[str, str]) -> None:
    with pytest.raises(SystemExit):
        run(tmp_path, *option)


def row(**figures: Any) -> Row:
    names = (*REQUIRED[1:],)
    return Row(**{"site": SITE, **dict.fromkeys(names, 0), **figures})


def test_the_mean_is_over_the_sites_that_have_a_share() -> None:
    rows = [row(fresh=10, fresh_archived=5), row(fresh=2, fresh_archived=2), row()]

    assert mean([each.recall for each in rows]) == 0.75
    assert mean([each.wrong_share for each in rows]) is None
    assert "0.750" in lay_out(rows).splitlines()[5]
