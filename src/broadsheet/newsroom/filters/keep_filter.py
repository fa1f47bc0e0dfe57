"""Keep what came of a visit: the page, its links, its verdict and its article, and plan what follows from it."""

import logging
from collections.abc import Mapping
from dataclasses import replace

from broadsheet.archive import (
    AgendaEntry,
    ArticleForm,
    FetchRecord,
    PageRecord,
    PageState,
    VerdictRecord,
    VisitReason,
)
from broadsheet.base import reasons, statuses, urls
from broadsheet.base.domains import registrable_domain
from broadsheet.base.records import Article, Verdict
from broadsheet.newsroom.agenda import Agenda
from broadsheet.newsroom.departures import Departures
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.failed_visits import FailedVisits
from broadsheet.newsroom.front_paces import FrontPaces
from broadsheet.newsroom.fronts import Fronts
from broadsheet.newsroom.judging import LINKS, LOOKED, with_sentence
from broadsheet.newsroom.kept_lists import ListKeeper
from broadsheet.newsroom.kept_pages import AnsweredVisit, PageKeeper, without_validators
from broadsheet.newsroom.page_visit import Breakdown, Drop, FilterResult, Findings, Probabilities
from broadsheet.newsroom.revisits import Revisits
from broadsheet.newsroom.source_feeds import SourceFeeds
from broadsheet.newsroom.source_phases import SourcePhases
from broadsheet.newsroom.twin_pages import TwinPages

_log = logging.getLogger(__name__)


