"""Sites that would cost without end: every cap of the newsroom, broken."""

from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

import pytest

from broadsheet.archive import Store
from broadsheet.base import urls
from broadsheet.base.quotas import Quotas
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsweb.response import Response, ServedContent, answer, failure
from broadsheet.simulation.simulated_crawl import simulate
from tests.newsroom.site import HOME, HOUR, START, ScriptedSite, article_path, front, story


def test_an_address_that_is_too_long_is_not_kept(tmp_path: Path) -> None:
    long = article_path(1) + "x" * urls.MAX_LENGTH
    site = ScriptedSite({"/": front(long)})

    progress = site.crawl(tmp_path, snapshots=1)

    assert progress.skips == {"address too long": 1}
    assert site.asked == [("/", 200)]


@pytest.mark.parametrize("tag", ['"' + "x" * 1000 + '"', '"a\x07b"'])
def test_a_validator_that_is_no_short_line_is_not_sent_back(tmp_path: Path, tag: str) -> None:
    asked: list[Mapping[str, str]] = []

    def fetch(url: str, at: datetime, headers: Mapping[str, str]) -> Response:
        del at
        if url.endswith("/robots.txt"):
            return Response(404, {}, b"")
        asked.append(headers)
        return Response(200, {"Content-Type": "text/html", "ETag": tag}, front(article_path(1)).encode())

    simulate(tmp_path, fetch, START, Assignment((HOME,), every=3600.0, snapshots=2))

    assert len(asked) > 1
    assert not any(name.lower() == "if-none-match" for headers in asked for name in headers)


def crawled(folder: Path, site: ScriptedSite, snapshots: int = 1) -> list[str]:
    """Follow a site, each snapshot in a run of its own, and return the titles that were archived."""
    for number in range(snapshots):
        site.crawl(folder, snapshots=1, start=START + number * HOUR)
    with Store.open(folder) as archive:
        assert list(archive.check()) == []
        return sorted(stored.article.title or "" for stored in archive.articles())


@pytest.mark.parametrize("date", ["0001-01-01T00:00:00+02:00", "9999-12-31T23:59:59-05:00", "1600-01-01"])
def test_a_date_at_the_end_of_the_calendar_stops_nothing(tmp_path: Path, date: str) -> None:
    stated = f'<meta property="article:published_time" content="{date}">'
    site = ScriptedSite({"/": front(article_path(1)), article_path(1): story("one", stated)})

    assert crawled(tmp_path, site) == ["one"]


def test_no_more_sections_are_followed_than_the_cap(tmp_path: Path) -> None:
    bar = "".join(f'<a href="/s{number}/">S{number}</a>' for number in range(6))
    sections = {f"/s{number}/": front(*map(article_path, range(1, 10))) for number in range(6)}
    pages = {article_path(number): story(str(number)) for number in range(1, 10)}
    site = ScriptedSite({"/": front(also=bar), **sections, **pages})

    progress = site.crawl(tmp_path, snapshots=1, quotas=Quotas(max_sections=3))

    assert (progress.sections, progress.skips) == (2, {"too many sections": 4})


def test_an_answer_that_is_no_page_takes_the_validators_with_it(tmp_path: Path) -> None:
    answers: list[Callable[[], str | Response]] = [
        lambda: front(article_path(1)),
        lambda: Response(200, {"Content-Type": "image/png", "ETag": '"p"'}, b"\x89PNG"),
        lambda: front(article_path(1), article_path(2)),
        lambda: front(article_path(1), article_path(2)),
    ]
    site = ScriptedSite(
        {
            "/": lambda at: answers[(at - START) // HOUR](),
            article_path(1): story("one"),
            article_path(2): story("two"),
        }
    )

    titles = crawled(tmp_path, site, 4)

    assert [status for path, status in site.asked if path == "/"] == [200, 200, 200, 304]
    assert titles == ["one", "two"]


def test_a_home_page_that_sends_on_within_its_site_can_still_answer_that_it_did_not_change(tmp_path: Path) -> None:
    site = ScriptedSite(
        {
            "/": lambda at: failure(302, b"", at, extra={"Location": HOME + "en/"}),
            "/en/": front(article_path(1)),
            article_path(1): story("one"),
        }
    )

    titles = crawled(tmp_path, site, 3)

    assert titles == ["one"]
    assert [entry for entry in site.asked if entry[0] in {"/", "/en/"}] == [
        ("/", 302),
        ("/en/", 200),
        ("/en/", 200),
        ("/en/", 304),
    ]


def test_a_home_page_that_sends_on_to_another_site_is_said_to(tmp_path: Path) -> None:
    def fetch(url: str, at: datetime, headers: Mapping[str, str]) -> Response:
        if url == HOME:
            return failure(302, b"", at, extra={"Location": "http://elsewhere.example/"})
        return answer(ServedContent("text/html", front(article_path(1)).encode(), START, 60), at, headers)

    progress = simulate(tmp_path, fetch, START, Assignment((HOME,), every=3600.0, snapshots=2))

    assert (progress.visits, progress.articles) == (0, 0)
    assert progress.skips == {"left the site": 2}


def test_an_outage_of_some_hours_loses_no_page(tmp_path: Path) -> None:
    def recovering(at: datetime) -> str | Response:
        return story("one") if at >= START + 5 * HOUR else failure(503, b"", at)

    site = ScriptedSite({"/": front(article_path(1)), article_path(1): recovering})

    assert crawled(tmp_path, site, 6) == ["one"]


def test_a_dead_address_does_not_hide_a_good_one_of_the_same_page(tmp_path: Path) -> None:
    mobile = "http://m.gazette.example" + article_path(1)
    fronts = {0: front(mobile)}
    site = ScriptedSite(
        {
            "/": lambda at: fronts.get((at - START) // HOUR, front(article_path(1))),
            article_path(1): story("one"),
        }
    )

    assert crawled(tmp_path, site, 3) == ["one"]


def test_one_article_named_as_the_address_of_all_hides_none(tmp_path: Path) -> None:
    canonical = f'<link rel="canonical" href="{HOME.rstrip("/")}{article_path(1)}">'
    pages = {article_path(number): story(str(number), canonical) for number in range(1, 6)}
    site = ScriptedSite({"/": front(*pages), **pages})

    assert crawled(tmp_path, site, 2) == ["1", "2", "3", "4", "5"]


def test_a_section_that_leads_to_another_site_is_not_believed(tmp_path: Path) -> None:
    numbers = range(1, 11)
    site = ScriptedSite(
        {
            "/": front(also='<a href="/sport/">Sport</a>'),
            "/sport/": front(*map(article_path, numbers)),
            **{article_path(number): story(str(number)) for number in numbers},
        }
    )
    crawled(tmp_path, site)
    site.pages["/sport/"] = lambda at: failure(302, b"", at, extra={"Location": "http://elsewhere.example/"})

    progress = site.crawl(tmp_path, snapshots=1, start=START + HOUR)

    assert progress.skips["left the site"] == 1
