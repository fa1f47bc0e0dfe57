"""When each front of a source is visited next: what is learned from its visits, and what the policies make of it."""

import inspect
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.archive import Store
from broadsheet.base.errors import ConfigError
from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.crawling.simulated import VirtualClock
from broadsheet.newsroom import pace_policies
from broadsheet.newsroom.agenda import Agenda
from broadsheet.newsroom.arrival_rhythm import ArrivalRhythm
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.front_register import FrontRegister
from broadsheet.newsroom.front_turnover import MOST_STAYS, FrontVisit, SourceTurnover
from broadsheet.newsroom.pace_policies import (
    FIRST_AGAIN,
    LONGEST,
    LONGEST_QUIET,
    PACES,
    QUIET_SHARE,
    SOONEST,
    ArrivalPace,
    PacePolicy,
    build_pace,
)
from broadsheet.newsroom.turnover_memory import TurnoverMemory
from broadsheet.newsweb.response import failure
from broadsheet.simulation.simulated_crawl import simulate
from tests.newsroom.site import HOME as ADDRESS
from tests.newsroom.site import ONCE, START, ScriptedSite, article_path, front, story

MONDAY = datetime(2026, 3, 2, tzinfo=UTC)
HOUR = timedelta(hours=1)
HOME, FRONT = "gazette.example", "gazette.example/sport"


def visit(at: datetime, *, new: int = 0, first: int = 0, articles: int = 20) -> FrontVisit:
    return FrontVisit(at=at, articles=articles, new=new, first=first, kept=articles - new, before=articles)


def watched(page: str = FRONT, *, days: int = 7, per_day: int = 4, articles: int = 20) -> SourceTurnover:
    """Return a source with one section, visited every hour, that alone brings some articles a day, spread evenly."""
    source = SourceTurnover(HOME)
    for hour in range(24 * days + 1):
        brings = hour * per_day // 24 - (hour - 1) * per_day // 24 if hour else 0
        source.see(page, visit(MONDAY + hour * HOUR, new=brings, first=brings, articles=articles))
    return source


def after(source: SourceTurnover) -> datetime:
    last = source.front(FRONT).visited
    assert last is not None
    return last


@given(st.permutations(range(MOST_STAYS + 8)))
def test_the_order_of_those_that_left_makes_no_difference(ages: list[int]) -> None:
    source = SourceTurnover(HOME)
    source.see(FRONT, visit(MONDAY))
    left = [MONDAY - age * HOUR for age in ages]

    front = source.see(FRONT, replace(visit(MONDAY + HOUR), left=left))

    assert list(front.stays) == sorted((age + 1.0 for age in range(MOST_STAYS)), reverse=True), "the last to come count"


def test_hours_at_which_much_comes_are_told_from_others() -> None:
    rhythm = ArrivalRhythm()

    for day in range(5):
        for hour in range(24):
            start = MONDAY + timedelta(days=day, hours=hour)
            rhythm.add(start, start + HOUR, 6 if hour == 8 else 0)

    assert rhythm.intensity(MONDAY + timedelta(days=7, hours=8.5)) > 10
    assert rhythm.intensity(MONDAY + timedelta(days=7, hours=3)) < 0.6
    assert rhythm.intensity(MONDAY + timedelta(days=5, hours=8.5)) == 1.0, "nothing is known of weekends"


def test_a_day_tells_more_of_the_likely_intensity_than_of_the_cautious_one() -> None:
    rhythm = ArrivalRhythm()

    for hour in range(24):
        rhythm.add(MONDAY + hour * HOUR, MONDAY + (hour + 1) * HOUR, 3 if 8 <= hour < 16 else 0)

    morning, night = (MONDAY + timedelta(days=1, hours=hours) for hours in (10.5, 2.5))
    assert rhythm.likely_intensity(night) < rhythm.intensity(night) / 1.5
    assert rhythm.likely_intensity(morning) > 1.3 * rhythm.intensity(morning)


def test_weekends_are_likely_to_be_like_weekdays_until_they_are_known() -> None:
    rhythm, saturday = ArrivalRhythm(), MONDAY + timedelta(days=5)
    for hour in range(24 * 5):
        rhythm.add(MONDAY + hour * HOUR, MONDAY + (hour + 1) * HOUR, 3 if 8 <= hour % 24 < 16 else 0)

    before = rhythm.likely_intensity(saturday + timedelta(days=1, hours=10.5))
    for hour in range(7 * 24, 14 * 24):
        is_weekend = hour >= 12 * 24
        articles = 3 if 8 <= hour % 24 < 16 and not is_weekend else 0
        rhythm.add(MONDAY + hour * HOUR, MONDAY + (hour + 1) * HOUR, articles)
    after = rhythm.likely_intensity(saturday + timedelta(days=14, hours=10.5))

    assert before > 2
    assert after < before / 1.2


