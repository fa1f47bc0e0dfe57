"""When a source switches its phase, and whether it follows sections then."""

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from benchmarks.news_crawl.planned_ground import judging_sites
from benchmarks.phase_switch.__main__ import main, show
from benchmarks.phase_switch.followed_pages import CrawledSite, FollowedPages

from broadsheet.base.newsroom_settings import NewsroomSettings
from tests.newsroom.site import HOME, START
from tests.newsroom.test_phases import SECTIONS, steady_site

SETTINGS = NewsroomSettings(revisits="never", render="never")


def followed(snapshot: int | None, known: int = 10, wrong: int = 0) -> FollowedPages:
    return FollowedPages("news.example", "quality", snapshot, 0.9, 12, known, ["https://news.example/"] * wrong)


@pytest.mark.parametrize(
    ("found", "precision", "is_in_time", "is_wrong"),
    [
        (followed(12), 1.0, True, False),
        (followed(24, wrong=1), 0.9, True, False),
        (followed(25, wrong=2), 0.8, False, True),
        (followed(None, wrong=5), 0.5, False, False),
        (followed(12, known=0), None, True, False),
    ],
)
def test_a_switch_is_in_time_and_right(
    found: FollowedPages, precision: float | None, is_in_time: bool, is_wrong: bool
) -> None:
    assert (found.precision, found.is_in_time, found.is_wrong) == (precision, is_in_time, is_wrong)


def test_the_table_sums_up_all_sites() -> None:
    table = show([followed(12), followed(13, wrong=2), followed(None)])

    assert table.endswith("2 of 3 sites switched by snapshot 24, 1 of all wrongly (sections' precision below 0.9)")


def test_a_crawl_ends_with_the_switch_and_its_sections_are_compared() -> None:
    site = steady_site()

    def kind_of(url: str, at: object) -> str | None:
        del at
        return None if url.endswith(SECTIONS[0]) else "other" if url.endswith(SECTIONS[1]) else "section"

    found = CrawledSite("the gazette", HOME, START, site.fetch, kind_of).follow(SETTINGS, most=25)

    assert found.snapshot is not None
    assert (found.followed, found.known, len(found.wrong)) == (len(SECTIONS), len(SECTIONS) - 1, 1)
    assert len(site.hours("/")) <= found.snapshot + 2


def test_sites_that_were_measured_are_not_crawled_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    [site] = judging_sites(1, seed=7)
    figures = tmp_path / "figures.json"
    figures.write_text(json.dumps([asdict(replace(followed(12), site=site.slug))]))

    code = main(["--number", "1", "--seed", "7", "--json", str(figures)])

    assert (code, site.slug in capsys.readouterr().out) == (0, True)
    assert len(json.loads(figures.read_text())) == 1


def test_a_file_of_something_else_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "other.json").write_text('[{"site": 1}]')

    code = main(["--json", str(tmp_path / "other.json")])

    assert code == 1
    assert capsys.readouterr().err.count("\n") == 1
