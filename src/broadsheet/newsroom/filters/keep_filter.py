"""Keep what came of a visit: the page, its links, its verdict and its article, and plan what follows from it."""

import logging
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from broadsheet.archive import (
    AgendaEntry,
    ArticleForm,
    FetchRecord,
    LinkRows,
    PageRecord,
    PageState,
    VerdictRecord,
    VisitReason,
)
from broadsheet.base import reasons, statuses, urls
from broadsheet.base.domains import registrable_domain
from broadsheet.base.reasons import Reason
from broadsheet.base.records import Article, Verdict
from broadsheet.crawling.fetch_messages import FetchAnswer, Outcome
from broadsheet.newsroom.agenda import PRIORITIES, Agenda, next_due
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.page_visit import FRONTS, Breakdown, Drop, FilterResult, Findings, FoundLinks
from broadsheet.newsroom.sightings import NOT_FOLLOWED, Sightings
from broadsheet.newsroom.twin_pages import TwinPages

#: How often a page is asked for that refuses, and one whose whole site may be down for a while.
MAX_ATTEMPTS, PASSING_ATTEMPTS = 3, 24
#: What is sent back with every request must not be long, nor anything but text of one line.
MAX_VALIDATOR = 500

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class AnsweredVisit:
    """A visit that was answered: the page that was asked for, for whom and why."""

    page: PageRecord
    source: str
    why: VisitReason
    answer: FetchAnswer

    @property
    def is_front(self) -> bool:
        """Whether the page is followed."""
        return self.why in FRONTS