class KeepFilter:
    """The last filter: it runs where the archive is written, one visit after the other."""

    def __init__(self, desk: Desk, agenda: Agenda) -> None:
        """Take what it writes to."""
        self._desk = desk
        self._agenda = agenda
        self.fronts = Fronts(desk, agenda)
        self.revisits = Revisits(desk, agenda)
        self.paces = FrontPaces(desk, agenda, self.fronts.sightings, self.fronts.register)
        self.phases = SourcePhases(desk, agenda, self.fronts.memory, self.paces.schedule)
        self.feeds = SourceFeeds(desk, agenda, self.fronts.sightings, self.revisits, self.paces)
        self._pages = PageKeeper(desk)
        self._twins = TwinPages(desk)
        self._events = self.fronts.events
        self._departures = Departures(desk, agenda, self.fronts, self._twins)
        self._lists = ListKeeper(
            desk, agenda, self._pages, self.fronts, self.feeds, self.revisits, self.paces, self.phases
        )
        self.failed = FailedVisits(desk, agenda, self.fronts, self.feeds, self.paces)
        #: Visits that follow from the one in hand, which has to be settled first.
        self._following: list[AgendaEntry] = []

    def keep(self, visit: AnsweredVisit, found: FilterResult) -> None:
        """Keep a fetched page, and settle its visit."""
        if isinstance(found, Findings) and found.rendered is not None:
            visit = replace(visit, rendered=found.rendered)
        page = self._settled(visit, found)
        if page is not None:
            if isinstance(found, Findings):
                self._keep_findings(visit, page, found)
            else:
                self._keep_unread(visit, page, found)
        is_article = isinstance(found, Findings) and found.article is not None
        if not (is_article or visit.is_front or visit.is_feed):
            self.paces.tally.no_article(visit.page.key)
        self._settle(visit)
        if isinstance(found, Drop) and found.counted == reasons.FEED:
            self.feeds.find(visit.source, visit.answer.url, visit.page.key)

    def _settle(self, visit: AnsweredVisit) -> None:
        """Settle a visit, and plan those that follow from it."""
        self._agenda.settle(visit.page.key, visit.answer.at)
        following, self._following = self._following, []
        for entry in (*following, *self.feeds.take_following()):
            self._agenda.plan(entry)

    def put_aside(self, visit: AnsweredVisit, error: Exception) -> None:
        """Leave a page alone that could not be kept for an unforeseen reason, so that the crawl goes on."""
        what = " ".join(f"{type(error).__name__}: {error}".split())
        _log.error("%s could not be kept: %s", visit.answer.url, what, exc_info=error)
        self._following.clear()
        self.feeds.take_following()
        self._pages.miss(visit, reasons.UNEXPECTED, f"cannot be kept ({reasons.UNEXPECTED}): {what}")
        state = visit.page.state if visit.is_front or visit.is_feed else PageState.FAILED
        fetch = FetchRecord(state=state, fetched_at=visit.page.fetch.fetched_at)
        self._desk.batch.page(visit.page.with_fetch(fetch))
        self.failed.miss_home(visit.page, what)
        self._agenda.settle(visit.page.key, visit.answer.at, is_reached=False)

    def was_forgotten(self, visit: AnsweredVisit) -> bool:
        """Return whether a redirect led to a page that was forgotten, or past one."""
        if not self._desk.writer.has_forgotten:
            return False
        passed = (exchange.url for exchange in visit.answer.exchanges)
        return any(self._desk.writer.is_forgotten(urls.key(url)) for url in (*passed, visit.answer.url))

    def pass_over(self, visit: AnsweredVisit) -> None:
        """Keep nothing of an answer that is a forgotten page; a front is asked for again later."""
        self._pages.miss(visit, reasons.FORGOTTEN)
        state = visit.page.state if visit.is_front or visit.is_feed else PageState.FAILED
        self._desk.batch.page(visit.page.with_fetch(FetchRecord(state=state)))
        self._agenda.settle(visit.page.key, visit.answer.at, is_reached=False)

    def has_left(self, visit: AnsweredVisit) -> bool:
        """Return whether a redirect led to another site."""
        # The user may name a feed on another site.
        own = registrable_domain(visit.page.url) if visit.is_feed else self._agenda.domain(visit.source)
        return registrable_domain(visit.answer.url) != own

    def keep_departure(self, visit: AnsweredVisit) -> None:
        """Keep the answer of another site, which says nothing about the page; a front is asked for again later."""
        self._pages.miss(visit, reasons.LEFT, f"redirects to another site, {visit.answer.url}")
        state = visit.page.state if visit.is_front else PageState.FAILED
        self._pages.keep(visit, visit.page, state=state, is_whole=False)
        self.failed.miss_home(visit.page, f"redirects to another site, {visit.answer.url}")
        if visit.is_feed:
            self.feeds.lose(visit, "it redirects to another site")
        else:
            self._departures.left(visit)
        self._agenda.settle(visit.page.key, visit.answer.at, is_reached=False)

    def keep_unchanged(self, visit: AnsweredVisit) -> None:
        """Keep the answer that a page has not changed: it still links to what it linked to."""
        self._desk.progress.unchanged += 1
        self._pages.keep_again(visit)
        if visit.page.key in self._agenda.sources:
            self._events.home_came(visit.page)
            self.paces.home_came(visit.page)
        if visit.is_feed:
            self.feeds.keep_again(visit)
        elif visit.is_front:
            self._lists.keep_front_again(visit)
        elif visit.why is VisitReason.REVISION:
            self._departures.came(visit)
            self._following.extend(self.revisits.unchanged(visit))
        self._settle(visit)

    def keep_error(self, visit: AnsweredVisit) -> None:
        """Keep an answer that is not the page, and forget the validators, which belong to what it was before."""
        status = visit.answer.status
        is_wrong_guess = status not in statuses.PASSING and self.feeds.is_guess(visit)
        if not is_wrong_guess:
            # That a place where nobody promised a feed has none is neither a failure nor a loss; its record says so.
            self._pages.miss(visit, reasons.answered(status))
        self._pages.visited(visit)
        if visit.is_feed and (status in statuses.GONE or is_wrong_guess):
            self._lose_feed(visit)
        elif status in statuses.GONE and not self._agenda.is_home(visit.page.key):
            self.paces.tally.no_article(visit.page.key)
            self._departures.gone(visit)
            self._following.extend(self.revisits.gone(visit))
            self._settle(visit)
        else:
            self._desk.batch.page(without_validators(visit.page))
            self.failed.try_again(visit.page.key, visit.answer, is_passing=status in statuses.PASSING)

    def _keep_findings(self, visit: AnsweredVisit, page: PageRecord, found: Findings) -> None:
        if visit.is_feed:
            self._lists.keep_feed(visit, page, found)
            return
        if self._departures.is_replaced(visit, page, found):
            self._pages.miss(visit, reasons.SOFT_404)
            self._pages.visited(visit)
            self._following.extend(self.revisits.replaced(visit, is_gone=self._departures.replaced(visit)))
            return
        is_given_up = visit.is_front and not self._agenda.planned(page.key)
        if found.verdict is not None and not self._agenda.is_home(page.key) and not is_given_up:
            verdict = with_sentence(found.verdict, page.judged) if LINKS in found.evidence else found.verdict
            page = page.with_verdict(_judged(visit, verdict, found.evidence))
        if visit.is_front:
            self._lists.keep_front(visit, page, found)
        elif visit.why is VisitReason.FURTHER_PAGE:
            self._lists.keep_further(visit, page, found)
        elif found.links is not None:
            self._following.extend(self._lists.follow(visit, page, found.links))
        elif found.article is not None:
            self._archive(visit, page, found.article, found.form)
        else:
            self._pages.keep(visit, page)

    def _keep_unread(self, visit: AnsweredVisit, page: PageRecord, found: Drop | Breakdown) -> None:
        """Keep a page that was dropped or broke a reader: it is not read again, but a front is tried at its pace."""
        if isinstance(found, Breakdown):
            _log.error("the filters failed on %s: %s\n%s", visit.answer.url, found.detail, found.trace)
            self._pages.miss(visit, found.counted, f"cannot be read ({found.counted}): {found.detail}")
        else:
            self._pages.miss(visit, found.counted, found.detail)
        if visit.is_feed:
            self.feeds.lose(visit, found.detail)
        if visit.is_front or visit.is_feed:
            self._pages.keep(visit, page, is_whole=False)
            self.failed.miss_home(visit.page, found.detail)
            return
        verdict = Verdict("other", None, 1.0, {"other": 1.0}, (found.detail,), str(found.counted))
        page = page.with_verdict(_judged(visit, verdict, {}))
        broken = isinstance(found, Breakdown)
        self._pages.keep(visit, page, state=PageState.FAILED if broken else PageState.FETCHED, is_whole=False)

    def _lose_feed(self, visit: AnsweredVisit) -> None:
        """Give up a feed that is gone."""
        self._desk.batch.page(visit.page.with_fetch(FetchRecord(state=PageState.GONE)))
        self.feeds.lose(visit, f"it answered {visit.answer.status}")
        for source in self._agenda.planned(visit.page.key):
            self._agenda.unplan(source, visit.page.key)
        self._agenda.settle(visit.page.key, visit.answer.at)

    def _archive(self, visit: AnsweredVisit, page: PageRecord, article: Article, form: ArticleForm | None) -> None:
        """Keep an article, unless it is archived already at another address of its own."""
        twin = self._twins.twin(visit.source, self._agenda.sources[visit.source].url, page, article)
        if twin is not None:
            self._pages.miss(visit, reasons.DUPLICATE, f"is the same as {twin}")
            self._departures.copied(visit, page, twin)
            self._pages.keep(visit, replace(page, duplicate_of=twin), state=PageState.DUPLICATE)
            return
        kept = self._pages.keep(visit, replace(page, duplicate_of=None) if page.duplicate_of else page)
        self._departures.came(visit)
        is_new = page.fetch.fetched_at is None
        if not is_new:
            self._departures.came_again(visit, page, article)
        is_changed = self._desk.batch.article(page.key, visit.source, article, visit=kept, form=form, is_first=is_new)
        if is_changed:
            self._events.archived(visit.source, page, article, visit.answer.at)
            self._desk.archived(page.key, article)
            _log.info("archived %s: %s", page.url, article.title or "without a title")
            self._desk.progress.articles += is_new
            if is_new:
                self.paces.tally.archived(visit.source, page, article)
            self._desk.progress.latest = article.title or page.url
        self._following.extend(self.revisits.archived(visit, page, article, is_changed=is_changed))

    def _settled(self, visit: AnsweredVisit, found: FilterResult) -> PageRecord | None:
        """Return the fetched page, which is another one after a redirect; None if there is nothing more to do."""
        answer = visit.answer
        if visit.is_front or visit.is_feed or answer.url == visit.page.url:
            return visit.page
        key = urls.key(answer.url)
        if key == visit.page.key:
            return visit.page
        known = self._desk.record(key)
        alias = replace(visit.page, duplicate_of=key)
        if known is not None and known.state is PageState.FETCHED:
            self._pages.miss(visit, reasons.DUPLICATE, f"redirects to {answer.url}")
            self._pages.keep(visit, alias, state=PageState.DUPLICATE)
            self._departures.redirected(visit, known.kind)
            return None
        self._desk.batch.page(replace(alias, fetch=FetchRecord(state=PageState.DUPLICATE, fetched_at=answer.at)))
        self.fronts.sightings.adopt(visit.source, visit.page.key, key)
        verdict = found.verdict if isinstance(found, Findings) else None
        self._departures.redirected(visit, verdict.kind if verdict else None)
        return replace(known or visit.page, key=key, url=answer.url, duplicate_of=None)


def _judged(visit: AnsweredVisit, verdict: Verdict, evidence: Mapping[str, Probabilities]) -> VerdictRecord:
    """Return what a visit says of its page; after a second look reviews have to know that there was one."""
    looked = {LOOKED: verdict.probabilities} if visit.why is VisitReason.SECOND_LOOK else {}
    return VerdictRecord(verdict=verdict, at=visit.answer.at, evidence={**evidence, **looked})
