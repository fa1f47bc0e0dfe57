"""When each front of a source is visited next: what the policies make of its visits."""

import inspect
from datetime import datetime, timedelta
from importlib.metadata import EntryPoint

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.base.errors import ConfigError
from broadsheet.newsroom import pace_policies
from broadsheet.newsroom.front_turnover import SourceTurnover
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
from tests.newsroom.turnovers import FRONT, HOME, HOUR, MONDAY, after, visit, watched


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


@pytest.mark.parametrize("policy", PACES.values())
def test_a_policy_is_short(policy: type[PacePolicy]) -> None:
    assert len(inspect.getsource(policy).splitlines()) < 50