class KeepFilter:
    """The last filter: it runs where the archive is written, one visit after the other."""

    def __init__(self, desk: Desk, agenda: Agenda) -> None:
        """Take what it writes to."""
        self._desk = desk
        self._agenda = agenda
        self.sightings = Sightings(desk, agenda)
        self._twins = TwinPages(desk)
        #: Visits that follow from the one in hand, which has to be settled first.
        self._following: list[AgendaEntry] = []

    def keep(self, visit: AnsweredVisit, found: FilterResult) -> None:
        """Keep a page that came, and settle its visit."""
        page = self._settled(visit)
        if page is not None:
            if isinstance(found, Findings):
                self._keep_findings(visit, page, found)
            else:
                self._keep_unread(visit, page, found)
        self._agenda.settle(visit.page.key, visit.answer.at)
        following, self._following = self._following, []
        for entry in following:
            self._agenda.plan(entry)

    def has_left(self, visit: AnsweredVisit) -> bool:
        """Return whether a redirect led to another site."""
        home = self._agenda.sources[visit.source].url
        return registrable_domain(visit.answer.url) != registrable_domain(home)

    def keep_departure(self, visit: AnsweredVisit) -> None:
        """Keep the answer of another site, which says nothing about the page; a front is asked for again later."""
        self._miss(visit, reasons.LEFT, f"redirects to another site, {visit.answer.url}")
        state = visit.page.state if visit.is_front else PageState.FAILED
        self._keep_page(visit, visit.page, state=state, is_whole=False)
        self._agenda.settle(visit.page.key, visit.answer.at, is_reached=False)

    def keep_unchanged(self, visit: AnsweredVisit) -> None:
        """Keep the answer that a page has not changed: it still links to what it linked to."""
        self._desk.progress.unchanged += 1
        self._visited(visit)
        fetch = replace(visit.page.fetch, attempts=0, fetched_at=visit.answer.at)
        self._desk.batch.page(replace(visit.page, fetch=fetch))
        if visit.is_front:
            self._see(visit.page.key)
        self._agenda.settle(visit.page.key, visit.answer.at)

    def keep_error(self, visit: AnsweredVisit) -> None:
        """Keep an answer that is not the page, and forget the validators, which belong to what it was before."""
        status = visit.answer.status
        self._miss(visit, reasons.answered(status))
        self._visited(visit)
        if status in statuses.GONE and visit.page.key not in self._agenda.sources:
            self._desk.batch.page(replace(visit.page, fetch=FetchRecord(state=PageState.GONE)))
            for source in self._agenda.planned(visit.page.key):
                self._agenda.unplan(source, visit.page.key)
            self._agenda.settle(visit.page.key, visit.answer.at)
        else:
            self._desk.batch.page(without_validators(visit.page))
            self.try_again(visit.page.key, visit.answer, is_passing=status in statuses.PASSING)

    def try_again(self, key: str, outcome: Outcome, *, is_passing: bool) -> None:
        """Plan another visit to a page that did not come, unless it was tried often enough; fronts are not given up."""
        page = self._desk.record(key)
        planned = self._agenda.planned(key)
        if page is None or any(entry.every is not None for entry in planned.values()):
            self._agenda.settle(key, outcome.at, is_reached=False)
            return
        attempts = page.fetch.attempts + 1
        is_over = attempts >= (PASSING_ATTEMPTS if is_passing else MAX_ATTEMPTS)
        state = PageState.FAILED if is_over and page.state is PageState.KNOWN else page.state
        self._desk.batch.page(replace(page, fetch=replace(page.fetch, attempts=attempts, state=state)))
        if is_over or not planned:
            self._agenda.settle(key, outcome.at)
        else:
            self._agenda.postpone(key, min(map(self._next_home, planned)))

    def _keep_findings(self, visit: AnsweredVisit, page: PageRecord, found: Findings) -> None:
        is_given_up = visit.is_front and not self._agenda.planned(page.key)
        if found.verdict is not None and page.key not in self._agenda.sources and not is_given_up:
            judged = VerdictRecord(verdict=found.verdict, at=visit.answer.at, evidence=found.evidence)
            page = replace(page, judged=judged)
        if visit.is_front:
            self._keep_front(visit, page, found)
        elif found.links is not None:
            self._follow(visit, page, found.links)
        elif found.article is not None:
            self._archive(visit, page, found.article, found.form)
        else:
            self._keep_page(visit, page)

    def _keep_unread(self, visit: AnsweredVisit, page: PageRecord, found: Drop | Breakdown) -> None:
        """Keep a page that was dropped or broke a reader: it is not read again, but a front is tried at its pace."""
        if isinstance(found, Breakdown):
            _log.error("the filters failed on %s: %s\n%s", visit.answer.url, found.detail, found.trace)
            self._miss(visit, found.counted, f"cannot be read ({found.counted}): {found.detail}")
        else:
            self._miss(visit, found.counted, found.detail)
        if visit.is_front:
            self._keep_page(visit, page, is_whole=False)
            return
        verdict = Verdict("other", None, 1.0, {"other": 1.0}, (found.detail,), str(found.counted))
        page = replace(page, judged=VerdictRecord(verdict=verdict, at=visit.answer.at))
        broken = isinstance(found, Breakdown)
        self._keep_page(visit, page, state=PageState.FAILED if broken else PageState.FETCHED, is_whole=False)

    def _keep_front(self, visit: AnsweredVisit, page: PageRecord, found: Findings) -> None:
        links = found.links
        if links is None:
            self._keep_page(visit, page)
            return
        self._count_dropped(visit, links)
        self._keep_page(visit, self._moved(visit, page), links.rows)
        self._desk.links.remember(page.key, links.targets)
        self._see(page.key)

    def _follow(self, visit: AnsweredVisit, page: PageRecord, links: FoundLinks) -> None:
        """Follow a section from now on, and note what it links to already."""
        subtype = page.judged.verdict.subtype if page.judged else None
        if subtype in NOT_FOLLOWED:
            self._keep_page(visit, page)
            return
        self._count_dropped(visit, links)
        self._keep_page(visit, page, links.rows)
        self._desk.links.remember(page.key, links.targets)
        wanted = {visit.source, *self._agenda.planned(visit.page.key)}
        for source in sorted(wanted):
            entry = self.following(source, page) if self.sightings.may_follow(source, page) else None
            if entry is not None:
                self._following.append(entry)
                self._desk.progress.sections += 1
                self.sightings.see(source, page.key, links.targets)

    def following(self, source: str, page: PageRecord) -> AgendaEntry | None:
        """Return the entry with which a source follows a section, in step with its home page, if there is room."""
        if self._agenda.followed(source) >= self._desk.quotas.max_sections:
            self._desk.miss(source, reasons.OVER_SECTIONS, url=page.url)
            return None
        return AgendaEntry(
            source=source,
            page=page.key,
            due=self._next_home(source),
            reason=VisitReason.SECTION,
            priority=PRIORITIES[VisitReason.SECTION],
            every=self._agenda.sources[source].every,
        )

    def _next_home(self, source: str) -> datetime:
        """Return when the home page of a source is due after now."""
        home, now = self._agenda.planned(source).get(source), self._desk.clock.now()
        last = home.due if home else now
        every = timedelta(seconds=self._agenda.sources[source].every)
        return last if last > now else next_due(last, every, now)

    def _archive(self, visit: AnsweredVisit, page: PageRecord, article: Article, form: ArticleForm | None) -> None:
        """Keep an article, unless it is archived already at another address of its own."""
        twin = self._twins.twin(visit.source, self._agenda.sources[visit.source].url, page, article)
        if twin is not None:
            self._miss(visit, reasons.DUPLICATE, f"is the same as {twin}")
            self._keep_page(visit, replace(page, duplicate_of=twin), state=PageState.DUPLICATE)
            return
        kept = self._keep_page(visit, replace(page, duplicate_of=None))
        is_new = page.fetch.fetched_at is None
        if self._desk.batch.article(page.key, visit.source, article, visit=kept, form=form, is_first=is_new):
            self._desk.archived(page.key, article)
            _log.info("archived %s: %s", page.url, article.title or "without a title")
            self._desk.progress.articles += is_new
            self._desk.progress.latest = article.title or page.url
        if is_new:
            self._plan_revision(visit, page)

    def _plan_revision(self, visit: AnsweredVisit, page: PageRecord) -> None:
        """Visit a new article once more, to see whether it was revised."""
        after = self._desk.settings.revisit_after
        if after:
            self._following.append(
                AgendaEntry(
                    source=visit.source,
                    page=page.key,
                    due=visit.answer.at + timedelta(seconds=after),
                    reason=VisitReason.REVISION,
                    priority=PRIORITIES[VisitReason.REVISION],
                )
            )

    def _settled(self, visit: AnsweredVisit) -> PageRecord | None:
        """Return the page that came, which is another one after a redirect; None if there is nothing more to do."""
        key, answer = urls.key(visit.answer.url), visit.answer
        if key == visit.page.key:
            return visit.page
        if visit.is_front:
            return visit.page
        known = self._desk.record(key)
        alias = replace(visit.page, duplicate_of=key)
        if known is not None and known.state is PageState.FETCHED:
            self._miss(visit, reasons.DUPLICATE, f"redirects to {answer.url}")
            self._keep_page(visit, alias, state=PageState.DUPLICATE)
            return None
        self._desk.batch.page(replace(alias, fetch=FetchRecord(state=PageState.DUPLICATE, fetched_at=answer.at)))
        self.sightings.adopt(visit.source, visit.page.key, key)
        return replace(known or visit.page, key=key, url=answer.url, duplicate_of=None)

    def _moved(self, visit: AnsweredVisit, page: PageRecord) -> PageRecord:
        """Return a front that has moved within its site: asked for at its new address, it can answer 304."""
        if urls.normalise(page.url) == urls.normalise(visit.answer.url):
            return page
        final = urls.key(visit.answer.url)
        if page.key not in self._agenda.sources and final != page.key:
            for source in self._agenda.planned(final):
                if source in self._agenda.planned(page.key):
                    # What it leads to is followed already.
                    self._agenda.unplan(source, page.key)
                    page = replace(page, duplicate_of=final)
        return replace(page, url=visit.answer.url)

    def _see(self, front: str) -> None:
        """Note what a front links to, for every source that wants it."""
        self._desk.progress.visits += 1
        for source, entry in self._agenda.planned(front).items():
            if entry.every is None:
                # It came as a front of another source, before this one could find out what it is.
                self._join(source, front)
                continue
            if front == source:
                self._desk.reached(source)
            for section in self.sightings.see(source, front, self._desk.links.of(front)):
                self._join(source, section.key)

    def _join(self, source: str, key: str) -> None:
        """Follow a section that came for another source, and note what it links to already."""
        page = self._desk.record(key)
        entry = self.following(source, page) if page else None
        if page is None or entry is None:
            return
        home, now = self._agenda.planned(source).get(source), self._desk.clock.now()
        fetched = page.fetch.fetched_at
        if home is not None and (fetched is None or now - fetched > timedelta(seconds=home.every or 0) / 2):
            entry = replace(entry, due=min(home.due, now))
        self._agenda.plan(entry)
        self._desk.progress.sections += 1
        self.sightings.see(source, key, self._desk.links.of(key))

    def _keep_page(
        self,
        visit: AnsweredVisit,
        page: PageRecord,
        links: LinkRows | None = None,
        *,
        state: PageState = PageState.FETCHED,
        is_whole: bool = True,
    ) -> int:
        """Keep an answer with its bytes, its validators and what it links to; return the visit's number."""
        kept = self._visited(visit, links, page.key)
        answer = visit.answer.exchanges[-1]
        # Validators belong to the address that gave them, which is another one after a redirect; and to be told that a
        # page has not changed is of no use if nothing is known of it.
        is_direct = len(visit.answer.exchanges) == 1 and urls.normalise(page.url) == urls.normalise(visit.answer.url)
        fetch = FetchRecord(
            state=state,
            etag=_validator(answer.header("etag")) if is_direct and is_whole else None,
            last_modified=_validator(answer.header("last-modified")) if is_direct and is_whole else None,
            fetched_at=visit.answer.at,
        )
        self._desk.batch.page(replace(page, fetch=fetch))
        return kept

    def _visited(self, visit: AnsweredVisit, links: LinkRows | None = None, key: str | None = None) -> int:
        answer = visit.answer
        return self._desk.batch.visit(
            page_key=key or visit.page.key,
            url=answer.url,
            exchanges=answer.exchanges,
            links=links,
            source=visit.source,
            why=visit.why,
        )

    def _count_dropped(self, visit: AnsweredVisit, links: FoundLinks) -> None:
        for reason, number in links.dropped.items():
            self._desk.miss(visit.source, reason, number, url=visit.answer.url)

    def _miss(self, visit: AnsweredVisit, reason: Reason, detail: str = "") -> None:
        self._desk.miss(visit.source, reason, page=visit.page.key, url=visit.answer.request.url, detail=detail)


def without_validators(page: PageRecord) -> PageRecord:
    """Return a page that will be fetched whole: that it has not changed is of no use to a visit of another kind."""
    return replace(page, fetch=replace(page.fetch, etag=None, last_modified=None))


def _validator(value: str | None) -> str | None:
    is_safe = value is not None and len(value) <= MAX_VALIDATOR and value.isprintable()
    return value if is_safe else None
