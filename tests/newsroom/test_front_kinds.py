"""Fronts on the news web: sections that sleep, items replaced in place, old articles in footers, copied sections."""

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from benchmarks.pace_model import START, PaceResult, SiteFronts

from broadsheet.archive import Store
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsroom.front_turnover import FrontVisit, SourceTurnover
from broadsheet.newsweb.drawn_sites import draw_site
from broadsheet.newsweb.site_extras import PageExtras
from broadsheet.newsweb.site_knobs import Knobs
from broadsheet.newsweb.site_plan import BoxPlan
from broadsheet.newsweb.web import NewsWeb
from broadsheet.simulation.simulated_crawl import simulate
from tests.newsroom.site import ONCE
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


def small_site(*front: BoxPlan, copied: int | None = None) -> NewsWeb:
    """Return a web of one site with three sections, of which the last may list what another one does."""
    drawn = draw_site(11, 0, "ordinary")
    assert drawn.plan is not None
    tops = [section for section in drawn.sections if section.parent is None][:3]
    sections = [
        replace(section, index=index, rhythm=replace(section.rhythm, articles=12.0))
        for index, section in enumerate(tops)
    ]
    sections[-1] = replace(sections[-1], copies=copied)
    home = (BoxPlan("latest", 12), *(BoxPlan("latest", 3, section=index) for index in range(3)))
    plan = replace(drawn.plan, home=home, front=front, article=(), services=(), promoted=0, partners=(), padding=0)
    knobs = Knobs(feed="missing", sitemap="missing")
    return NewsWeb(sites=[replace(drawn, sections=tuple(sections), plan=plan, knobs=knobs, extras=PageExtras())])


def follow(web: NewsWeb, folder: Path, snapshots: int, pace: str) -> None:
    [site] = web.sites
    assignment = Assignment((web.home(site),), every=2 * 3600.0, snapshots=snapshots)
    simulate(folder, web.fetch, BEGIN, assignment, settings=replace(ONCE, pace=pace))


def test_old_articles_that_are_revived_every_hour_do_not_make_sections_look_busy(tmp_path: Path) -> None:
    web = small_site(BoxPlan("latest", 10), BoxPlan("revived", 4, spot="low"))

    follow(web, tmp_path, snapshots=10, pace="arrivals")

    with Store.open(tmp_path) as archive:
        fronts = archive.front_records()
        years = [stored.article.published.year for stored in archive.articles() if stored.article.published]
    old, new = years.count(2020), years.count(2026)
    assert old > 2 * new, "they are archived all the same"
    assert sum(front.first for front in fronts) <= new, "only what is new counts as having come"


def test_a_section_that_lists_what_another_one_does_leaves(tmp_path: Path) -> None:
    web = small_site(BoxPlan("latest", 10), copied=1)
    [site] = web.sites

    follow(web, tmp_path, snapshots=15, pace="fixed")

    with Store.open(tmp_path) as archive:
        left = {front.page: front.left_because for front in archive.front_records() if front.left_at}
        followed = {scheduled.page.key for scheduled in archive.sections()}
    first, original, copy = (f"{site.host}{site.paths.to_section(section.slug)}" for section in site.sections)
    assert left[copy] == f"shows what {original} shows"
    assert {first, original} <= followed
    assert copy not in followed
