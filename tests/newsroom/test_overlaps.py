"""Sources inside one another: what one of them goes without is counted and told."""

from pathlib import Path

import pytest

from broadsheet.archive import Store
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsroom.overlaps import contains, innermost, warnings
from broadsheet.simulation.simulated_crawl import simulate
from tests.newsroom.program import LOOPBACK, run, serving
from tests.newsroom.site import HOME, HOUR, START, ScriptedSite, article_path, front, story

NUMBERS = range(1, 10)
PAGES = {
    "/": front(also='<a href="/politics/">Politics</a>'),
    "/politics/": front(*map(article_path, NUMBERS)),
    **{article_path(number): story(str(number)) for number in NUMBERS},
}
SECTION = HOME + "politics/"


def test_pages_that_another_source_keeps_are_counted_once_in_a_run(tmp_path: Path) -> None:
    site = ScriptedSite(PAGES)
    site.crawl(tmp_path, snapshots=1)

    section = Assignment((SECTION,), every=3600.0, snapshots=3)
    progress = simulate(tmp_path, site.fetch, START + HOUR, section)

    assert (progress.articles, progress.skips) == (0, {"kept by another source": 9})
    with Store.open(tmp_path) as archive:
        skips = {entry.source.key: dict(entry.skips) for entry in archive.status().sources}
    assert skips == {"gazette.example": {}, "gazette.example/politics": {"kept by another source": 9}}


def test_a_source_inside_another_is_warned_of(tmp_path: Path) -> None:
    ScriptedSite(PAGES).crawl(tmp_path, snapshots=1)

    (warning,) = warnings(tmp_path, Assignment((SECTION,)))

    assert warning.startswith("gazette.example/politics is part of gazette.example, which")
    assert list(warnings(tmp_path, Assignment((HOME,)))) == []
    assert list(warnings(tmp_path, Assignment(("other.example",)))) == []


def test_sources_that_are_added_together_are_held_against_each_other(tmp_path: Path) -> None:
    assert len(list(warnings(tmp_path / "none", Assignment((HOME, SECTION))))) == 1


def test_a_home_page_that_another_source_found_is_warned_of(tmp_path: Path) -> None:
    desk = "http://desk.gazette.example/"
    ScriptedSite({"/": front(desk)}).crawl(tmp_path, snapshots=1)

    (warning,) = warnings(tmp_path, Assignment((desk,)))

    assert warning.startswith("desk.gazette.example is part of gazette.example, which")


@pytest.mark.parametrize(
    ("source", "key", "inside"),
    [
        ("x.example", "x.example/a", True),
        ("x.example/a", "x.example/a?b", True),
        ("x.example/a", "x.example/ab", False),
        ("x.example", "x.example.org/a", False),
    ],
)
def test_a_page_lies_on_a_site_below_its_home_page(source: str, key: str, inside: bool) -> None:
    assert contains(source, key) is inside


def test_of_several_sources_the_inner_one_is_meant() -> None:
    assert innermost("x.example/a/1", ["x.example", "x.example/a", "x.example/b"]) == "x.example/a"
    assert innermost("x.example/a/1", ["x.example"], longer_than="x.example/a") is None


def test_the_program_warns_and_tells(tmp_path: Path) -> None:
    news = tmp_path / "news"
    with serving(PAGES) as site:
        run("crawl", news, site.url, "--snapshots", "1", *LOOPBACK)
        code, out, err = run("crawl", news, site.url + "politics/", "--snapshots", "1", *LOOPBACK)

    assert code == 0
    assert "/politics is part of 127.0.0.1" in err
    assert '"kept by another source": 9' in out
