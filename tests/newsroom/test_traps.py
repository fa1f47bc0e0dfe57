"""Sites that would cost without end: every cap of the newsroom, broken."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

import pytest

from broadsheet.archive import Archive, PageState
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsroom.filters import classify
from broadsheet.newsroom.simulation import simulate
from broadsheet.newsweb.response import Response
from tests.newsroom.site import HOME, HOUR, START, ScriptedSite, article_path, front, story


def test_a_round_collects_no_more_than_its_budget_and_the_next_one_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("broadsheet.newsroom.newsroom.BUDGET", 5)
    numbers = range(1, 9)
    pages = {article_path(number): story(str(number)) for number in numbers}
    site = ScriptedSite({"/": front(*map(article_path, numbers)), **pages})

    first = site.crawl(tmp_path, snapshots=1)
    second = site.crawl(tmp_path, snapshots=1, start=START + HOUR)

    assert (first.articles, second.articles) == (5, 3)
    assert first.failures == {"over the round's budget": 3}


def test_an_address_that_is_too_long_is_not_kept(tmp_path: Path) -> None:
    long = article_path(1) + "x" * classify.MAX_URL
    site = ScriptedSite({"/": front(long)})

    progress = site.crawl(tmp_path, snapshots=1)

    assert progress.failures == {"address too long": 1}
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


def test_a_page_belongs_to_the_source_that_saw_it_first(tmp_path: Path) -> None:
    site = ScriptedSite(
        {
            "/": front(article_path(1), also='<a href="/sport/">Sport</a>'),
            "/sport/": front(*map(article_path, range(1, 10))),
            **{article_path(number): story(str(number)) for number in range(1, 10)},
        }
    )
    both = Assignment((HOME, HOME + "sport/"), every=3600.0, snapshots=3)

    simulate(tmp_path, site.fetch, START, both)

    with Archive.open(tmp_path) as archive:
        titles = [stored.article.title for stored in archive.articles()]
        states = {record.state for source in archive.sources() for record in archive.sections(source.key)}
        assert list(archive.check()) == []
    assert sorted(map(str, titles)) == sorted(map(str, range(1, 10)))
    assert states == {PageState.FETCHED}
