"""Sources that behave oddly for a while: what they bring is archived all the same, at the pace that follows."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from broadsheet.archive import EventKind, Phase, ScheduledPage, Store
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsweb.response import Response, failure
from broadsheet.simulation.simulated_crawl import simulate
from tests.newsroom.site import HOME, ONCE, START, ScriptedSite, article_path, front, story

HOUR = timedelta(hours=1)
MENU = "".join(f'<a href="/{name}">{name.title()}</a>' for name in ("sport", "culture", "politics"))
PACED = replace(ONCE, pace="arrivals")
Page = Callable[[datetime], str | Response]


def site(home: Page, sport: Page, stories: int) -> ScriptedSite:
    """Return a site with a home page and one section as given, and two sections that never change."""
    quiet = {f"/{name}": front(*map(article_path, range(900, 908)), also=MENU) for name in ("culture", "politics")}
    numbers = (*range(stories), *range(900, 908))
    pages = {article_path(number): story(f"Story {number}") for number in numbers}
    return ScriptedSite({"/": home, "/sport": sport, **quiet, **pages})


def hourly(now: datetime, start: datetime = START) -> str:
    """Return a section to which one article comes every hour."""
    hours = max(0, (now - start) // HOUR)
    return front(*map(article_path, range(hours, hours + 10)), also=MENU)


def still(now: datetime) -> str:
    """Return a home page that never changes."""
    del now
    return front(*map(article_path, range(900, 906)), also=MENU)


def section(folder: Path, name: str) -> ScheduledPage:
    with Store.open(folder) as archive:
        [found] = [each for each in archive.sections() if each.page.key.endswith(f"/{name}")]
    return found


def archived(folder: Path) -> set[str]:
    with Store.open(folder) as archive:
        return {stored.article.title or "" for stored in archive.articles()}


def test_a_source_whose_clock_is_a_year_slow_is_visited_for_what_it_brings(tmp_path: Path) -> None:
    start = START + timedelta(days=365)
    late = site(still, lambda now: hourly(now, start), 50)

    late.crawl(tmp_path, snapshots=36, start=start, settings=PACED)

    assert {f"Story {number}" for number in range(40)} <= archived(tmp_path)
    assert (section(tmp_path, "sport").entry.every or 0) <= 3 * 3600, "it brings an article every hour"
    assert (section(tmp_path, "culture").entry.every or 0) > 6 * 3600, "it brings nothing"


def test_a_home_page_that_is_empty_for_a_day_changes_no_pace_and_no_phase(tmp_path: Path) -> None:
    empty = site(lambda now: front() if 26 <= (now - START) / HOUR <= 50 else still(now), hourly, 70)

    empty.crawl(tmp_path, snapshots=52, settings=PACED)

    assert {f"Story {number}" for number in range(58)} <= archived(tmp_path)
    assert (section(tmp_path, "sport").entry.every or 0) <= 3 * 3600
    with Store.open(tmp_path) as archive:
        assert archive.sources()[0].phase.phase is Phase.EXPLOITATION
        assert [str(event.detail["phase"]) for event in archive.events(kinds=[EventKind.PHASE])] == ["exploitation"]


@pytest.mark.parametrize("status", [403, 429])
def test_a_source_that_blocks_us_for_a_day_is_asked_less_and_visited_soon_when_it_is_back(
    tmp_path: Path, status: int
) -> None:
    first, last = START + 14.5 * HOUR, START + 38.5 * HOUR

    def blocking(page: Page) -> Page:
        return lambda now: failure(status, b"go away", now) if first < now < last else page(now)

    blocked = site(blocking(still), blocking(hourly), 60)
    quiet = blocked.pages["/culture"]
    blocked.pages["/culture"] = blocking(lambda _: str(quiet))

    blocked.crawl(tmp_path, snapshots=42, settings=replace(PACED, pace="fixed"))

    # The crawler tries a page that answers 429 three times at once.
    asked = {hour for hour in blocked.hours("/sport") if 14.5 < hour < 38.5}
    assert len(asked) <= 6, "each time it waits twice as long"
    assert min(hour for hour in blocked.hours("/sport") if hour > 38.5) <= 40.5, "an hour after the home page came"
    assert section(tmp_path, "sport").entry.every == 3600.0
    with Store.open(tmp_path) as archive:
        kinds = [event.kind for event in archive.events(kinds=[EventKind.SOURCE_FAILING, EventKind.SOURCE_BACK])]
    assert kinds == [EventKind.SOURCE_FAILING, EventKind.SOURCE_BACK]


def test_a_source_that_wakes_after_a_week_with_300_articles_in_an_hour_loses_none(tmp_path: Path) -> None:
    wakes = START + 170 * HOUR

    def home(now: datetime) -> str:
        return still(now) if now < wakes else front(*map(article_path, range(40)), also=MENU)

    def sport(now: datetime) -> str:
        return front(*map(article_path, range(900, 908) if now < wakes else range(300)), also=MENU)

    assignment = Assignment((HOME,), every=2 * 3600.0, snapshots=89)
    sleeping = site(home, sport, 300)

    simulate(tmp_path, sleeping.fetch, START, assignment, settings=PACED)

    week = [hour for hour in sleeping.hours("/sport") if hour < 170]
    assert len(week) < 40, "a sleeping section is visited less and less"
    assert min(hour for hour in sleeping.hours("/sport") if hour >= 170) <= 174, "the home page has shown that it woke"
    assert {f"Story {number}" for number in range(300)} <= archived(tmp_path)


def test_a_section_that_never_brought_anything_keeps_its_pace_when_much_comes_at_once(tmp_path: Path) -> None:
    comes = START + 60 * HOUR

    def home(now: datetime) -> str:
        return still(now) if now < comes else front(*map(article_path, range(500, 540)), also=MENU)

    busy = site(home, hourly, 600)

    busy.crawl(tmp_path, snapshots=66, settings=PACED)

    assert any(60 <= hour <= 62.5 for hour in busy.hours("/sport")), "it brings an article every hour"
    assert not any(60 <= hour <= 62.5 for hour in busy.hours("/culture"))
