"""Sources that behave oddly for a while: what they bring is archived all the same, at the pace that follows."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from broadsheet.archive import USUAL_DEPTH, ArchiveEvent, EventKind, Phase, ScheduledPage, Store
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


def hourly(now: datetime, start: datetime = START, articles: int = 1) -> str:
    """Return a section to which one article, or so many, come every hour."""
    first = articles * max(0, (now - start) // HOUR)
    return front(*map(article_path, range(first, first + 10)), also=MENU)


def still(now: datetime) -> str:
    """Return a home page that never changes."""
    del now
    return front(*map(article_path, range(900, 906)), also=MENU)


def section(folder: Path, name: str) -> ScheduledPage:
    with Store.open(folder) as archive:
        [found] = [each for each in archive.sections() if each.page.key.endswith(f"/{name}")]
    return found


def recorded(folder: Path, *kinds: EventKind) -> list[ArchiveEvent]:
    with Store.open(folder) as archive:
        return archive.events(kinds=kinds)


def hour_of(moment: str) -> float:
    """Return how long after the start a time of an event is, as `ScriptedSite.hours` does."""
    return round((datetime.fromisoformat(moment) - START) / HOUR, 2)


def archived(folder: Path) -> set[str]:
    with Store.open(folder) as archive:
        return {stored.article.title or "" for stored in archive.articles()}


@pytest.mark.parametrize("days", [365, -365], ids=["slow", "fast"])
def test_a_source_whose_clock_is_a_year_off_is_visited_for_what_it_brings(tmp_path: Path, days: int) -> None:
    start = START + timedelta(days=days)
    wrong = site(still, lambda now: hourly(now, start), 50)

    wrong.crawl(tmp_path, snapshots=36, start=start, settings=PACED)

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


@pytest.mark.parametrize("pace", ["fixed", "arrivals"])
@pytest.mark.parametrize("status", [403, 429])
def test_a_source_that_blocks_us_for_a_day_is_asked_less_and_visited_soon_when_it_is_back(
    tmp_path: Path, status: int, pace: str
) -> None:
    first, last = START + 14.5 * HOUR, START + 38.5 * HOUR

    def blocking(page: Page) -> Page:
        return lambda now: failure(status, b"go away", now) if first < now < last else page(now)

    blocked = site(blocking(still), blocking(hourly), 60)
    quiet = blocked.pages["/culture"]
    blocked.pages["/culture"] = blocking(lambda _: str(quiet))

    blocked.crawl(tmp_path, snapshots=42, settings=replace(PACED, pace=pace))

    # The crawler tries a page that answers 429 three times at once.
    asked = {hour for hour in blocked.hours("/sport") if 14.5 < hour < 38.5}
    assert len(asked) <= 6, "each time it waits twice as long"
    home = [hour for hour in blocked.hours("/") if 14.5 < hour < 38.5]
    tries = 3 if status == 429 else 1
    assert home == [float(hour) for hour in range(15, 39) for _ in range(tries)], "it shows when the source is back"
    assert min(hour for hour in blocked.hours("/sport") if hour > 38.5) <= 40.5, "an hour after the home page came"
    assert (section(tmp_path, "sport").entry.every or 0) <= 2 * 3600.0
    happened = recorded(tmp_path, EventKind.SOURCE_FAILING, EventKind.SOURCE_BACK, EventKind.GAP)
    assert [(event.kind, event.page.partition("/")[2]) for event in happened] == [
        (EventKind.SOURCE_FAILING, ""),
        (EventKind.SOURCE_BACK, ""),
        (EventKind.GAP, "sport"),
    ]


@pytest.mark.parametrize(
    ("pace", "articles", "hours"), [("overlap", 1, 6), ("overlap", 3, 2), ("stability", 1, 1), ("stability", 3, 1)]
)
def test_a_section_is_visited_as_its_policy_says_and_loses_nothing(
    tmp_path: Path, pace: str, articles: int, hours: int
) -> None:
    """Of ten articles, four stay for six hours if one comes every hour, or for two hours if three do."""
    busy = site(still, lambda now: hourly(now, articles=articles), 60)

    busy.crawl(tmp_path, snapshots=16, settings=replace(PACED, pace=pace))

    last = int(max(busy.hours("/sport")))
    assert archived(tmp_path) >= {f"Story {number}" for number in range(articles * last + 10)}
    assert recorded(tmp_path, EventKind.GAP) == []
    assert section(tmp_path, "sport").entry.every == hours * 3600.0
    assert section(tmp_path, "culture").entry.every == 12 * 3600.0, "nothing is new there"


WAKES, NEWS, SLOTS = 170, 150, 10


def woken_site() -> ScriptedSite:
    """Return a site that sleeps for a week, then publishes 150 articles in an hour.

    The home page shows the newest twenty, so all that a section shows on its first two pages.
    """

    def newest(now: datetime, number: int, skipped: int = 0) -> list[int]:
        last = min(NEWS, int(NEWS * ((now - START) / HOUR - WAKES))) - skipped
        return list(range(last - 1, max(-1, last - 1 - number), -1))

    def page(number: int) -> Page:
        others = "".join(f'<a href="/sport?page={other}">{other}</a> ' for other in range(1, 17) if other != number)

        def listed(now: datetime) -> str:
            numbers = newest(now, SLOTS, SLOTS * (number - 1)) or range(900, 908)
            return front(*map(article_path, numbers), also=MENU).replace(
                "</main>", f'</main><nav class="pages">{others}</nav>'
            )

        return listed

    def home(now: datetime) -> str:
        return front(*map(article_path, newest(now, 2 * SLOTS) or range(900, 906)), also=MENU)

    woken = site(home, page(1), NEWS)
    woken.pages |= {f"/sport?page={number}": page(number) for number in range(2, 17)}
    return woken


@pytest.mark.parametrize("pace", ["fixed", "arrivals"])
def test_of_a_source_that_wakes_after_a_week_with_150_articles_in_an_hour_ten_pages_are_found(
    tmp_path: Path, pace: str
) -> None:
    woken = woken_site()
    assignment = Assignment((HOME,), every=6 * 3600.0, snapshots=31)

    simulate(tmp_path, woken.fetch, START, assignment, settings=replace(ONCE, pace=pace))

    last = max(hour for hour in woken.hours("/sport") if hour < WAKES)
    found = min(hour for hour in woken.hours("/sport") if hour > WAKES + 1)
    assert found <= WAKES + 1 + 2 * 6, "the home page has shown that it woke"
    assert archived(tmp_path) >= {f"Story {number}" for number in range(NEWS - USUAL_DEPTH * SLOTS, NEWS)}
    assert "Story 0" not in archived(tmp_path), "the list is looked at no deeper"
    [gap] = [event.detail for event in recorded(tmp_path, EventKind.GAP) if event.page == "gazette.example/sport"]
    assert (hour_of(gap["since"]), hour_of(gap["until"])) == (last, found)


def test_a_section_that_never_brought_anything_keeps_its_pace_when_much_comes_at_once(tmp_path: Path) -> None:
    comes = START + 60 * HOUR

    def home(now: datetime) -> str:
        return still(now) if now < comes else front(*map(article_path, range(500, 540)), also=MENU)

    busy = site(home, hourly, 600)

    busy.crawl(tmp_path, snapshots=66, settings=PACED)

    assert any(60 <= hour <= 62.5 for hour in busy.hours("/sport")), "it brings an article every hour"
    assert not any(60 <= hour <= 62.5 for hour in busy.hours("/culture"))
