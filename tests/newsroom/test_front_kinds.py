"""Fronts on the news web: sections that sleep, items replaced in place, old articles in footers, copied sections."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count, pairwise
from pathlib import Path
from statistics import median

import pytest
from benchmarks.pace_model import START, PaceResult, SiteFronts

from broadsheet.archive import ArchiveEvent, EventKind, Store
from broadsheet.base import urls
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsroom.front_turnover import FrontVisit, SourceTurnover
from broadsheet.newsweb.drawn_sites import draw_site
from broadsheet.newsweb.response import Response
from broadsheet.newsweb.site import Section, Site
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


def busy_places() -> NewsWeb:
    """Return a web of one site with 180 articles a day, on all of whose fronts each replaces another in its place."""
    [site] = small_site(BoxPlan("places", 10)).sites
    assert site.plan is not None
    sections = tuple(replace(each, rhythm=replace(each.rhythm, articles=60.0)) for each in site.sections)
    plan = replace(site.plan, home=(BoxPlan("places", 12),))
    return NewsWeb(sites=[replace(site, sections=sections, plan=plan)])


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


def follow(
    web: NewsWeb, folder: Path, snapshots: int, pace: str, begin: datetime = BEGIN
) -> defaultdict[str, list[datetime]]:
    """Follow the site of a web for some two-hourly snapshots; return when each page was asked for."""
    [site] = web.sites
    asked = defaultdict[str, list[datetime]](list)

    def fetch(url: str, at: datetime, headers: Mapping[str, str]) -> Response:
        asked[urls.key(url)].append(at)
        return web.fetch(url, at, headers)

    assignment = Assignment((web.home(site),), every=2 * 3600.0, snapshots=snapshots)
    simulate(folder, fetch, begin, assignment, settings=replace(ONCE, pace=pace), commit_often=False)
    return asked


def address_of(site: Site, section: Section) -> str:
    return f"http://{site.host}{site.paths.to_section(section.slug)}"


def archived(folder: Path) -> set[str]:
    with Store.open(folder) as archive:
        return {urls.key(stored.article.url or "") for stored in archive.articles()}


def published(web: NewsWeb, begin: datetime, end: datetime) -> dict[str, str]:
    """Return the sections of the articles that came in some time."""
    return {urls.key(article.url): article.section for article in web.articles(begin, end, outlines=True)}


def seconds(event: ArchiveEvent) -> tuple[str, str, str]:
    return event.page, str(event.detail["since"]), str(event.detail["until"])


def test_a_section_that_sleeps_is_asked_for_less_and_less_and_loses_nothing_when_it_wakes(tmp_path: Path) -> None:
    friday, sunday = datetime(2026, 3, 6, 6, tzinfo=UTC), datetime(2026, 3, 8, tzinfo=UTC)
    web = small_site(BoxPlan("latest", 10))
    [site] = web.sites
    assert site.plan is not None
    first, sleeper, last = site.sections
    sleeping = (replace(sleeper.rhythm, sleep=0.85, salt=salt) for salt in count())
    wakes = next(each for each in sleeping if each.rests(friday.date()) and not each.rests(sunday.date()))
    sections = (first, replace(sleeper, rhythm=wakes), last)
    # The home page shows nothing of the section.
    plan = replace(site.plan, home=(BoxPlan("latest", 12, section=0), BoxPlan("latest", 6, section=2)))
    web = NewsWeb(sites=[replace(site, sections=sections, plan=plan)])

    asked = follow(web, tmp_path, snapshots=51, pace="arrivals", begin=friday)

    visits = asked[urls.key(address_of(site, sleeper))]
    waits = [later - earlier for earlier, later in pairwise(visits)]
    asleep = waits[: sum(visit < sunday for visit in visits)]
    assert asleep == sorted(asleep)
    assert asleep[-1] > 20 * HOUR
    assert max(waits[-4:]) < 6 * HOUR
    brought = {page for page, name in published(web, friday, visits[-1]).items() if name == sleeper.name}
    assert len(brought) > 20
    assert brought <= archived(tmp_path)


@pytest.mark.parametrize("pace", ["fixed", "arrivals"])
def test_fronts_whose_items_are_all_replaced_in_place_have_gaps_or_are_followed_further(
    tmp_path: Path, pace: str
) -> None:
    web = busy_places()
    [site] = web.sites

    asked = follow(web, tmp_path, snapshots=10, pace=pace)

    articles = published(web, BEGIN - timedelta(days=20), BEGIN + timedelta(days=1)).keys()
    fronts = {urls.key(url): url for url in (web.home(site), *(address_of(site, each) for each in site.sections))}
    shown = {
        (page, at): {urls.key(link.url) for link in web.occurrences(url, at)} & articles
        for page, url in fronts.items()
        for at in asked[page]
    }
    expected = {
        (page, earlier.isoformat(timespec="seconds"), later.isoformat(timespec="seconds"))
        for page in fronts
        for earlier, later in pairwise(asked[page])
        if not shown[page, earlier] & shown[page, later]
        and not any(later < at < later + timedelta(minutes=1) for at in asked[f"{page}?page=2"])
    }
    with Store.open(tmp_path) as archive:
        gaps = archive.events(kinds=[EventKind.GAP])
    assert {seconds(gap) for gap in gaps} == expected
    assert expected, "twelve places of the home page are filled anew within two hours"
    assert any("?page=2" in page for page in asked), "sections have further pages"


def test_fronts_whose_items_are_replaced_in_place_are_visited_more_often_than_these_stay(tmp_path: Path) -> None:
    web = busy_places()
    [site] = web.sites
    learned, end = BEGIN + 6 * HOUR, BEGIN + 16 * HOUR

    asked = follow(web, tmp_path, snapshots=10, pace="arrivals")

    with Store.open(tmp_path) as archive:
        stays = {front.page: front.stays for front in archive.front_records()}
    for section in site.sections:
        page = urls.key(address_of(site, section))
        longest = max(later - earlier for earlier, later in pairwise(asked[page]) if earlier > learned)
        assert longest < median(stays[page]) * HOUR
    came = published(web, learned, end).keys()
    assert len(came & archived(tmp_path)) >= 0.98 * len(came)


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
    first, original, copy = (urls.key(address_of(site, section)) for section in site.sections)
    assert left[copy] == f"shows what {original} shows"
    assert {first, original} <= followed
    assert copy not in followed
