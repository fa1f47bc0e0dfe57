"""What is learned from the visits to fronts: how many articles come, how long they stay, and what was missed."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.newsroom.front_turnover import MAX_STAYS, SourceTurnover
from tests.newsroom.turnovers import FRONT, HOME, HOUR, MONDAY, after, visit, watched


@given(st.permutations(range(MAX_STAYS + 8)))
def test_the_order_of_those_that_left_makes_no_difference(ages: list[int]) -> None:
    source = SourceTurnover(HOME)
    source.see(FRONT, visit(MONDAY))
    left = [MONDAY - age * HOUR for age in ages]

    front = source.see(FRONT, replace(visit(MONDAY + HOUR), left=left))

    assert list(front.stays) == sorted((age + 1.0 for age in range(MAX_STAYS)), reverse=True), "the last to come count"


def test_a_front_that_was_hardly_visited_is_expected_to_be_like_the_others() -> None:
    busy, quiet = watched("gazette.example/news", per_day=24), watched("gazette.example/news", per_day=0)

    assert busy.rate(FRONT) > 3 * quiet.rate(FRONT)


def test_the_rate_of_a_front_that_was_watched_for_long_is_its_own() -> None:
    source = watched(per_day=12)

    assert source.rate(FRONT) == pytest.approx(0.5, rel=0.1)


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