def test_hours_are_likely_to_be_like_their_neighbours() -> None:
    rhythm = ArrivalRhythm()

    for hour in range(24):
        rhythm.add(MONDAY + hour * HOUR, MONDAY + (hour + 1) * HOUR, 12 if hour in {0, 9} else 0)

    likely = {hour: rhythm.likely_intensity(MONDAY + hour * HOUR) for hour in range(24)}
    assert min(likely[8], likely[9], likely[10]) > 3 * likely[12]
    assert min(likely[23], likely[0], likely[1]) > 3 * likely[21], "midnight is between two days"


def test_what_came_during_a_long_absence_says_nothing_about_the_hour() -> None:
    rhythm = ArrivalRhythm()

    rhythm.add(MONDAY, MONDAY + timedelta(days=2), 100)

    assert {rhythm.intensity(MONDAY + hour * HOUR) for hour in range(24)} == {1.0}


def test_a_front_that_was_hardly_visited_is_expected_to_be_like_the_others() -> None:
    busy, quiet = watched("gazette.example/news", per_day=24), watched("gazette.example/news", per_day=0)

    assert busy.rate(FRONT) > 3 * quiet.rate(FRONT)


def test_the_rate_of_a_front_that_was_watched_for_long_is_its_own() -> None:
    source = watched(per_day=12)

    assert source.rate(FRONT) == pytest.approx(0.5, rel=0.1)


@pytest.mark.parametrize("policy", PACES.values(), ids=PACES.keys())
@given(
    brings=st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=30),
    minutes=st.integers(1, 3 * 24 * 60),
)
def test_no_policy_leaves_its_bounds(policy: type[PacePolicy], brings: list[tuple[int, int]], minutes: int) -> None:
    source, least, now = SourceTurnover(HOME), timedelta(minutes=minutes), MONDAY
    paced = policy()

    for new, first in brings:
        front = source.see(FRONT, visit(now, new=new, first=min(new, first), articles=30))
        front.every = paced.next_interval(source, FRONT, least, now)
        now += front.every

        shortest, longest = (min(least, SOONEST), LONGEST_QUIET) if policy is ArrivalPace else (least, LONGEST)
        assert shortest <= front.every <= max(least, longest)


def test_a_front_is_visited_often_until_it_is_known() -> None:
    assert ArrivalPace().next_interval(SourceTurnover(HOME), FRONT, HOUR, MONDAY) == HOUR
    young = watched(days=0)
    assert ArrivalPace().next_interval(young, FRONT, HOUR, after(young)) == HOUR


def test_the_interval_of_a_quiet_front_grows_with_the_time_that_it_was_watched() -> None:
    hour, hours, week = watched(days=0, per_day=0), watched(days=0, per_day=0), watched(days=7, per_day=0)
    hour.see(FRONT, visit(MONDAY + HOUR))
    for number in range(1, 5):
        hours.see(FRONT, visit(MONDAY + number * HOUR))

    first = ArrivalPace().next_interval(hour, FRONT, HOUR, after(hour))
    assert QUIET_SHARE * HOUR <= first < QUIET_SHARE * HOUR + SOONEST
    assert ArrivalPace().next_interval(hours, FRONT, HOUR, after(hours)) > 8 * HOUR
    assert ArrivalPace().next_interval(week, FRONT, HOUR, after(week)) > 24 * HOUR


def test_a_front_to_which_much_comes_is_visited_more_often_than_the_interval_says() -> None:
    busy, slow = watched(per_day=24 * 20), watched(per_day=4)

    assert ArrivalPace().next_interval(busy, FRONT, HOUR, after(busy)) < HOUR / 2
    assert ArrivalPace().next_interval(slow, FRONT, HOUR, after(slow)) > HOUR


def test_with_a_long_interval_a_busy_front_is_still_visited_as_often_as_it_is_worth() -> None:
    busy = watched(per_day=24 * 20, articles=200)

    assert ArrivalPace().next_interval(busy, FRONT, 48 * HOUR, after(busy)) < 48 * HOUR / 16


def test_no_front_is_visited_sooner_than_every_few_minutes_or_than_the_interval() -> None:
    frantic = watched(per_day=24 * 5000, articles=5000)

    assert ArrivalPace().next_interval(frantic, FRONT, HOUR, after(frantic)) == SOONEST
    assert ArrivalPace().next_interval(frantic, FRONT, SOONEST / 5, after(frantic)) == SOONEST / 5


