"""Articles that are visited again, because they are young or because something says that they were revised."""

from dataclasses import replace
from datetime import datetime, timedelta

from broadsheet.archive import PRIORITIES, AgendaEntry, LastChange, PageRecord, PageState, VisitReason
from broadsheet.base import counter_names
from broadsheet.base.moments import to_utc
from broadsheet.base.records import Article
from broadsheet.newsroom.agenda import Agenda
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.headline_signs import changed_headlines, differ
from broadsheet.newsroom.kept_pages import AnsweredVisit
from broadsheet.newsroom.page_links import PageLinks
from broadsheet.newsroom.revisit_policies import HEADLINE, MODIFIED, ArticleStanding, build_policy
from broadsheet.newsroom.revisit_tally import RevisitTally
from broadsheet.newsroom.soft_404 import MAX_TRIES, WAIT

#: The occasion of a visit that an earlier crawl planned: the agenda does not say which it was.
UNKNOWN = "planned earlier"
#: An article that is gone is asked for once more after this long, in case it returns.
RETURN_AFTER = timedelta(days=1)


class Revisits:
    """Plans visits to articles again, as the policy of the settings has it, and counts what they bring."""

    def __init__(self, desk: Desk, agenda: Agenda) -> None:
        """Take the agenda on which visits are planned."""
        self._desk = desk
        self._agenda = agenda
        self._policy = build_policy(desk.settings)
        #: What is counted for all sources together, and for each.
        self._pool = RevisitTally()
        self._pool.add(desk.archive.counters)
        self._tallies: dict[str, RevisitTally] = {}
        #: The occasions of visits that are planned, by source and page.
        self._occasions: dict[tuple[str, str], str] = {}
        #: The sources whose feeds say when articles change.
        self._told: set[str] = set()

    def charge(self, source: str, key: str, why: VisitReason, requests: int) -> str:
        """Count the requests of a visit, and return the occasion of one to an article that was archived already."""
        tally = self.tally(source)
        if why is not VisitReason.REVISION:
            tally.other_requests += requests
            return ""
        planned = self._occasions.pop((source, key), None)
        tally.planned -= planned is not None
        occasion = planned or UNKNOWN
        tally.visit(occasion, requests)
        self._desk.batch.count(counter_names.REVISITS, occasion, requests, source=source)
        return occasion

    def archived(
        self, visit: AnsweredVisit, page: PageRecord, article: Article, *, is_changed: bool
    ) -> list[AgendaEntry]:
        """Return the next visit of an article that was read, if there is one; `is_changed` if that gave a version."""
        if is_changed:
            self._find(visit)
        return self._next(visit, page, self._desk.last_change(page.key), article.published, article.modified)

    def unchanged(self, visit: AnsweredVisit) -> list[AgendaEntry]:
        """Return the next visit of an article that has not changed, if there is one."""
        change = self._desk.last_change(visit.page.key)
        return self._next(visit, visit.page, change, change.published if change else None)

    def gone(self, visit: AnsweredVisit) -> list[AgendaEntry]:
        """Return another visit of an article that is gone, in case it returns; none if it was gone before."""
        self._find(visit)
        was_there = visit.page.state is PageState.FETCHED and visit.page.kind == "article"
        if not was_there or not self._desk.settings.revisit_after:
            return []
        return [self._entry(visit.source, visit.page.key, visit.answer.at + RETURN_AFTER, "return")]

    def replaced(self, visit: AnsweredVisit, *, is_gone: bool) -> list[AgendaEntry]:
        """Return another visit of an article in whose place something else came, which may be for a while only."""
        if is_gone:
            return self.gone(visit)
        tries = visit.page.fetch.attempts + 1
        if tries > MAX_TRIES:
            return []
        return [self._entry(visit.source, visit.page.key, visit.answer.at + tries * WAIT, "return")]

    def see_headlines(self, front: str, before: PageLinks, after: PageLinks) -> None:
        """Visit the articles whose headlines changed on a front, or in a feed, unless they were read since."""
        changed = {key: headline for key, headline in changed_headlines(before, after) if not self._has(key, headline)}
        if not changed:
            return
        for source, entry in self._agenda.planned(front).items():
            if entry.every is not None:
                for key in changed:
                    self._follow(source, key, HEADLINE)

    def see_date(self, source: str, key: str, modified: datetime) -> None:
        """Visit an article that a feed or sitemap says was modified since it was last fetched."""
        page = self._desk.record(key)
        if page is not None and page.fetch.fetched_at is not None and page.fetch.fetched_at < modified:
            self._follow(source, key, MODIFIED)

    def note_telling(self, source: str, *, is_told: bool) -> None:
        """Note whether feeds of a source say when articles change."""
        (self._told.add if is_told else self._told.discard)(source)

    def tally(self, source: str) -> RevisitTally:
        """Return what visiting articles again has cost and brought for a source."""
        if source not in self._tallies:
            self._tallies[source] = RevisitTally(self._pool)
            self._tallies[source].add(self._desk.archive.source_counters(source))
        return self._tallies[source]

    def _has(self, key: str, headline: str) -> bool:
        """Return whether the newest version of an article has a headline."""
        article = self._desk.last_article(key)
        return article is not None and bool(article.title) and not differ(article.title or "", headline)

    def _follow(self, source: str, key: str, sign: str) -> None:
        page, now = self._desk.record(key), self._desk.clock.now()
        if page is None or page.kind != "article" or page.state is not PageState.FETCHED:
            return
        planned = self._agenda.planned(key).get(source)
        is_due = planned is not None and (planned.every is not None or planned.due <= now)
        if not is_due and self._policy.heeds(sign, self.tally(source)):
            self._agenda.plan(self._entry(source, key, now, sign))

    def _next(
        self,
        visit: AnsweredVisit,
        page: PageRecord,
        change: LastChange | None,
        published: datetime | None,
        modified: datetime | None = None,
    ) -> list[AgendaEntry]:
        standing = _standing(visit, page, change, published, is_told=visit.source in self._told)
        if modified is not None and (stated := to_utc(modified)) <= visit.answer.at:
            standing = replace(standing, modified=visit.answer.at - stated)
        following = self._policy.next_visit(standing, self.tally(visit.source))
        if following is None:
            return []
        return [self._entry(visit.source, page.key, visit.answer.at + following.after, following.occasion)]

    def _entry(self, source: str, page: str, due: datetime, occasion: str) -> AgendaEntry:
        if (source, page) not in self._occasions:
            self.tally(source).planned += 1
        self._occasions[source, page] = occasion
        reason = VisitReason.REVISION
        return AgendaEntry(source=source, page=page, due=due, reason=reason, priority=PRIORITIES[reason])

    def _find(self, visit: AnsweredVisit) -> None:
        """Count that a visit to an article again has found something."""
        if visit.occasion:
            self.tally(visit.source).find(visit.occasion)
            self._desk.batch.count(counter_names.REVISIONS, visit.occasion, source=visit.source)


def _standing(
    visit: AnsweredVisit, page: PageRecord, change: LastChange | None, published: datetime | None, *, is_told: bool
) -> ArticleStanding:
    at = visit.answer.at
    versions, changed = (change.version, change.fetched_at) if change else (1, at)
    stated = to_utc(published) if published is not None else None
    born = stated if stated is not None and stated <= at else page.first_seen or at
    return ArticleStanding(
        age=at - born,
        quiet=at - (changed if versions > 1 else born),
        versions=versions,
        is_new=visit.why is not VisitReason.REVISION,
        subtype=page.verdict.subtype if page.verdict else None,
        is_told=is_told,
    )
