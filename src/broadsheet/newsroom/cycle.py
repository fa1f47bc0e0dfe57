"""The cycle of a newsroom, from top to bottom: a page is due, is fetched, passes the filters, and leads to others.

1. The agenda holds what is due: home pages and sections again and again, every other page once (`first`, `_next`).
2. The crawler fetches it and returns an answer or a failure (`decide`).
3. A page that came passes the line of filters in a reader process, which say what it is and what is in it.
4. The last filter keeps the result in the archive's open batch, and plans the visits that follow from it.
5. From time to time all targets of a source are judged again together, and its agenda is revised (`Reviews`).
6. Batches are committed as they fill, and whenever nothing is going on (`idle`).

Nothing here waits for anything else to end: a slow page delays only itself.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from broadsheet.archive import (
    ArchiveError,
    SourceRecord,
    VisitReason,
)
from broadsheet.base import statuses
from broadsheet.base.errors import WorkerFailed
from broadsheet.crawling.fetch_messages import FetchAnswer, Outcome, Request
from broadsheet.newsroom.agenda import Agenda
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.filters.keep_filter import KeepFilter
from broadsheet.newsroom.judging import ADDRESS, FEED, judge_addresses, probabilities_of
from broadsheet.newsroom.kept_pages import AnsweredVisit
from broadsheet.newsroom.page_visit import FetchedVisit, FilterResult, Probabilities
from broadsheet.newsroom.review import Reviews, TargetJudge, judge_targets


class VisitReaders(Protocol):
    """Sends pages through the filters, in other processes or in this one."""

    async def apply(self, fetched: FetchedVisit) -> FilterResult:
        """Return what the filters found in a page."""
        ...


class Newsroom:
    """Decides what a crawler fetches next."""

    def __init__(
        self, desk: Desk, readers: VisitReaders, sources: Sequence[SourceRecord], judge: TargetJudge = judge_targets
    ) -> None:
        """Take the sources to follow; nothing happens before `first`."""
        self._desk = desk
        self._readers = readers
        self._agenda = Agenda(desk, {source.key: source for source in sources})
        self._keep = KeepFilter(desk, self._agenda)
        self._reviews = Reviews(desk, self._agenda, self._keep.fronts, judge)

    def first(self) -> list[Request]:
        """Return the first requests: everything that is due, and every home page that is not planned yet."""
        for source in tuple(self._agenda.sources.values()):
            if source.key not in self._agenda.planned(source.key):
                self._keep.fronts.plan_home(source)
            self._keep.feeds.begin(source.key)
        return self._agenda.requests()

    async def decide(self, outcome: Outcome) -> list[Request]:
        """Use an answer or a failure, and return what to fetch next."""
        asked = outcome.request
        self._desk.count(outcome)
        received = sum(len(exchange.body) for exchange in outcome.exchanges)
        self._agenda.spend(asked.source, len(outcome.exchanges), received, outcome.at)
        page = self._desk.record(asked.tag)
        if page is None:
            raise AssertionError(f"no page {asked.tag} was planned")
        if not isinstance(outcome, FetchAnswer):
            self._keep.try_again(page.key, outcome, is_passing=True)
        else:
            await self._receive(AnsweredVisit(page, asked.source, self._agenda.why(page.key, asked.source), outcome))
        self._reviews.review_if_due(asked.source)
        self._desk.commit_if_due()
        return self._agenda.requests()

    def wake(self) -> list[Request]:
        """Return what has become due without anything else happening, such as another visit to an article."""
        return self._agenda.requests()

    def idle(self) -> None:
        """Commit what has come: nobody knows how long nothing will happen."""
        self._desk.commit()

    def finish(self) -> None:
        """Forget the goals that were reached, and commit everything."""
        for source in self._agenda.sources.values():
            if source.goal is not None and self._agenda.is_reached(source.key):
                self._desk.batch.source(replace(source, until_snapshot=None, until=None, goal=None))
        self._desk.commit()

    async def _receive(self, visit: AnsweredVisit) -> None:
        try:
            await self._keep_answer(visit)
        except (ArchiveError, WorkerFailed):
            # Every page would fail in the same way.
            raise
        except Exception as error:  # noqa: BLE001 - one odd page must not end the crawl of all sites
            self._keep.put_aside(visit, error)

    async def _keep_answer(self, visit: AnsweredVisit) -> None:
        if self._keep.has_left(visit):
            self._keep.keep_departure(visit)
        elif self._keep.is_unchanged(visit):
            self._keep.keep_unchanged(visit)
        elif visit.answer.status == statuses.OK:
            found = await self._readers.apply(self._fetched(visit))
            # Other pages were kept in the meantime, and may have said something about this one.
            current = self._desk.record(visit.page.key) or visit.page
            self._keep.keep(replace(visit, page=current), found)
        else:
            self._keep.keep_error(visit)

    def _fetched(self, visit: AnsweredVisit) -> FetchedVisit:
        """Return a page for the filters, with what its address and feeds say of it."""
        if visit.is_feed or visit.page.key in self._agenda.sources:
            return FetchedVisit.of(visit.answer, visit.why, {})
        fetched = FetchedVisit.of(visit.answer, visit.why, self._address(visit))
        judged, key = visit.page.judged, visit.page.key
        if judged is None or FEED not in judged.evidence:
            return fetched
        member = self._desk.writer.members(visit.source, (key,)).get(key)
        return replace(fetched, feed=judged.evidence[FEED], listed=member.listed if member else None)

    def _address(self, visit: AnsweredVisit) -> Probabilities:
        """Return what the address of a page says of its kind, as it was judged when the page was first linked to."""
        judged = visit.page.judged
        if judged is not None and judged.verdict.kind == "article" and visit.why is VisitReason.SECOND_LOOK:
            # The review has more to go by than the address.
            return probabilities_of(judged.verdict)
        if judged is not None and ADDRESS in judged.evidence:
            return judged.evidence[ADDRESS]
        return probabilities_of(judge_addresses([visit.answer.url], [""]).verdict(0))