@pytest.mark.parametrize(("hours", "expected"), [(1, 1), (24, FIRST_AGAIN / HOUR)])
def test_a_front_that_was_visited_once_is_visited_again_soon_whatever_the_interval(hours: int, expected: float) -> None:
    source = SourceTurnover(HOME)
    source.see(FRONT, visit(MONDAY))

    intervals = {name: policy().next_interval(source, FRONT, hours * HOUR, MONDAY) for name, policy in PACES.items()}

    assert intervals.pop("arrivals") == expected * HOUR
    assert set(intervals.values()) == {hours * HOUR}


def test_a_quarter_of_the_articles_halves_the_visits() -> None:
    often, rarely = watched(per_day=16, articles=60), watched(per_day=4, articles=60)

    fast = ArrivalPace().next_interval(often, FRONT, HOUR / 4, after(often))
    slow = ArrivalPace().next_interval(rarely, FRONT, HOUR / 4, after(rarely))

    assert slow / fast == pytest.approx(2.0, abs=0.35)


def test_fronts_that_show_the_same_are_together_visited_hardly_more_often_than_one_alone() -> None:
    alone, copies = watched(per_day=24, articles=60), SourceTurnover(HOME)
    for hour in range(24 * 7 + 1):
        # Each is the first to show every second article.
        copies.see(FRONT, visit(MONDAY + hour * HOUR, new=1, first=hour % 2, articles=60))
        copies.see(f"{FRONT}/all", visit(MONDAY + hour * HOUR, new=1, first=1 - hour % 2, articles=60))

    one = ArrivalPace().next_interval(alone, FRONT, HOUR / 4, after(alone))
    each = ArrivalPace().next_interval(copies, FRONT, HOUR / 4, after(copies))

    assert each / one > 1.5, "with half of the articles of its own, it would be visited every 1.4 times as long"


def test_a_front_from_which_articles_leave_soon_is_visited_before_they_do() -> None:
    large, small = watched(per_day=12, articles=60), watched(per_day=12, articles=1)

    interval = ArrivalPace().next_interval(small, FRONT, HOUR, after(small))

    assert interval < ArrivalPace().next_interval(large, FRONT, HOUR, after(large))
    assert interval < 2 * HOUR, "that is how long its one article stays"


def test_a_front_that_brings_nothing_is_visited_once_a_day() -> None:
    source = watched(days=60, per_day=0)

    assert ArrivalPace().next_interval(source, FRONT, HOUR, after(source)) > 12 * HOUR


def test_adaptive_pace_is_sooner_after_a_change_and_later_without_one() -> None:
    source, policy = SourceTurnover(HOME), build_pace("adaptive")
    front = source.see(FRONT, visit(MONDAY))
    front.every = 4 * HOUR

    source.see(FRONT, visit(MONDAY + HOUR, new=1))
    changed = policy.next_interval(source, FRONT, HOUR, MONDAY + HOUR)
    source.see(FRONT, visit(MONDAY + 2 * HOUR))
    unchanged = policy.next_interval(source, FRONT, HOUR, MONDAY + 2 * HOUR)

    assert (changed, unchanged) == (3.2 * HOUR, 6 * HOUR)


@pytest.mark.parametrize(("new", "hours"), [(0, 8), (10, 4), (19, 2)])
def test_overlap_pace_follows_how_many_articles_are_still_there(new: int, hours: int) -> None:
    source = SourceTurnover(HOME)
    source.see(FRONT, visit(MONDAY)).every = 4 * HOUR
    source.see(FRONT, visit(MONDAY + HOUR, new=new))

    assert build_pace("overlap").next_interval(source, FRONT, HOUR, MONDAY + HOUR) == hours * HOUR


def test_stability_pace_compares_what_is_fresh_with_what_the_source_lets_expect() -> None:
    source = SourceTurnover(HOME)
    for page, new in ((FRONT, 12), ("gazette.example/news", 4)):
        source.see(page, visit(MONDAY)).every = 4 * HOUR
        source.see(page, visit(MONDAY + HOUR, new=new))
    policy = build_pace("stability")

    assert policy.next_interval(source, FRONT, HOUR, MONDAY) == pytest.approx(
        4 * HOUR * 8 / 12, abs=timedelta(seconds=1)
    )
    assert policy.next_interval(source, "gazette.example/news", HOUR, MONDAY) == 8 * HOUR


