"""A feed that lists all that comes leads: sections are left to it, as long as it is complete."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.newsroom.front_turnover import FrontVisit, SourceTurnover
from broadsheet.newsroom.leading_front import MAX_ARTICLES, MAX_AT_ONCE, MIN_COMPARED, LeadingFront
from broadsheet.newsroom.pace_policies import LEFT_INTERVALS, ArrivalPace
from broadsheet.newsweb.response import ServedContent
from tests.newsroom.feed_sites import FEEDS, NAMED, page_with, rss, stories
from tests.newsroom.site import START, ScriptedSite, article_path

MONDAY = datetime(2026, 3, 2, tzinfo=UTC)
HOUR = timedelta(hours=1)
BROCHURE = ServedContent("application/pdf", b"%PDF-1.4", START, 60)
HOME, SPORT, FEED = "gazette.example", "gazette.example/sport", "gazette.example/feed"


def followed(hours: int, *, lacking: int = 0, is_file: bool = True) -> LeadingFront:
    """Return what is known after some hours in which a home page and a feed brought an article each hour.

    The feed lacks every article whose number is divisible by `lacking`.
    """
    leading, shown = LeadingFront(), list[str]()
    for hour in range(hours):
        shown.append(f"{HOME}/{hour}")
        leading.see(HOME, MONDAY + hour * HOUR, shown, shown[-1:])
        items = [key for number, key in enumerate(shown) if not lacking or number % lacking]
        leading.see(FEED, MONDAY + hour * HOUR + HOUR / 2, items, (), is_file=is_file)
    return leading


def test_a_feed_that_lists_all_leads_once_enough_was_compared() -> None:
    assert followed(MIN_COMPARED - 1).page is None
    assert followed(MIN_COMPARED).page == FEED


def test_a_feed_that_lacks_a_third_does_not_lead() -> None:
    assert followed(48, lacking=3).page is None


def test_no_page_leads_however_complete_it_is() -> None:
    assert followed(48, is_file=False).page is None


def test_a_feed_that_lists_nothing_new_any_more_leads_no_longer() -> None:
    leading = followed(24)
    items = [f"{HOME}/{hour}" for hour in range(24)]

    for hour in range(24, 36):
        leading.see(HOME, MONDAY + hour * HOUR, [f"{HOME}/{hour}"], [f"{HOME}/{hour}"])
        leading.see(FEED, MONDAY + hour * HOUR + HOUR / 2, items, (), is_file=True)

    assert leading.page is None


def test_a_feed_that_was_visited_too_late_says_nothing_about_what_it_lacks() -> None:
    leading = followed(MIN_COMPARED)
    leading.see(HOME, MONDAY + 20 * HOUR, ["gazette.example/late"], ["gazette.example/late"])

    leading.see(FEED, MONDAY + 60 * HOUR, (), (), is_file=True)

    assert leading.page == FEED


def test_a_short_feed_is_not_blamed_for_what_may_have_come_to_it_and_left_again() -> None:
    leading, shown = followed(MIN_COMPARED), [f"{HOME}/{hour}" for hour in range(100)]
    burst, at = shown[40 : 40 + MAX_AT_ONCE], MONDAY + 20 * HOUR
    leading.see(HOME, at, burst, burst)

    leading.see(FEED, at + 4 * HOUR, shown[80:90], (), is_file=True)

    assert leading.page == FEED


def test_a_backlog_that_is_found_at_once_does_not_stop_a_feed_from_leading() -> None:
    leading, backlog = followed(MAX_ARTICLES), [f"{SPORT}/{number}" for number in range(200)]
    leading.see(SPORT, MONDAY + 48 * HOUR, backlog, backlog)

    leading.see(FEED, MONDAY + 50 * HOUR, [f"{HOME}/{hour}" for hour in range(MAX_ARTICLES)], (), is_file=True)

    assert leading.page == FEED


def test_a_sitemap_with_a_backlog_does_not_lead() -> None:
    leading = followed(MAX_ARTICLES, lacking=3)
    backlog = [f"{SPORT}/{number}" for number in range(200)]

    leading.see("gazette.example/sitemap", MONDAY + 48 * HOUR, backlog, backlog, is_file=True)

    assert leading.page is None


def test_what_turned_out_to_be_no_article_is_not_compared() -> None:
    leading = followed(MIN_COMPARED)

    leading.forget([f"{HOME}/0"])
    leading.see(HOME, MONDAY + 13 * HOUR, (), ())

    assert leading.page is None


def test_a_section_whose_articles_the_feed_lacks_is_not_left_to_it() -> None:
    leading = followed(40, lacking=14)
    missing = [f"{HOME}/{hour}" for hour in range(0, 40, 14)]

    leading.see(SPORT, MONDAY + 40 * HOUR, missing, ())

    assert leading.lacks(SPORT) > 3 * leading.lacks(HOME)


def test_a_feed_that_never_lacked_anything_is_expected_to_lack_hardly_anything() -> None:
    few, many = followed(MIN_COMPARED), followed(MAX_ARTICLES)

    assert many.lacks(HOME) < few.lacks(HOME) < 0.01


@given(
    st.lists(
        st.tuples(st.sampled_from([HOME, SPORT, FEED]), st.integers(1, 20), st.sets(st.integers(0, 99))), max_size=40
    )
)
def test_the_share_that_is_lacking_is_always_a_share(visits: list[tuple[str, int, set[int]]]) -> None:
    leading, known, at = LeadingFront(), set[int](), MONDAY
    for page, hours, numbers in visits:
        at += hours * HOUR
        leading.see(
            page, at, [str(n) for n in numbers], [str(n) for n in sorted(numbers - known)], is_file=page == FEED
        )
        known |= numbers

        assert leading.page in {None, FEED}
        assert all(0 < leading.lacks(each) < 1 for each in (HOME, SPORT))


def led_source() -> SourceTurnover:
    """Return a source whose feed and home page bring an article each hour, and whose section shows every fourth."""
    source = SourceTurnover(HOME)
    for hour in range(MAX_ARTICLES):
        at, key = MONDAY + hour * HOUR, f"{HOME}/{hour}"
        for page, is_file in ((FEED, True), (HOME, False), (SPORT, False)):
            new = 0 if page == SPORT and hour % 4 else 1
            keys = [f"{HOME}/{each}" for each in range(hour + 1) if page != SPORT or each % 4 == 0]
            source.see(
                page,
                FrontVisit(
                    at=at, articles=20, new=new, first=int(page == FEED), kept=20 - new, before=20,
                    listed=keys, found=[key] if page == FEED else (), is_file=is_file,
                ),
            )  # fmt: skip
    return source


def test_sections_are_left_to_a_feed_that_leads() -> None:
    source, now = led_source(), MONDAY + MAX_ARTICLES * HOUR

    feed, section = (ArrivalPace().next_interval(source, page, HOUR, now) for page in (FEED, SPORT))

    assert feed < 2 * HOUR
    assert section > 12 * HOUR


def test_a_section_that_is_left_to_a_feed_is_visited_once_in_so_many_intervals() -> None:
    source, now = led_source(), MONDAY + MAX_ARTICLES * HOUR
    sleeping = source.front(SPORT)
    sleeping.hours, sleeping.new, sleeping.first = 2_000.0, 0.0, 0.0

    def interval(least: timedelta) -> timedelta:
        return ArrivalPace().next_interval(source, SPORT, least, now)

    for hours in (0.25, 2.0, 8.0):
        assert interval(hours * HOUR) / HOUR == pytest.approx(LEFT_INTERVALS * hours, abs=0.1)


def test_a_feed_that_leads_is_visited_for_what_other_fronts_do_not_need() -> None:
    source, now = led_source(), MONDAY + MAX_ARTICLES * HOUR
    led = ArrivalPace().next_interval(source, FEED, 4 * HOUR, now)
    source.leading.distrust(FEED)

    alone = ArrivalPace().next_interval(source, FEED, 4 * HOUR, now)

    assert led < alone / 2


@pytest.mark.parametrize("hours", [0.5, 6.0, 24.0])
def test_a_feed_that_leads_has_a_share_of_the_visits_that_does_not_depend_on_the_interval(hours: float) -> None:
    source, now = led_source(), MONDAY + MAX_ARTICLES * HOUR
    least = hours * HOUR

    feed, section = (ArrivalPace().next_interval(source, page, least, now) for page in (FEED, SPORT))

    assert 3 < least / feed < 10, "an article an hour is worth several visits in an interval"
    assert section > 8 * feed


def test_a_feed_that_leads_is_visited_at_the_hours_at_which_articles_come_after_a_day() -> None:
    def after_a_day(start: int) -> timedelta:
        source = SourceTurnover(HOME)
        for hour in range(24):
            for half in range(2):
                at, new = MONDAY + (hour + half / 2) * HOUR, 3 if 8 <= hour < 16 else 0
                keys = [f"{HOME}/{hour}/{half}/{each}" for each in range(new)]
                source.see(
                    FEED,
                    FrontVisit(
                        at=at, articles=20, new=new, first=new, kept=20 - new, before=20,
                        listed=keys, found=keys, is_file=True,
                    ),
                )  # fmt: skip
        assert source.leading.page == FEED
        return ArrivalPace().next_interval(source, FEED, 2 * HOUR, MONDAY + timedelta(days=1, hours=start))

    assert 2 * after_a_day(11) < after_a_day(1)


def test_a_front_that_takes_many_bytes_is_visited_less_often() -> None:
    def interval(received: int) -> timedelta:
        source = SourceTurnover(HOME)
        for hour in range(48):
            for page, size in ((HOME, 50_000), (SPORT, received)):
                visit = FrontVisit(
                    at=MONDAY + hour * HOUR, articles=20, new=1, first=1, kept=19, before=20, received=size
                )
                source.see(page, visit)
        return ArrivalPace().next_interval(source, SPORT, HOUR, MONDAY + 48 * HOUR)

    assert interval(1_000_000) > interval(50_000) > interval(5_000)


def test_a_feed_that_is_not_visited_any_more_leads_no_longer() -> None:
    leading = followed(24)

    leading.see(HOME, MONDAY + 50 * HOUR, (), ())

    assert leading.page is None


def test_a_crawl_lives_off_a_complete_feed_until_it_gets_stale(tmp_path: Path) -> None:
    def published(now: datetime) -> list[str]:
        return [article_path(number) for number in range((now - START) // (HOUR / 3) + 6, 0, -1)]

    def feed(now: datetime) -> ServedContent:
        return rss(published(min(now, START + 9 * HOUR))[:24], date=None)

    def home(now: datetime) -> str:
        return page_with(NAMED, *published(now)[:8])

    site = ScriptedSite({"/": home, "/news.rss": feed, **stories(60)})

    site.crawl(tmp_path, snapshots=16, settings=replace(FEEDS, pace="arrivals"))

    feeds, homes = site.hours("/news.rss"), site.hours("/")
    assert sum(5 < hour < 9 for hour in feeds) > 4, "more than once an hour"
    assert sum(5 < hour < 9 for hour in homes) <= 4, "no more often than it has to be"
    assert homes[-1] - homes[-2] < 1, "more often again, as the feed is stale"


def test_a_crawl_puts_off_the_visits_of_sections_that_were_planned_before_a_feed_led(tmp_path: Path) -> None:
    def published(now: datetime) -> list[str]:
        return [article_path(number) for number in range((now - START) // (HOUR / 3) + 6, 0, -1)]

    def sport(now: datetime) -> str:
        return page_with("", *published(now)[::3][:8])

    def home(now: datetime) -> str:
        return page_with(NAMED, *published(now)[:8], also='<a href="/sport">Sport</a>')

    def feed(now: datetime) -> ServedContent:
        return rss(published(now)[:24], date=None)

    site = ScriptedSite({"/": home, "/sport": sport, "/news.rss": feed, **stories(90)})

    site.crawl(tmp_path, snapshots=22, settings=replace(FEEDS, pace="arrivals"))

    assert site.hours("/sport")[-1] < 10, "the feed has had everything from the start"
    assert site.hours("/news.rss")[-1] > 20


def test_pages_that_turn_out_to_be_no_articles_do_not_speak_against_a_feed(tmp_path: Path) -> None:
    def published(now: datetime) -> list[str]:
        return [article_path(number) for number in range((now - START) // (HOUR / 3) + 6, 0, -1)]

    def home(now: datetime) -> str:
        others = [article_path(1000 + number) for number in range((now - START) // (HOUR / 2) + 2, 0, -1)]
        return page_with(NAMED, *published(now)[:8], *others[:4])

    def feed(now: datetime) -> ServedContent:
        return rss(published(now)[:24], date=None)

    # Every other one of them is not there at all.
    brochures = {article_path(1000 + number): BROCHURE for number in range(1, 40, 2)}
    site = ScriptedSite({"/": home, "/news.rss": feed, **stories(60), **brochures})

    site.crawl(tmp_path, snapshots=12, settings=replace(FEEDS, pace="arrivals"))

    assert sum(6 < hour < 10 for hour in site.hours("/news.rss")) > 4, "it leads, and is visited more than once an hour"


def test_old_articles_that_a_front_revives_do_not_speak_against_a_feed(tmp_path: Path) -> None:
    old = {path.replace("2026", "2021"): page.replace("2026", "2021") for path, page in stories(60).items()}

    def published(now: datetime) -> list[str]:
        return [article_path(number) for number in range((now - START) // (HOUR / 3) + 6, 0, -1)]

    def home(now: datetime) -> str:
        return page_with(NAMED, *published(now)[:8], *list(old)[(now - START) // (HOUR / 2) :][:4])

    def feed(now: datetime) -> ServedContent:
        return rss(published(now)[:24], date=None)

    site = ScriptedSite({"/": home, "/news.rss": feed, **stories(60), **old})

    site.crawl(tmp_path, snapshots=12, settings=replace(FEEDS, pace="arrivals"))

    assert sum(6 < hour < 10 for hour in site.hours("/news.rss")) > 4, "it leads, and is visited more than once an hour"
