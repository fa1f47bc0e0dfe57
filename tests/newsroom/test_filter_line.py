"""The line of filters: its order, filters of other packages, and filters that drop, break or die."""

import importlib
import json
from pathlib import Path

import pytest

from broadsheet.archive import PageState, Store, VisitReason
from broadsheet.base import reasons
from broadsheet.base.errors import ConfigError
from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.cli import exits
from broadsheet.newsroom.line import BUILT_IN, FilterSettings, build_line
from broadsheet.newsroom.newsroom_errors import UnknownFilter
from broadsheet.newsroom.page_visit import Breakdown, Drop, FetchedVisit, Findings
from tests.newsroom.program import LOOPBACK, articles, run, serving
from tests.newsroom.site import HOME, START, ScriptedSite, article_path, front, story

FILTERS = '''
import ctypes

from broadsheet.base import counter_names
from broadsheet.base.reasons import Reason
from broadsheet.newsroom.filters.read_filter import ReadFilter
from broadsheet.newsroom.newsroom_errors import Dropped

ADVERT = Reason("advert", "the page is an advertisement", event=counter_names.SKIPPED)


class AdvertFilter:
    """Drops adverts, and notes how long other pages are."""

    def __init__(self, settings):
        self.settings = settings

    def apply(self, visit):
        if b"number-2-" in visit.fetched.url.encode():
            raise Dropped(ADVERT, "sells something")
        visit.notes["length"] = len(visit.fetched.content)


class ShoutingReader(ReadFilter):
    """Reads titles in capitals."""

    def apply(self, visit):
        super().apply(visit)
        if visit.article is not None:
            object.__setattr__(visit.article, "title", (visit.article.title or "").upper())


class ClumsyFilter:
    """Stumbles over one page."""

    def __init__(self, settings):
        pass

    def apply(self, visit):
        if "number-1-" in visit.fetched.url:
            raise RecursionError("too deep")


class DeadlyFilter(ClumsyFilter):
    """Takes its process with it on one page."""

    def apply(self, visit):
        if "number-1-" in visit.fetched.url:
            ctypes.string_at(0)
'''
ENTRY_POINTS = """[broadsheet.filters]
advert = paper_filters:AdvertFilter
clumsy = paper_filters:ClumsyFilter
deadly = paper_filters:DeadlyFilter
"""
REPLACED = ENTRY_POINTS + "read = paper_filters:ShoutingReader\n"
PAGES = {
    "/": front(*map(article_path, range(1, 5))),
    **{article_path(number): story(f"story {number}") for number in range(1, 5)},
}


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with filters, which this process and its children find."""
    folder = tmp_path / "site-packages"
    described = folder / "paper_filters-1.0.dist-info"
    described.mkdir(parents=True)
    (folder / "paper_filters.py").write_text(FILTERS)
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: paper-filters\nVersion: 1.0\n")
    (described / "entry_points.txt").write_text(ENTRY_POINTS)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("PYTHONPATH", str(folder))
    importlib.invalidate_caches()
    return described / "entry_points.txt"


def settings(filters: str) -> NewsroomSettings:
    return NewsroomSettings(filters=filters, revisit_after=0)


def fetched(path: str, content: str) -> FetchedVisit:
    url = HOME.rstrip("/") + path
    return FetchedVisit(content.encode(), url, "text/html; charset=utf-8", START, VisitReason.CANDIDATE)


def applied(filters: str, path: str = article_path(3)) -> Findings | Drop | Breakdown:
    """Return what a line finds in an article."""
    return build_line(FilterSettings(newsroom=settings(filters))).apply(fetched(path, story("three")))


def test_the_default_line_judges_and_reads() -> None:
    found = build_line(FilterSettings()).apply(fetched(article_path(3), story("three")))

    assert isinstance(found, Findings)
    assert found.verdict is not None
    assert found.verdict.kind == "article"
    assert found.article is not None
    assert found.article.title == "three"
    assert set(found.evidence) == {"content"}


def test_filters_that_are_not_named_are_not_applied() -> None:
    found = applied("decode, parse, judge, keep")

    assert isinstance(found, Findings)
    assert found.verdict is not None
    assert (found.article, found.links) == (None, None)


@pytest.mark.parametrize(
    ("filters", "told"),
    [
        ("decode, judge, parse, keep", "name this filter after `parse` in newsroom.filters"),
        ("parse, decode, keep", "name `decode` before `parse` in newsroom.filters"),
    ],
)
def test_filters_run_in_the_order_given_and_one_that_comes_too_early_says_so(filters: str, told: str) -> None:
    found = applied(filters)

    assert isinstance(found, Breakdown)
    assert told in found.detail


def test_an_unknown_filter_is_named_with_those_that_are_installed() -> None:
    expected = rf"newsroom\.filters: no filter is called 'sing'; the installed ones are {', '.join(BUILT_IN)}, keep$"

    with pytest.raises(UnknownFilter, match=expected):
        build_line(FilterSettings(newsroom=settings("decode, sing, keep")))


@pytest.mark.usefixtures("package")
def test_the_filters_of_other_packages_are_listed_too() -> None:
    with pytest.raises(UnknownFilter, match=r"installed ones are .*, advert, clumsy, deadly, keep$"):
        build_line(FilterSettings(newsroom=settings("decode, sing, keep")))


def test_the_program_names_an_unknown_filter_in_one_line(tmp_path: Path) -> None:
    code, out, err = run("crawl", tmp_path / "news", "a.example", "--set", "newsroom.filters=decode, sing, keep")

    assert (code, out, err.count("\n")) == (exits.FAILED, "", 1)
    assert "no filter is called 'sing'" in err
    assert not (tmp_path / "news").exists()


@pytest.mark.parametrize("filters", ["", "decode, parse", "keep, decode", "keep, decode, keep"])
def test_keep_must_be_the_last_filter(filters: str) -> None:
    with pytest.raises(ConfigError, match="filters must end with 'keep', and name it once"):
        NewsroomSettings(filters=filters)


@pytest.mark.usefixtures("package")
def test_a_filter_of_another_package_drops_pages_which_are_counted(tmp_path: Path) -> None:
    site = ScriptedSite(PAGES)

    progress = site.crawl(
        tmp_path / "news", snapshots=1, settings=settings("decode, advert, parse, judge, links, read, keep")
    )

    assert progress.articles == 3
    assert progress.skips == {"advert": 1}
    assert "sells something" in progress.examples["advert"].detail
    assert len(site.hours(article_path(2))) == 1
    with Store.open(tmp_path / "news") as archive:
        [status] = archive.status().sources
        assert list(archive.check()) == []
    assert dict(status.skips) == {"advert": 1}


@pytest.mark.usefixtures("package")
def test_a_filter_of_another_package_adds_notes() -> None:
    found = applied("decode, advert, keep")

    assert isinstance(found, Findings)
    assert found.notes == {"length": len(story("three"))}


def test_a_filter_of_another_package_replaces_a_built_in_one(tmp_path: Path, package: Path) -> None:
    package.write_text(REPLACED)
    site = ScriptedSite(PAGES)

    site.crawl(tmp_path / "news", snapshots=1)

    assert articles(tmp_path / "news") == [f"STORY {number}" for number in range(1, 5)]


@pytest.mark.usefixtures("package")
def test_a_filter_that_raises_names_the_page_and_puts_it_aside(tmp_path: Path) -> None:
    site = ScriptedSite(PAGES)

    progress = site.crawl(
        tmp_path / "news", snapshots=3, settings=settings("clumsy, decode, parse, judge, links, read, keep")
    )

    assert progress.failures == {"unexpected": 1}
    assert progress.examples["unexpected"].url == HOME.rstrip("/") + article_path(1)
    assert progress.examples["unexpected"].detail == "cannot be read (unexpected): RecursionError: too deep"
    assert len(site.hours(article_path(1))) == 1
    assert articles(tmp_path / "news") == [f"story {number}" for number in range(2, 5)]


@pytest.mark.long
@pytest.mark.usefixtures("package")
def test_a_filter_that_kills_its_process_costs_one_page_of_a_live_crawl(tmp_path: Path) -> None:
    line = ("--set", "newsroom.filters=deadly, decode, parse, judge, links, read, keep")
    with serving(PAGES) as site:
        code, out, err = run("crawl", tmp_path / "news", site.url, "--snapshots", 2, "--every", "1s", *line, *LOOPBACK)

    assert (code, err) == (exits.DONE, "")
    assert json.loads(out)["failures"] == {reasons.CRASHED: 1}
    [example] = json.loads(out)["examples"]
    assert example["url"] == site.url.rstrip("/") + article_path(1)
    assert site.asked.count(article_path(1)) == 1
    assert site.asked.count("/") == 2
    assert articles(tmp_path / "news") == [f"story {number}" for number in range(2, 5)]
    with Store.open(tmp_path / "news") as archive:
        assert list(archive.check()) == []
        [source] = archive.sources()
        key = source.key + article_path(1)
        assert archive.pages([key])[key].state is PageState.FAILED
