"""Visits that failed: planned again, given up, or counted until a home page counts as failing."""

from dataclasses import replace

from broadsheet.archive import PageRecord, PageState, VisitReason
from broadsheet.base import reasons
from broadsheet.crawling.fetch_messages import FetchAnswer, Outcome
from broadsheet.newsroom.agenda import Agenda
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.front_paces import FrontPaces
from broadsheet.newsroom.fronts import Fronts
from broadsheet.newsroom.source_feeds import SourceFeeds

#: How often a page is asked for that refuses, and one whose whole site may be down for a while.
MAX_ATTEMPTS, PASSING_ATTEMPTS = 3, 24


class FailedVisits:
    """Plans what follows when a page could not be fetched."""

    def __init__(self, desk: Desk, agenda: Agenda, fronts: Fronts, feeds: SourceFeeds, paces: FrontPaces) -> None:
        """Take the agenda, what follows fronts and feeds, and what sets the pace of sections."""
        self._desk = desk
        self._agenda = agenda
        self._fronts = fronts
        self._feeds = feeds
        self._paces = paces

    def try_again(self, key: str, outcome: Outcome, *, is_passing: bool) -> None:
        """Plan another visit to a page, unless it was tried often enough already; fronts are not given up."""
        page = self._desk.record(key)
        planned = self._agenda.planned(key)
        if page is None or any(entry.every is not None for entry in planned.values()):
            if page is not None:
                self.miss_home(page, _failure(outcome))
            self._paces.failed(key)
            self._agenda.settle(key, outcome.at, is_reached=False)
            return
        attempts = page.fetch.attempts + 1
        is_feed = any(entry.reason is VisitReason.FEED for entry in planned.values())
        is_over = attempts >= (PASSING_ATTEMPTS if is_passing and not is_feed else MAX_ATTEMPTS)
        state = PageState.FAILED if is_over and page.state is PageState.KNOWN else page.state
        self._desk.batch.page(replace(page, fetch=replace(page.fetch, attempts=attempts, state=state)))
        if is_over or not planned:
            self._agenda.settle(key, outcome.at)
            if is_feed:
                self._feeds.give_up(key)
        else:
            self._agenda.postpone(key, min(map(self._fronts.next_home, planned)))

    def miss_home(self, page: PageRecord, why: str) -> None:
        """Count consecutive visits in which a home page could not be fetched; other pages are not counted."""
        if page.key in self._agenda.sources:
            attempts = page.fetch.attempts + 1
            current = self._desk.record(page.key) or page
            self._desk.batch.page(replace(current, fetch=replace(current.fetch, attempts=attempts)))
            self._fronts.events.home_missed(page, attempts, why)


def _failure(outcome: Outcome) -> str:
    return str(reasons.answered(outcome.status)) if isinstance(outcome, FetchAnswer) else outcome.message
