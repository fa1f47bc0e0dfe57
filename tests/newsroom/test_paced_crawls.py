"""Crawls whose fronts are visited at the pace that a policy sets."""

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import ClassVar

import pytest

from broadsheet.archive import Store
from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.crawling.simulated import VirtualClock
from broadsheet.newsroom.agenda import Agenda
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.front_register import FrontRegister
from broadsheet.newsroom.front_turnover import SourceTurnover
from broadsheet.newsroom.pace_policies import FIRST_AGAIN, PACES
from broadsheet.newsroom.turnover_memory import TurnoverMemory
from broadsheet.newsweb.response import failure
from broadsheet.simulation.simulated_crawl import simulate
from tests.newsroom.site import HOME as ADDRESS
from tests.newsroom.site import ONCE, START, ScriptedSite, article_path, front, story
from tests.newsroom.turnovers import FRONT, HOME, HOUR


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
