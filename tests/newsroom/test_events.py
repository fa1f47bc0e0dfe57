"""What a crawl writes to the archive's log of events."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from broadsheet.archive import EventKind, Store
from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.newsroom.event_recorder import FAILING_AFTER, MAX_DETAIL
from broadsheet.newsweb.response import Response, failure
from tests.newsroom.site import HOME, HOUR, START, ScriptedSite, article_path, front, service, story

ONE, TWO = article_path(1), article_path(2)
BASE = HOME.rstrip("/")
KEY = "gazette.example" + ONE
SECTION = '<a href="/sport/">Sport</a>'
LATER = NewsroomSettings(revisits="once", revisit_after=3 * 3600.0)

Page = str | Callable[[datetime], str | Response]


def events(folder: Path, *kinds: EventKind) -> list[tuple[EventKind, str, dict[str, Any]]]:
    """Return kind, page and details of the events of some kinds, in order."""
    with Store.open(folder) as archive:
        assert list(archive.check()) == []
        return [(event.kind, event.page, dict(event.detail)) for event in archive.events(kinds=kinds)]


def after(hours: float, then: Page, before: Page) -> Callable[[datetime], str | Response]:
    """Return a page that changes to another one some hours after the start."""

    def at_time(at: datetime) -> str | Response:
        page = then if at > START + hours * HOUR else before
        return page(at) if callable(page) else page

    return at_time


def answering(status: int, location: str = "") -> Callable[[datetime], Response]:
    extra = {"Location": location} if location else {}
    return lambda at: failure(status, b"", at, extra=extra)


def test_a_new_article_is_recorded_once(tmp_path: Path) -> None:
    site = ScriptedSite({"/": front(ONE), ONE: story("one")})

    site.crawl(tmp_path, snapshots=6, settings=LATER)

    expected = {"url": BASE + ONE, "title": "one"}
    assert [event for event in events(tmp_path) if event[0] is not EventKind.PHASE] == [
        (EventKind.NEW_ARTICLE, KEY, expected)
    ]


def test_a_long_title_is_cut_in_an_event(tmp_path: Path) -> None:
    site = ScriptedSite({"/": front(ONE), ONE: story("long " * 100)})

    site.crawl(tmp_path, snapshots=1, settings=LATER)

    [(_, _, detail)] = events(tmp_path)
    assert len(detail["title"]) == MAX_DETAIL


#: Its author is in the metadata alone, so that the text does not change with it.
STORY = story("one").replace("By Jane Doe, ", "")


@pytest.mark.parametrize(
    ("now", "changed", "added", "removed"),
    [
        (STORY.replace("</article>", "<p>The mayor has resigned.</p></article>"), ["text"], 4, 0),
        (STORY.replace("<h1>one", "<h1>Late one").replace('"one"', '"Late one"'), ["title"], 1, 0),
        (STORY.replace('"Jane Doe"', '"Max Roe"'), ["authors"], 0, 0),
    ],
)
def test_a_revision_says_what_changed(tmp_path: Path, now: str, changed: list[str], added: int, removed: int) -> None:
    site = ScriptedSite({"/": front(ONE), ONE: after(1, now, STORY)})

    site.crawl(tmp_path, snapshots=6, settings=LATER)

    [(_, page, detail)] = events(tmp_path, EventKind.REVISION)
    assert (page, detail["version"], detail["changed"]) == (KEY, 2, changed)
    assert (detail["words_added"], detail["words_removed"]) == (added, removed)


@pytest.mark.parametrize(
    ("answer", "how"),
    [
        (answering(404), "404"),
        (answering(410), "410"),
        (answering(302, HOME), "redirect to the home page"),
        (answering(301, BASE + "/sport/"), "redirect to a section"),
    ],
)
def test_an_article_that_is_gone_is_recorded_as_deleted(
    tmp_path: Path, answer: Callable[[datetime], Response], how: str
) -> None:
    others = [article_path(number) for number in range(2, 12)]
    pages = {path: story(path) for path in others}
    site = ScriptedSite(
        {"/": front(ONE, also=SECTION), "/sport/": front(*others), ONE: after(1, answer, story("one")), **pages}
    )

    site.crawl(tmp_path, snapshots=6, settings=LATER)

    [(_, page, detail)] = events(tmp_path, EventKind.DELETION, EventKind.MOVE)
    assert (page, detail["how"]) == (KEY, how)


def test_an_address_that_never_had_an_article_is_not_recorded_as_deleted(tmp_path: Path) -> None:
    site = ScriptedSite({"/": front(ONE, TWO), TWO: answering(302, HOME)})

    site.crawl(tmp_path, snapshots=3, settings=LATER)

    assert (ONE, 404) in site.asked
    assert events(tmp_path) == []


def test_an_article_that_redirects_to_another_address_is_recorded_as_moved(tmp_path: Path) -> None:
    site = ScriptedSite({"/": front(ONE), ONE: after(1, answering(301, BASE + TWO), story("one")), TWO: story("one")})

    site.crawl(tmp_path, snapshots=6, settings=LATER)

    [(_, page, detail)] = events(tmp_path, EventKind.DELETION, EventKind.MOVE)
    assert (page, detail["how"], detail["to"]) == (KEY, "redirect", BASE + TWO)


@pytest.mark.parametrize(("status", "number"), [(301, 1), (302, 0)])
def test_only_a_permanent_redirect_to_another_site_is_a_move(tmp_path: Path, status: int, number: int) -> None:
    away = "http://elsewhere.example/story"
    site = ScriptedSite({"/": front(ONE), ONE: after(1, answering(status, away), story("one")), away: story("one")})

    site.crawl(tmp_path, snapshots=6, settings=LATER)

    found = events(tmp_path, EventKind.MOVE, EventKind.DELETION)
    assert [detail["to"] for _, _, detail in found] == [away] * number


@pytest.mark.parametrize("is_archived", [False, True])
def test_an_article_that_names_another_address_is_recorded_as_moved_once(tmp_path: Path, is_archived: bool) -> None:
    canonical = f'<link rel="canonical" href="{BASE}{TWO}">'
    site = ScriptedSite({"/": front(ONE), ONE: after(1, story("one", canonical), story("one"))})
    if is_archived:
        site.pages["/"] = after(1, front(ONE, TWO), front(ONE))
        site.pages[TWO] = story("one", canonical)

    site.crawl(tmp_path, snapshots=6, settings=LATER)

    [(_, page, detail)] = events(tmp_path, EventKind.MOVE, EventKind.DELETION)
    assert (page, detail["how"], detail["to"]) == (KEY, "canonical", BASE + TWO)


def test_an_article_that_was_gone_returns_as_the_same_article(tmp_path: Path) -> None:
    site = ScriptedSite({"/": front(ONE), ONE: after(1, answering(404), story("one"))})
    site.crawl(tmp_path, snapshots=5, settings=LATER)
    site.pages = {"/": front(ONE + "?utm_source=front"), ONE + "?utm_source=front": story("one")}

    site.crawl(tmp_path, snapshots=2, start=START + 6 * HOUR, settings=LATER)

    kinds = [kind for kind, page, _ in events(tmp_path) if page == KEY]
    assert kinds == [EventKind.NEW_ARTICLE, EventKind.DELETION, EventKind.RETURN]
    with Store.open(tmp_path) as archive:
        assert [stored.version for stored in archive.versions(KEY)] == [1]


def test_sections_are_recorded_when_they_are_found_and_when_they_are_gone(tmp_path: Path) -> None:
    others = [article_path(number) for number in range(1, 11)]
    pages = {path: story(path) for path in others}
    sport = after(1.5, answering(404), front(*others))
    site = ScriptedSite({"/": front(also=SECTION), "/sport/": sport, **pages})

    site.crawl(tmp_path, snapshots=4)

    found = events(tmp_path, EventKind.SECTION_FOUND, EventKind.SECTION_LOST)
    assert [(kind, page) for kind, page, _ in found] == [
        (EventKind.SECTION_FOUND, "gazette.example/sport"),
        (EventKind.SECTION_LOST, "gazette.example/sport"),
    ]
    assert found[1][2]["why"] == "answers with status 404"


def test_a_section_that_a_review_gives_up_is_recorded_as_lost(tmp_path: Path) -> None:
    others = [article_path(number) for number in range(1, 11)]
    pages = {path: story(path) for path in others}
    sport = after(1.5, service(), front(*others))
    site = ScriptedSite({"/": front(also=SECTION), "/sport/": sport, **pages})

    site.crawl(tmp_path, snapshots=6, settings=NewsroomSettings(revisit_after=0, review_every=2 * 3600.0))

    lost = events(tmp_path, EventKind.SECTION_LOST)
    assert [(page, detail["why"]) for _, page, detail in lost] == [
        ("gazette.example/sport", "no longer looks like a section")
    ]


def test_a_source_is_failing_after_some_misses_in_a_row_and_back_when_it_comes(tmp_path: Path) -> None:
    def home(at: datetime) -> str | Response:
        hour = round((at - START) / HOUR)
        return failure(503, b"", at) if hour in {1, 3, 4, 5, 6} else front(ONE)

    site = ScriptedSite({"/": home, ONE: story("one")})

    # The second crawl goes on counting where the first one stopped.
    site.crawl(tmp_path, snapshots=5)
    site.crawl(tmp_path, snapshots=4, start=START + 5 * HOUR)

    [failing, back] = events(tmp_path, EventKind.SOURCE_FAILING, EventKind.SOURCE_BACK)
    assert (failing[0], failing[1], failing[2]["attempts"]) == (
        EventKind.SOURCE_FAILING,
        "gazette.example",
        FAILING_AFTER,
    )
    assert "503" in failing[2]["why"]
    assert back[0] is EventKind.SOURCE_BACK
