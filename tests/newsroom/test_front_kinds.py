"""Fronts of several kinds on the news web: sections that sleep, items replaced in place, old articles in footers."""

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from benchmarks.pace_model import START, PaceResult, SiteFronts

from broadsheet.archive import Store
from broadsheet.newsroom.front_turnover import FrontVisit, SourceTurnover
from broadsheet.newsweb.drawn_sites import draw_site
from tests.newsroom.site import ONCE, ScriptedSite, article_path, front, story
from tests.newsroom.site import START as BEGIN

HOUR = timedelta(hours=1)
DAYS = 3


@pytest.fixture(scope="module")
def fronts() -> SiteFronts:
    """Return a site with country sections that sleep for weeks, and a home page whose items are replaced in place."""
    return SiteFronts(draw_site(11, 0, "sleeping-countries"), START + timedelta(days=DAYS))


def watch(fronts: SiteFronts, page: str, hours: int) -> SourceTurnover:
    """Visit a front every hour."""
    source, last, came = SourceTurnover(fronts.home), frozenset[str](), dict[str, datetime]()
    for hour in range(hours):
        now = START + hour * HOUR
        listed = fronts.listed(page, now)
        new = listed - last if last else frozenset[str]()
        left = [came.pop(url) for url in last - listed if url in came]
        came |= dict.fromkeys(new, now)
        number = len(listed)
        kept = len(listed & last)
        visit = FrontVisit(
            at=now, articles=number, new=len(new), first=len(new), kept=kept, before=len(last), left=left
        )
        source.see(page, visit)
        last = listed
    return source


def test_sections_that_sleep_are_visited_rarely_and_lose_nothing(fronts: SiteFronts) -> None:
    result = PaceResult("arrivals", HOUR)

    found = dict(result.crawl(fronts))
    countries = [page for page in fronts.pages if "country" in page]

    assert len(countries) == 12
    shown = {
        url for page in countries for hour in range(24 * DAYS - 24) for url in fronts.listed(page, START + hour * HOUR)
    }
    assert shown <= found.keys()
    assert result.requests < 0.25 * len(fronts.pages) * 24 * (DAYS - 1), "most of its fronts sleep"


def test_items_that_are_replaced_in_place_are_expected_to_be_missed(fronts: SiteFronts) -> None:
    source = watch(fronts, fronts.home, 48)

    home, usual = source.front(fronts.home), source.stay(fronts.home)

    assert usual is not None
    assert min(home.stays) < usual / 2, "some leave long before the others"
    assert source.missed(fronts.home, usual / 2) > 0, "though the mean says that all stay for longer"


def test_old_articles_in_a_footer_do_not_make_a_section_look_busy(tmp_path: Path) -> None:
    """Each hour the section shows three other articles of five years ago; the home page has the news."""
    menu = '<a href="/culture">Culture</a><a href="/sport">Sport</a>'

    def old_story(number: int) -> str:
        return story(f"Story {number}").replace("2026-03-02T05:00:00Z", "2021-03-02T05:00:00Z").replace("2026", "2021")

    def home(now: datetime) -> str:
        hours = (now - BEGIN) // HOUR
        return front(*map(article_path, range(hours, hours + 10)), also=menu)

    def graveyard(now: datetime) -> str:
        hours = (now - BEGIN) // HOUR
        grave = range(200 + 3 * hours, 203 + 3 * hours)
        return front(*map(article_path, (*range(100, 108), *grave)), also=menu)

    stories = {article_path(number): story(f"Story {number}") for number in (*range(60), *range(100, 120))}
    graves = {article_path(number): old_story(number) for number in range(200, 340)}
    sport = front(*map(article_path, range(110, 120)), also=menu)
    site = ScriptedSite({"/": home, "/culture": graveyard, "/sport": sport, **stories, **graves})

    site.crawl(tmp_path, snapshots=44, settings=replace(ONCE, pace="arrivals"))

    with Store.open(tmp_path) as archive:
        known = {record.page: record for record in archive.front_records()}
        old = sum(
            1 for stored in archive.articles() if stored.article.published and stored.article.published.year == 2021
        )
    culture = known["gazette.example/culture"]
    visited = {int(hour) for hour in site.hours("/culture")}
    assert old >= 3 * (len(visited) - 1) >= 36, "they are archived all the same"
    assert culture.first < 0.25 * old
