"""Pages with status 200 that stand where an article was: error pages, sections, and sites that are not themselves."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from broadsheet.archive import EventKind, PageState, Store
from broadsheet.base import counter_names, reasons
from broadsheet.base.counters import Counted
from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.newsroom import soft_404
from broadsheet.newsweb.response import Response
from tests.newsroom.site import HOUR, START, ScriptedSite, article_path, front, story

ONE, TWO = article_path(1), article_path(2)
KEY = "gazette.example" + ONE
HOURLY = NewsroomSettings(revisits="steady", revisit_after=3600.0)
ERROR = (
    '<html lang="en"><head><title>Page not found</title></head><body><header><a href="/">The Gazette</a></header>'
    '<h1>Sorry</h1><p>This page is not here any more.</p><form><input name="q"></form></body></html>'
)
LIST = front(*map(article_path, range(2, 14)))

Page = str | Callable[[datetime], str | Response]


def between(first: float, last: float, other: str, usual: str) -> Callable[[datetime], str]:
    """Return a page that is another one for some hours, counted from the start."""
    return lambda at: other if START + first * HOUR < at < START + last * HOUR else usual


def crawl(folder: Path, one: Page, two: Page, snapshots: int = 8) -> ScriptedSite:
    others = {article_path(number): story(f"number {number}") for number in range(3, 14)}
    site = ScriptedSite({"/": front(ONE, TWO), ONE: one, TWO: two, **others})
    site.crawl(folder, snapshots=snapshots, settings=HOURLY)
    return site


def events(folder: Path) -> list[tuple[EventKind, str]]:
    with Store.open(folder) as archive:
        assert list(archive.check()) == []
        return [(event.kind, str(event.detail.get("how", ""))) for event in archive.events(url=KEY)]


@pytest.mark.parametrize("other", [ERROR, LIST])
def test_what_stands_in_place_of_an_article_is_a_deletion_and_no_revision(tmp_path: Path, other: str) -> None:
    crawl(tmp_path, between(1.5, 99, other, story("one")), story("two"))

    assert events(tmp_path) == [(EventKind.NEW_ARTICLE, ""), (EventKind.DELETION, "soft 404")]
    with Store.open(tmp_path) as archive:
        assert [stored.version for stored in archive.versions(KEY)] == [1]
        assert archive.pages([KEY])[KEY].state is PageState.GONE
        assert [record.url for record in archive.sections()] == ["http://gazette.example/"]
        counted = archive.counters.snapshot()
    assert counted[Counted(counter_names.SKIPPED, str(reasons.SOFT_404))] == 2


def test_an_article_that_is_back_at_the_next_visit_was_never_gone(tmp_path: Path) -> None:
    crawl(tmp_path, between(1.5, 2.5, ERROR, story("one")), story("two"))

    assert events(tmp_path) == [(EventKind.NEW_ARTICLE, "")]
    with Store.open(tmp_path) as archive:
        assert [stored.version for stored in archive.versions(KEY)] == [1]
        assert archive.pages([KEY])[KEY].state is PageState.FETCHED


def test_an_article_that_is_back_after_a_day_has_returned(tmp_path: Path) -> None:
    crawl(tmp_path, between(1.5, 9, ERROR, story("one")), story("two"), snapshots=34)

    kinds = [kind for kind, _ in events(tmp_path)]
    assert kinds == [EventKind.NEW_ARTICLE, EventKind.DELETION, EventKind.RETURN]


def test_a_site_that_shows_the_same_page_everywhere_has_deleted_nothing(tmp_path: Path) -> None:
    crawl(tmp_path, between(1.5, 99, ERROR, story("one")), between(1.5, 99, ERROR, story("two")), snapshots=24)

    assert events(tmp_path) == [(EventKind.NEW_ARTICLE, "")]


def test_an_article_that_was_rewritten_from_beginning_to_end_is_a_revision(tmp_path: Path) -> None:
    other = story("entirely new").replace("council", "orchestra").replace("town", "hall").replace("mayor", "conductor")
    crawl(tmp_path, between(1.5, 99, other, story("one")), story("two"))

    assert [kind for kind, _ in events(tmp_path)] == [EventKind.NEW_ARTICLE, EventKind.REVISION]


def test_only_so_many_replaced_articles_are_remembered_and_the_first_are_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(soft_404, "MAX_REPLACED", 2)
    replaced = soft_404.ReplacedArticles()

    for page in ("one", "two", "three"):
        replaced.is_gone("source", page, START)
    replaced.came("source", "another", START + HOUR)

    assert [replaced.is_gone("source", page, START + 2 * HOUR) for page in ("three", "two", "one")] == [
        True,
        True,
        False,
    ]
