"""Keep what came of a visit: the page, its links, its verdict and its article, and plan what follows from it."""

import logging
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
from broadsheet.crawling.fetch_messages import FetchAnswer, Outcome
from broadsheet.newsroom.agenda import Agenda
from broadsheet.newsroom.departures import Departures
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.fronts import Fronts
from broadsheet.newsroom.further_pages import FurtherPages
from broadsheet.newsroom.kept_pages import AnsweredVisit, PageKeeper, without_validators
from broadsheet.newsroom.page_visit import Breakdown, Drop, FilterResult, Findings, FoundLinks
from broadsheet.newsroom.revisits import Revisits
from broadsheet.newsroom.sightings import NOT_FOLLOWED
from broadsheet.newsroom.source_feeds import SourceFeeds
from broadsheet.newsroom.twin_pages import TwinPages

#: How often a page is asked for that refuses, and one whose whole site may be down for a while.
MAX_ATTEMPTS, PASSING_ATTEMPTS = 3, 24

_log = logging.getLogger(__name__)


class KeepFilter:
    """The last filter: it runs where the archive is written, one visit after the other."""

    def __init__(self, desk: Desk, agenda: Agenda) -> None:
        """Take what it writes to."""
        self._desk = desk
        self._agenda = agenda
        self.fronts = Fronts(desk, agenda)
        self._further = FurtherPages(desk, agenda)
        self.feeds = SourceFeeds(desk, agenda, self.fronts.sightings)
        self._pages = PageKeeper(desk)
        self._twins = TwinPages(desk)
        self._events = self.fronts.events
        self.revisits = Revisits(desk, agenda)
        self._departures = Departures(desk, agenda, self._events, self._twins)
        #: Visits that follow from the one in hand, which has to be settled first.
        self._following: list[AgendaEntry] = []

    def keep(self, visit: AnsweredVisit, found: FilterResult) -> None:
        """Keep a page that came, and settle its visit."""
        visit = replace(visit, is_rendered=isinstance(found, Findings) and found.is_rendered)
        page = self._settled(visit, found)
        if page is not None:
            if isinstance(found, Findings):
                self._keep_findings(visit, page, found)
            else:
                self._keep_unread(visit, page, found)
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
        self._desk.batch.page(replace(visit.page, fetch=fetch))
        self._miss_home(visit.page, what)
        self._agenda.settle(visit.page.key, visit.answer.at, is_reached=False)

    def was_forgotten(self, visit: AnsweredVisit) -> bool:
        """Return whether a redirect led to a page that was forgotten, or past one."""
        passed = (exchange.url for exchange in visit.answer.exchanges)
        return any(self._desk.writer.is_forgotten(urls.key(url)) for url in (*passed, visit.answer.url))

    def pass_over(self, visit: AnsweredVisit) -> None:
        """Keep nothing of an answer that is a forgotten page; a front is asked for again later."""
        self._pages.miss(visit, reasons.FORGOTTEN)
        state = visit.page.state if visit.is_front or visit.is_feed else PageState.FAILED
        self._desk.batch.page(replace(visit.page, fetch=FetchRecord(state=state)))
        self._agenda.settle(visit.page.key, visit.answer.at, is_reached=False)

    def has_left(self, visit: AnsweredVisit) -> bool:
        """Return whether a redirect led to another site."""
        # The user may name a feed on another site.
        asked = visit.page.url if visit.is_feed else self._agenda.sources[visit.source].url
        return registrable_domain(visit.answer.url) != registrable_domain(asked)

    def keep_departure(self, visit: AnsweredVisit) -> None:
        """Keep the answer of another site, which says nothing about the page; a front is asked for again later."""
        self._pages.miss(visit, reasons.LEFT, f"redirects to another site, {visit.answer.url}")
        state = visit.page.state if visit.is_front else PageState.FAILED
        self._pages.keep(visit, visit.page, state=state, is_whole=False)
        self._miss_home(visit.page, f"redirects to another site, {visit.answer.url}")
        if visit.is_feed:
            self.feeds.lose(visit, "it redirects to another site")
        else:
            self._departures.left(visit)
        self._agenda.settle(visit.page.key, visit.answer.at, is_reached=False)

    def is_unchanged(self, visit: AnsweredVisit) -> bool:
        """Return whether a page has not changed: the server says so, or its bytes are those that were read before.

        Of a page that scripts write, neither says anything.
        """
        scripts = self._agenda.sources[visit.source].scripts
        is_scripted = not visit.is_feed and (scripts.fronts if visit.is_front else scripts.articles)
        if is_scripted and visit.answer.status == statuses.OK:
            return False
        answer = visit.answer.exchanges[-1]
        if answer.status != statuses.OK or len(visit.answer.exchanges) > 1:
            return answer.status == statuses.NOT_MODIFIED
        is_article = visit.page.kind == "article"
        if visit.is_feed:
            is_read = bool(self._desk.links.of(visit.page.key).keys)
        elif visit.is_front:
            # A front that a review took for an article has not been read as one.
            is_read = bool(self._desk.links.of(visit.page.key).keys) and not is_article
        else:
            # After a soft 404 the last content is not the article.
            is_sound = visit.page.state is PageState.FETCHED and not visit.page.fetch.attempts
            is_read = visit.why is VisitReason.REVISION and is_article and is_sound
        return is_read and self._desk.batch.repeats(visit.page.key, answer)

    def keep_unchanged(self, visit: AnsweredVisit) -> None:
        """Keep the answer that a page has not changed: it still links to what it linked to."""
        self._desk.progress.unchanged += 1
        self._pages.keep_again(visit)
        if visit.page.key in self._agenda.sources:
            self._events.home_came(visit.page)
        if visit.is_feed:
            self.feeds.keep_again(visit)
        elif visit.is_front:
            self.fronts.see(visit.page.key)
            self.feeds.seen_front(visit)
        elif visit.why is VisitReason.REVISION:
            self._departures.came(visit)
            self._following.extend(self.revisits.unchanged(visit))
        self._settle(visit)

    def keep_error(self, visit: AnsweredVisit) -> None:
        """Keep an answer that is not the page, and forget the validators, which belong to what it was before."""
        status = visit.answer.status
        self._pages.miss(visit, reasons.answered(status))
        self._pages.visited(visit)
        if status in statuses.GONE and visit.is_feed:
            self._lose_feed(visit)
        elif status in statuses.GONE and not self._agenda.is_home(visit.page.key):
            self._departures.gone(visit)
            self._following.extend(self.revisits.gone(visit))
            self._settle(visit)
        else:
            self._desk.batch.page(without_validators(visit.page))
            self.try_again(visit.page.key, visit.answer, is_passing=status in statuses.PASSING)

    def try_again(self, key: str, outcome: Outcome, *, is_passing: bool) -> None:
        """Plan another visit to a page that did not come, unless it was tried often enough; fronts are not given up."""
        page = self._desk.record(key)
        planned = self._agenda.planned(key)
        if page is None or any(entry.every is not None for entry in planned.values()):
            if page is not None:
                self._miss_home(page, _failure(outcome))
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
                self.feeds.give_up(key)
        else:
            self._agenda.postpone(key, min(map(self.fronts.next_home, planned)))

    def _miss_home(self, page: PageRecord, why: str) -> None:
        """Count consecutive visits in which a home page could not be fetched; other pages are not counted."""
        if page.key in self._agenda.sources:
            attempts = page.fetch.attempts + 1
            current = self._desk.record(page.key) or page
            self._desk.batch.page(replace(current, fetch=replace(current.fetch, attempts=attempts)))
            self._events.home_missed(page, attempts, why)

    def _keep_findings(self, visit: AnsweredVisit, page: PageRecord, found: Findings) -> None:
        if visit.is_feed:
            self._keep_feed(visit, page, found)
            return
        if self._departures.is_replaced(visit, page, found):
            self._pages.miss(visit, reasons.SOFT_404)
            self._pages.visited(visit)
            self._following.extend(self.revisits.replaced(visit, is_gone=self._departures.replaced(visit)))
            return
        is_given_up = visit.is_front and not self._agenda.planned(page.key)
        if found.verdict is not None and not self._agenda.is_home(page.key) and not is_given_up:
            judged = VerdictRecord(verdict=found.verdict, at=visit.answer.at, evidence=found.evidence)
            page = replace(page, judged=judged)
        if visit.is_front:
            self._keep_front(visit, page, found)
        elif visit.why is VisitReason.FURTHER_PAGE:
            self._keep_further(visit, page, found)
        elif found.links is not None:
            self._follow(visit, page, found.links)
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
            self._miss_home(visit.page, found.detail)
            return
        verdict = Verdict("other", None, 1.0, {"other": 1.0}, (found.detail,), str(found.counted))
        page = replace(page, judged=VerdictRecord(verdict=verdict, at=visit.answer.at))
        broken = isinstance(found, Breakdown)
        self._pages.keep(visit, page, state=PageState.FAILED if broken else PageState.FETCHED, is_whole=False)

    def _keep_front(self, visit: AnsweredVisit, page: PageRecord, found: Findings) -> None:
        links = found.links
        if links is None:
            self._pages.keep(visit, page)
            return
        self._pages.count_dropped(visit, links)
        if page.key in self._agenda.sources:
            self._events.home_came(visit.page)
        self._pages.keep(visit, self.fronts.moved(visit, page), links.rows)
        self.revisits.see_front(page.key, self._desk.links.of(page.key), links.targets)
        self._desk.links.remember(page.key, links.targets)
        self.fronts.see(page.key)
        self._further.look_further(visit, links, self.fronts.sightings.fresh.get(visit.source, ()))
        self.feeds.seen_front(visit, links.feeds)

    def _keep_further(self, visit: AnsweredVisit, page: PageRecord, found: Findings) -> None:
        """Keep the further page of a front, and note what it links to."""
        links = found.links
        if links is None:
            self._pages.keep(visit, page)
            return
        self._pages.count_dropped(visit, links)
        self._pages.keep(visit, page, links.rows)
        self.fronts.sightings.see(visit.source, page.key, links.targets)
        self._further.look_further(visit, links, self.fronts.sightings.fresh.get(visit.source, ()))

    def _keep_feed(self, visit: AnsweredVisit, page: PageRecord, found: Findings) -> None:
        links, listing = found.links, found.listing
        if links is None or listing is None:
            raise RuntimeError("a feed was not read")
        self._pages.count_dropped(visit, links)
        before = self._desk.links.of(page.key)
        # A feed that moved answers 304 only at its new address.
        self._pages.keep(visit, replace(page, url=visit.answer.url), links.rows)
        self._desk.links.remember(page.key, links.targets)
        self.feeds.keep(visit, listing, links.targets, before)

    def _lose_feed(self, visit: AnsweredVisit) -> None:
        """Give up a feed that is gone."""
        self._desk.batch.page(replace(visit.page, fetch=FetchRecord(state=PageState.GONE)))
        self.feeds.lose(visit, f"it answered {visit.answer.status}")
        for source in self._agenda.planned(visit.page.key):
            self._agenda.unplan(source, visit.page.key)
        self._agenda.settle(visit.page.key, visit.answer.at)

    def _follow(self, visit: AnsweredVisit, page: PageRecord, links: FoundLinks) -> None:
        """Follow a section from now on, and note what it links to already."""
        subtype = page.judged.verdict.subtype if page.judged else None
        if subtype in NOT_FOLLOWED:
            self._pages.keep(visit, page)
            return
        self._pages.count_dropped(visit, links)
        self._pages.keep(visit, page, links.rows)
        self._desk.links.remember(page.key, links.targets)
        wanted = {visit.source, *self._agenda.planned(visit.page.key)}
        for source in sorted(wanted):
            entry = self.fronts.following(source, page) if self.fronts.sightings.may_follow(source, page) else None
            if entry is not None:
                self._following.append(entry)
                self.fronts.found(source, page)
                self.fronts.sightings.see(source, page.key, links.targets)

    def _archive(self, visit: AnsweredVisit, page: PageRecord, article: Article, form: ArticleForm | None) -> None:
        """Keep an article, unless it is archived already at another address of its own."""
        twin = self._twins.twin(visit.source, self._agenda.sources[visit.source].url, page, article)
        if twin is not None:
            self._pages.miss(visit, reasons.DUPLICATE, f"is the same as {twin}")
            self._departures.copied(visit, page, twin)
            self._pages.keep(visit, replace(page, duplicate_of=twin), state=PageState.DUPLICATE)
            return
        kept = self._pages.keep(visit, replace(page, duplicate_of=None))
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
            self._desk.progress.latest = article.title or page.url
        self._following.extend(self.revisits.archived(visit, page, article, is_changed=is_changed))

    def _settled(self, visit: AnsweredVisit, found: FilterResult) -> PageRecord | None:
        """Return the page that came, which is another one after a redirect; None if there is nothing more to do."""
        key, answer = urls.key(visit.answer.url), visit.answer
        if key == visit.page.key:
            return visit.page
        if visit.is_front or visit.is_feed:
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


def _failure(outcome: Outcome) -> str:
    return str(reasons.answered(outcome.status)) if isinstance(outcome, FetchAnswer) else outcome.message