def test_the_depth_recovers_when_a_list_shows_again_what_is_known() -> None:
    source, policy = SourceTurnover(HOME), ArrivalPace()
    front = source.front(FRONT)

    depths = []
    for is_open in [True] * 5 + [False] * 10:
        front.is_open = is_open
        front.depth = policy.next_depth(source, FRONT)
        depths.append(front.depth)

    assert depths == [5, 2, 1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10]


def test_a_visit_that_finds_no_article_of_the_one_before_is_a_gap() -> None:
    source = SourceTurnover(HOME)
    source.see(FRONT, visit(MONDAY))

    source.see(FRONT, visit(MONDAY + HOUR, new=19))
    source.see(FRONT, replace(visit(MONDAY + 2 * HOUR, new=20), is_gap=True))

    assert (source.front(FRONT).gaps, source.front(FRONT).last_gap) == (1, MONDAY + 2 * HOUR)


def test_fronts_that_are_not_followed_any_more_are_forgotten() -> None:
    source = SourceTurnover(HOME)
    for number in range(100):
        source.see(f"gazette.example/{number}", visit(MONDAY))

    source.keep(["gazette.example/7", "gazette.example/never-visited"])

    assert list(source.fronts) == ["gazette.example/7"]


def test_an_unknown_policy_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"newsroom\.pace: no policy is called 'hasty'; the known ones are fixed, "):
        build_pace("hasty")


