"""The cycle of a newsroom, from top to bottom: a page is due, is fetched, passes the filters, and leads to others.

1. The agenda holds what is due: home pages and sections again and again, every other page once (`first`, `_next`).
2. The crawler fetches it and returns an answer or a failure (`decide`).
3. A fetched page passes the line of filters in a reader process, which say what it is and what is in it; if only
   scripts write it, a browser runs them first (`ScriptedPages`), and if an article goes on, its other pages are
   fetched (`Continuations`).
4. The last filter keeps the result in the archive's open batch, and plans the visits that follow from it.
5. From time to time all targets of a source are judged again together, and its agenda is revised (`Reviews`).
6. Batches are committed as they fill, and whenever nothing is going on (`idle`).

Nothing here waits for anything else to end: a slow page delays only itself.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from broadsheet.archive import ArchiveError, SourceRecord
from broadsheet.base import statuses
from broadsheet.base.callbacks import do_nothing
from broadsheet.base.errors import WorkerFailed
from broadsheet.crawling.fetch_messages import FetchAnswer, Outcome, Request
from broadsheet.newsroom.agenda import Agenda
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsroom.continuations import Continuations
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.filters.keep_filter import KeepFilter
from broadsheet.newsroom.judges import build_judge
from broadsheet.newsroom.kept_pages import AnsweredVisit
from broadsheet.newsroom.review import Reviews
from broadsheet.newsroom.scripted_pages import PageRenderer, ScriptedPages, VisitReaders
from broadsheet.newsroom.steering import Steering
from broadsheet.newsroom.target_judges import JudgeTools, TargetJudge
from broadsheet.newsroom.unchanged_pages import is_unchanged
from broadsheet.newsroom.visit_evidence import fetched_visit


class Newsroom:
    """Decides what a crawler fetches next."""

    def __init__(  # noqa: PLR0913 - what it works with, and what it is told
        self,
        desk: Desk,
        readers: VisitReaders,
        sources: Sequence[SourceRecord],
        judge: TargetJudge | None = None,
        *,
        assignment: Assignment | None = None,
        stop: Callable[[], None] = do_nothing,
        renderer: PageRenderer | None = None,
    ) -> None:
        """Take the sources to follow; nothing happens before `first`.

        The judge is the one that the configuration names, unless one is given.
        An order to stop calls `stop`; sources that are added meanwhile get the goal of the assignment.
        """
        self._desk = desk
        self._agenda = Agenda(desk, {source.key: source for source in sources})
        self._pages = ScriptedPages(desk, self._agenda, readers, renderer)
        self._keep = KeepFilter(desk, self._agenda)
        self._continuations = Continuations(desk, self._agenda, self._pages, self._keep)
        self.revisits = self._keep.revisits
        chosen = judge or build_judge(desk.settings.judge, JudgeTools(desk, self._keep.fronts.memory))
        self._reviews = Reviews(desk, self._agenda, self._keep.fronts, chosen, self._keep.phases)
        self._steering = Steering(desk, self._agenda, self._keep.fronts, assignment=assignment, stop=stop)

    def first(self) -> list[Request]:
        """Return the first requests: everything that is due, and every home page that is not planned yet."""
        self._steering.take_orders()
        for source in tuple(self._agenda.sources.values()):
            if self._agenda.is_followed(source.key):
                self._keep.fronts.plan_homes(source)
                self._keep.feeds.begin(source.key)
        return self._agenda.requests()

    async def decide(self, outcome: Outcome) -> list[Request]:
        """Use an answer or a failure, and return what to fetch next."""
        asked = outcome.request
        received = self._desk.count(outcome)
        self._agenda.spend(asked.source, len(outcome.exchanges), received, outcome.at)
        if (continued := self._continuations.visit(asked.tag)) is not None:
            await self._receive(continued, self._continuations.receive(outcome))
            return self._next()
        self._agenda.answered(asked)
        page = self._desk.record(asked.tag)
        if page is None:
            raise AssertionError(f"no page {asked.tag} was planned")
        why = self._agenda.why(page.key, asked.source)
        occasion = self.revisits.charge(asked.source, page.key, why, len(outcome.exchanges))
        if not isinstance(outcome, FetchAnswer):
            self._keep.failed.try_again(page.key, outcome, is_passing=True)
        else:
            visit = AnsweredVisit(page, asked.source, why, outcome, occasion)
            await self._receive(visit, self._keep_answer(visit))
        self._reviews.review_if_due(asked.source)
        return self._next()

    def wake(self) -> list[Request]:
        """Take orders, and return what has become due without anything else happening, such as a revision."""
        self._steering.take_orders()
        return self._agenda.requests()

    def _next(self) -> list[Request]:
        self._desk.commit_if_due()
        return [*self._continuations.requests(), *self._agenda.requests()]

    def idle(self) -> None:
        """Commit what was fetched: it is not known how long nothing will happen."""
        self._desk.commit()

    def is_wanted(self, request: Request) -> bool:
        """Return whether a page is still to be fetched that was asked for earlier."""
        return self._agenda.is_wanted(request)

    def is_lasting(self) -> bool:
        """Return whether there may be more to do later though nothing is planned: a source may be added or resumed."""
        return self._steering.is_lasting()

    def finish(self) -> None:
        """Forget the goals that were reached, and commit everything."""
        self._continuations.finish()
        for source in self._agenda.sources.values():
            if source.goal is not None and self._agenda.is_reached(source.key):
                self._desk.batch.source(replace(source, until_snapshot=None, until=None, goal=None))
        self._desk.commit()

    async def _receive(self, visit: AnsweredVisit, keeping: Awaitable[None]) -> None:
        try:
            await keeping
        except (ArchiveError, WorkerFailed):
            # Every page would fail in the same way.
            raise
        except Exception as error:  # noqa: BLE001 - one odd page must not end the crawl of all sites
            self._keep.put_aside(visit, error)

    async def _keep_answer(self, visit: AnsweredVisit) -> None:
        if self._keep.was_forgotten(visit):
            self._keep.pass_over(visit)
        elif self._keep.has_left(visit):
            self._keep.keep_departure(visit)
        elif is_unchanged(visit, self._desk, self._agenda, self._keep.feeds):
            self._keep.keep_unchanged(visit)
        elif visit.answer.status == statuses.OK:
            found = await self._pages.read(visit, fetched_visit(self._desk, self._agenda, visit))
            # Other pages were kept in the meantime, and may have said something about this one.
            current = self._desk.record(visit.page.key) or visit.page
            self._continuations.keep(visit if current is visit.page else replace(visit, page=current), found)
        else:
            self._keep.keep_error(visit)
