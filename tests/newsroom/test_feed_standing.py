"""What a feed is worth after one visit, and how soon it is visited again."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

pytest.importorskip("scrapy")
pytest.importorskip("pyarrow")

from broadsheet.archive import FeedStanding
from broadsheet.newsroom.feed_standing import FeedVisit, interval, judge_feed

AT = datetime(2026, 3, 2, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
GOOD = FeedVisit(
    form="rss",
    at=AT,
    items=20,
    own=20,
    fresh=2,
    brought=2,
    known=10,
    articles=10,
    newest=AT,
    missed=0,
    has_others=False,
    is_quiet=False,
    is_first=False,
)


@pytest.mark.parametrize(
    ("visit", "standing"),
    [
        (GOOD, FeedStanding.GOOD),
        (replace(GOOD, form="sitemap index"), FeedStanding.INDEX),
        (replace(GOOD, own=9), FeedStanding.FOREIGN),
        (replace(GOOD, articles=2), FeedStanding.USELESS),
        (replace(GOOD, known=4, articles=0), FeedStanding.GOOD),
        (replace(GOOD, missed=3), FeedStanding.STALE),
        (replace(GOOD, missed=2), FeedStanding.GOOD),
        (replace(GOOD, items=0, own=0), FeedStanding.STALE),
        (replace(GOOD, is_first=True, newest=AT - 49 * HOUR), FeedStanding.STALE),
        (replace(GOOD, newest=AT - 49 * HOUR), FeedStanding.GOOD),
        (replace(GOOD, brought=0, has_others=True), FeedStanding.REDUNDANT),
        (replace(GOOD, brought=0), FeedStanding.GOOD),
        (replace(GOOD, brought=0, fresh=0, is_quiet=True), FeedStanding.REDUNDANT),
    ],
)
def test_a_feed_is_judged_by_one_visit(visit: FeedVisit, standing: FeedStanding) -> None:
    assert judge_feed(visit, FeedStanding.GOOD).standing is standing


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (FeedStanding.NEW, FeedStanding.GOOD),
        (FeedStanding.STALE, FeedStanding.GOOD),
        (FeedStanding.USELESS, FeedStanding.GOOD),
        (FeedStanding.REDUNDANT, FeedStanding.REDUNDANT),
    ],
)
def test_a_visit_that_shows_nothing_wrong_makes_up_for_the_past(before: FeedStanding, after: FeedStanding) -> None:
    assert judge_feed(replace(GOOD, fresh=0, brought=0), before).standing is after


@pytest.mark.parametrize(
    ("standing", "received", "share", "hours"),
    [
        (FeedStanding.GOOD, 10_000, 0.0, 1),
        (FeedStanding.GOOD, 10_000, 0.5, 1 / 2),
        (FeedStanding.GOOD, 10_000, 1.0, 1 / 4),
        (FeedStanding.GOOD, 1_000_000, 0.0, 4),
        (FeedStanding.GOOD, 1_000_000_000, 0.0, 24),
        (FeedStanding.REDUNDANT, 10_000, 1.0, 24),
        (FeedStanding.STALE, 10_000, 0.0, 24),
        (FeedStanding.FOREIGN, 10_000, 0.0, 168),
    ],
)
def test_the_standing_sets_the_pace(standing: FeedStanding, received: int, share: float, hours: float) -> None:
    assert interval(standing, HOUR, received, share) == hours * HOUR
