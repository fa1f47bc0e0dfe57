"""What a newsroom does with a site, visit by visit, on the virtual clock."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from broadsheet.archive import PageState, Store
from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.newsroom.line import FilterLine
from broadsheet.newsroom.page_visit import FetchedVisit, FilterResult
from broadsheet.newsweb.response import Response, failure
from broadsheet.pages.page_model import page_model
from broadsheet.reading import readers
from tests.newsroom.site import HOME, HOUR, START, ScriptedSite, article_path, front, story

SECTION = '<a href="/sport/">Sport</a>'
LEGAL = '<a href="/imprint">Imprint</a>'


def titles(folder: Path) -> list[str]:
    with Store.open(folder) as archive:
        return sorted(stored.article.title or "" for stored in archive.articles())


def state(folder: Path, path: str) -> PageState:
    key = "gazette.example" + path.rstrip("/")
    with Store.open(folder) as archive:
        return archive.pages([key])[key].state


def test_articles_of_the_home_page_are_archived_once(tmp_path: Path) -> None:
    site = ScriptedSite(
        {
            "/": front(article_path(1), article_path(2)),
            article_path(1): story("one"),
            article_path(2): story("two"),
        }
    )

    progress = site.crawl(tmp_path, snapshots=3)

    assert titles(tmp_path) == ["one", "two"]
    assert (progress.articles, progress.snapshots, progress.unchanged) == (2, 3, 2)
    assert site.asked.count((article_path(1), 200)) == 1


def test_a_section_is_found_and_its_articles_come_with_the_same_snapshot(tmp_path: Path) -> None:
    numbers = range(1, 11)
    site = ScriptedSite(
        {
            "/": front(also=SECTION + LEGAL),
            "/sport/": front(*map(article_path, numbers)),
            "/imprint": story("imprint"),
            **{article_path(number): story(str(number)) for number in numbers},
        }
    )

    progress = site.crawl(tmp_path, snapshots=1)

    assert (progress.sections, progress.articles) == (1, 10)
    with Store.open(tmp_path) as archive:
        assert [record.url for record in archive.sections()] == [HOME, HOME + "sport/"]
    assert "imprint" not in titles(tmp_path)


def test_what_a_section_shows_later_is_archived_later(tmp_path: Path) -> None:
    def sport(at: datetime) -> str:
        return front(*(article_path(number) for number in range(1, 10 + (at - START) // HOUR)))

    pages = {article_path(number): story(str(number)) for number in range(1, 15)}
    site = ScriptedSite({"/": front(also=SECTION), "/sport/": sport, **pages})

    first = site.crawl(tmp_path, snapshots=1).articles
    second = site.crawl(tmp_path, snapshots=3, start=START + HOUR).articles

    assert (first, second) == (9, 3)
    assert len(titles(tmp_path)) == 12


def test_a_page_that_did_not_change_still_counts_as_linking(tmp_path: Path) -> None:
    site = ScriptedSite({"/": front(article_path(1)), article_path(1): story("one")})

    site.crawl(tmp_path, snapshots=2)
    site.crawl(tmp_path, snapshots=2, start=START + 2 * HOUR)

    assert [status for path, status in site.asked if path == "/"] == [200, 304, 304, 304]
    with Store.open(tmp_path) as archive:
        rows = archive.visits().to_table().to_pylist()
        links = archive.last_links("gazette.example")
    first, *later = [row for row in rows if row["page"] == "gazette.example"]
    assert [row["same_as"] for row in later] == [first["visit"]] * 3
    assert "gazette.example" + article_path(1) in [key for key, _, _ in links]


def test_an_article_that_moved_is_kept_under_its_new_address_alone(tmp_path: Path) -> None:
    def moved(at: datetime) -> Response:
        return failure(301, b"", at, extra={"Location": HOME.rstrip("/") + article_path(2)})

    site = ScriptedSite(
        {"/": front(article_path(1), article_path(2)), article_path(1): moved, article_path(2): story("two")}
    )

    site.crawl(tmp_path, snapshots=2)

    assert titles(tmp_path) == ["two"]
    assert state(tmp_path, article_path(1)) is PageState.DUPLICATE
    assert state(tmp_path, article_path(2)) is PageState.FETCHED


def test_an_article_with_another_address_of_its_own_is_kept_once(tmp_path: Path) -> None:
    canonical = f'<link rel="canonical" href="{HOME.rstrip("/")}{article_path(1)}">'
    copy = "/amp/2026/03/02/story-number-1-of-all"
    site = ScriptedSite(
        {
            "/": front(copy, article_path(1)),
            article_path(1): story("one", canonical),
            copy: story("one", canonical),
        }
    )

    site.crawl(tmp_path, snapshots=2)

    assert titles(tmp_path) == ["one"]


def test_a_site_that_calls_its_home_page_the_address_of_every_page_loses_nothing(tmp_path: Path) -> None:
    canonical = f'<link rel="canonical" href="{HOME}">'
    site = ScriptedSite(
        {
            "/": front(article_path(1), article_path(2)),
            article_path(1): story("one", canonical),
            article_path(2): story("two", canonical),
        }
    )

    site.crawl(tmp_path, snapshots=1)

    assert titles(tmp_path) == ["one", "two"]


def test_a_page_that_is_gone_is_not_asked_for_again(tmp_path: Path) -> None:
    site = ScriptedSite({"/": front(article_path(1))})

    progress = site.crawl(tmp_path, snapshots=3)

    assert site.asked.count((article_path(1), 404)) == 1
    assert state(tmp_path, article_path(1)) is PageState.GONE
    assert progress.failures == {"answered 404": 1}


def test_a_page_that_fails_is_tried_again_with_the_next_snapshots_and_then_given_up(tmp_path: Path) -> None:
    site = ScriptedSite({"/": front(article_path(1)), article_path(1): lambda at: failure(403, b"", at)})

    site.crawl(tmp_path, snapshots=5)

    assert site.asked.count((article_path(1), 403)) == 3
    assert state(tmp_path, article_path(1)) is PageState.FAILED


def test_a_page_that_comes_at_the_second_try_is_archived(tmp_path: Path) -> None:
    site = ScriptedSite({"/": front(article_path(1)), article_path(1): lambda at: failure(403, b"", at)})
    site.crawl(tmp_path, snapshots=1)
    site.pages[article_path(1)] = story("one")

    site.crawl(tmp_path, snapshots=1, start=START + HOUR)

    assert titles(tmp_path) == ["one"]


def test_snapshots_go_on_while_the_home_page_cannot_be_reached(tmp_path: Path) -> None:
    site = ScriptedSite({"/": lambda at: failure(503, b"", at)})

    progress = site.crawl(tmp_path, snapshots=2)

    assert progress.snapshots == 2
    assert progress.failures["answered 503"] == 2


def test_a_section_that_is_gone_is_no_longer_followed(tmp_path: Path) -> None:
    numbers = range(1, 11)
    site = ScriptedSite(
        {
            "/": front(also=SECTION),
            "/sport/": front(*map(article_path, numbers)),
            **{article_path(number): story(str(number)) for number in numbers},
        }
    )
    site.crawl(tmp_path, snapshots=1)
    del site.pages["/sport/"]

    site.crawl(tmp_path, snapshots=3, start=START + HOUR)

    assert site.asked.count(("/sport/", 404)) == 1
    assert state(tmp_path, "/sport/") is PageState.GONE


def test_what_is_no_page_is_counted_and_kept_out(tmp_path: Path) -> None:
    def picture(at: datetime) -> Response:
        del at
        return Response(200, {"Content-Type": "image/png"}, b"\x89PNG")

    site = ScriptedSite({"/": front(article_path(1)), article_path(1): picture})

    progress = site.crawl(tmp_path, snapshots=1)

    assert progress.skips == {"not HTML": 1}
    assert titles(tmp_path) == []


def test_links_to_other_sites_are_noted_and_not_followed(tmp_path: Path) -> None:
    site = ScriptedSite({"/": front("http://elsewhere.example" + article_path(1))})

    site.crawl(tmp_path, snapshots=1)

    assert site.asked == [("/", 200)]
    with Store.open(tmp_path) as archive:
        targets = archive.occurrences().to_table()["target"].to_pylist()
    assert targets == ["elsewhere.example" + article_path(1)]


def test_the_archive_of_a_crawl_is_clean(tmp_path: Path) -> None:
    numbers = range(1, 11)
    site = ScriptedSite(
        {
            "/": front(*map(article_path, numbers), also=SECTION + LEGAL),
            "/sport/": front(*map(article_path, numbers)),
            "/imprint": story("imprint"),
            **{article_path(number): story(str(number)) for number in numbers},
        }
    )

    site.crawl(tmp_path, snapshots=3)

    with Store.open(tmp_path) as archive:
        assert list(archive.check()) == []


def test_the_archive_says_what_judged_and_what_read_an_article(tmp_path: Path) -> None:
    site = ScriptedSite({"/": front(article_path(1)), article_path(1): story("one")})

    site.crawl(tmp_path, snapshots=1)

    with Store.open(tmp_path) as archive:
        [stored] = archive.articles()
        judged = archive.pages([stored.key])[stored.key].judged
    assert stored.model == readers.model_of("default")
    assert judged is not None
    assert judged.verdict.model == page_model().card.label
    assert set(judged.evidence) == {"address", "content"}


def test_pages_that_come_again_as_they_were_are_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    apply = FilterLine.apply

    def noted(line: FilterLine, fetched: FetchedVisit) -> FilterResult:
        read.append(fetched.url)
        return apply(line, fetched)

    def without_validators(page: str) -> Callable[[datetime], Response]:
        return lambda _: Response(200, {"Content-Type": "text/html"}, page.encode())

    monkeypatch.setattr(FilterLine, "apply", noted)
    pages = {"/": front(article_path(1)), article_path(1): story("one")}
    site = ScriptedSite({path: without_validators(page) for path, page in pages.items()})

    progress = site.crawl(tmp_path, snapshots=6, settings=NewsroomSettings(revisits="once", revisit_after=3 * 3600.0))

    assert site.asked.count(("/", 200)) == 6
    assert site.asked.count((article_path(1), 200)) == 2
    assert sorted(read) == [HOME, HOME.rstrip("/") + article_path(1)]
    assert progress.unchanged == 6
    assert titles(tmp_path) == ["one"]