class NightlyPace:
    """A policy as another package may bring it."""

    def next_interval(self, source: SourceTurnover, page: str, interval: timedelta, now: datetime) -> timedelta:
        del source, page
        midnight = (now + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
        return max(interval, midnight - now)


def test_a_package_can_bring_a_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    own = EntryPoint("nightly", f"{__name__}:NightlyPace", pace_policies.ENTRY_POINTS)
    monkeypatch.setattr(pace_policies, "registered", lambda group: {own.name: own} if group == own.group else {})

    policy = build_pace("nightly")

    assert policy.next_interval(SourceTurnover(HOME), FRONT, HOUR, MONDAY + 18 * HOUR) == 6 * HOUR
    with pytest.raises(ConfigError, match="arrivals, nightly"):
        build_pace("daily")


class CountingPace:
    """A policy that remembers what it was asked."""

    built: ClassVar[list["CountingPace"]] = []

    def __init__(self) -> None:
        self.intervals, self.depths = 0, 0
        self.built.append(self)

    def next_interval(self, source: SourceTurnover, page: str, interval: timedelta, now: datetime) -> timedelta:
        del source, page, now
        self.intervals += 1
        return interval

    def next_depth(self, source: SourceTurnover, page: str) -> int:
        del source, page
        self.depths += 1
        return 1 + self.intervals


def test_a_crawl_asks_one_and_the_same_policy_for_intervals_and_depths(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PACES, "counting", CountingPace)
    site = busy_site()

    site.crawl(tmp_path, snapshots=3, settings=replace(ONCE, pace="counting"))

    [policy] = [each for each in CountingPace.built if each.intervals or each.depths]
    assert policy.intervals
    assert policy.depths
    with Store.open(tmp_path) as archive:
        assert max(front.depth for front in archive.front_records()) > 1, "it knows of the intervals it gave"


@pytest.mark.parametrize("policy", PACES.values())
def test_a_policy_is_short(policy: type[PacePolicy]) -> None:
    assert len(inspect.getsource(policy).splitlines()) < 50


def test_articles_that_stay_for_less_than_the_interval_are_expected_to_be_missed() -> None:
    source = watched(per_day=24, articles=200)
    assert source.missed(FRONT, 6.0) == 0.0, "200 articles stay for days"

    # One slot is replaced every two hours, whatever the rest of the page does.
    for hour in range(40):
        at = after(source) + HOUR
        source.see(FRONT, replace(visit(at, new=1, first=1, articles=200), left=[at - 2 * HOUR] if hour % 2 else []))

    assert source.missed(FRONT, 1.0) == 0.0
    assert source.missed(FRONT, 6.0) == pytest.approx(4.0, abs=0.6), "those of the first four of six hours"
    assert source.missed_a_day(FRONT, after(source), 6 * HOUR) == pytest.approx(16.0, abs=4.0)


def quiet_site() -> ScriptedSite:
    """Return a site whose home page changes every hour, and whose only section never does."""
    link = '<a href="/sport">Sport</a>'

    def home(now: datetime) -> str:
        hours = (now - START) // HOUR
        return front(*map(article_path, range(hours, hours + 8)), also=link)

    stories = {article_path(number): story(f"Story {number}") for number in range(80)}
    return ScriptedSite({"/": home, "/sport": front(*map(article_path, range(60, 70)), also=link), **stories})


def section_pace(folder: Path) -> timedelta:
    with Store.open(folder) as archive:
        [section] = [each for each in archive.sections(HOME) if each.url.endswith("/sport")]
    assert section.entry.every is not None
    return timedelta(seconds=section.entry.every)


def test_a_crawl_visits_a_section_that_never_changes_less_and_less(tmp_path: Path) -> None:
    site = quiet_site()

    site.crawl(tmp_path, snapshots=24, settings=replace(ONCE, pace="adaptive"))

    assert section_pace(tmp_path) > 2 * HOUR
    assert len(site.hours("/sport")) < 20 < len(site.hours("/"))


def test_a_fixed_pace_is_to_visit_sections_as_often_as_the_home_page(tmp_path: Path) -> None:
    site = quiet_site()

    site.crawl(tmp_path, snapshots=6, settings=replace(ONCE, pace="fixed"))

    assert section_pace(tmp_path) == HOUR
    assert len(site.hours("/sport")) >= 5


def test_the_default_is_to_visit_sections_as_often_as_articles_come_to_them(tmp_path: Path) -> None:
    site = quiet_site()

    site.crawl(tmp_path, snapshots=24, settings=NewsroomSettings(revisit_after=0, feeds=False))

    assert section_pace(tmp_path) > HOUR
    assert len(site.hours("/sport")) < 12


def test_a_crawl_with_a_long_interval_comes_back_to_new_sections_soon(tmp_path: Path) -> None:
    site = quiet_site()

    daily = Assignment((ADDRESS,), every=24 * 3600.0, snapshots=2)
    simulate(tmp_path, site.fetch, START, daily, settings=replace(ONCE, pace="arrivals"))

    assert site.hours("/sport")[:2] == [0.0, FIRST_AGAIN / HOUR]


def busy_site() -> ScriptedSite:
    """Return a site whose home page shows three articles more every hour, one in each third of it."""
    link = '<a href="/sport">Sport</a>'

    def home(now: datetime) -> str:
        thirds = (now - START) // (HOUR / 3)
        return front(*map(article_path, range(thirds, thirds + 8)), also=link)

    stories = {article_path(number): story(f"Story {number}") for number in range(200)}
    return ScriptedSite({"/": home, "/sport": front(*map(article_path, range(180, 190)), also=link), **stories})


def test_a_busy_home_page_is_visited_more_often_but_snapshots_stay_an_interval_apart(tmp_path: Path) -> None:
    site = busy_site()

    site.crawl(tmp_path, snapshots=30, settings=replace(ONCE, pace="arrivals"))

    with Store.open(tmp_path) as archive:
        [source] = archive.sources()
        [home] = [record for record in archive.front_records() if record.page == HOME]
    assert source.snapshots == 30
    assert 28.8 <= max(site.hours("/")) < 30.5, "the last snapshot may be a fifth of an interval early"
    assert len([hour for hour in site.hours("/") if hour < 12]) > 12, "in exploration, too"
    assert home.set_by == "arrivals"


def test_a_home_page_that_fails_is_asked_for_as_often_as_the_user_said(tmp_path: Path) -> None:
    site, begin = busy_site(), START + 24 * HOUR
    whole = site.pages["/"]
    assert callable(whole)
    site.pages["/"] = lambda now: whole(now) if now < begin else failure(503, b"", now)

    site.crawl(tmp_path, snapshots=36, settings=replace(ONCE, pace="arrivals"))

    # Each visit is tried three times at once.
    quarters = {int(4 * hour) for hour in site.hours("/") if hour >= 26}
    assert len(quarters) <= 14, "once an hour"


def test_what_fronts_have_brought_is_known_after_a_restart(tmp_path: Path) -> None:
    site = quiet_site()
    site.crawl(tmp_path, snapshots=30, settings=ONCE)

    with Store.open(tmp_path) as archive, archive.writer() as writer:
        desk = Desk(archive, writer, VirtualClock(START + 30 * HOUR))
        agenda = Agenda(desk, {source.key: source for source in archive.sources()})
        turnover = TurnoverMemory(desk, agenda, FrontRegister(desk)).of(HOME)

    assert turnover.front(HOME).first == pytest.approx(27, abs=2)
    assert turnover.front(FRONT).first == 0
    assert turnover.front(FRONT).hours == pytest.approx(27, abs=6), "hours of average intensity"
    assert turnover.rate(HOME) > 5 * turnover.rate(FRONT)
