"""Crawl a simulated news web in virtual time, without sockets."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from broadsheet.archive import MAX_FILES, Store, returned_memory
from broadsheet.base.callbacks import do_nothing
from broadsheet.base.clock import Clock
from broadsheet.base.manners import Manners
from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.base.quotas import Quotas
from broadsheet.crawling import simulated
from broadsheet.crawling.fetch_messages import Outcome, Request
from broadsheet.crawling.stop import Ending, Stop
from broadsheet.newsroom.assignment import Assignment, assign
from broadsheet.newsroom.cycle import Newsroom
from broadsheet.newsroom.desk import BATCH_SECONDS, Desk
from broadsheet.newsroom.line import FilterSettings, build_line
from broadsheet.newsroom.progress import Progress
from broadsheet.newsroom.scripted_pages import PageRenderer, VisitReaders
from broadsheet.newsroom.supervision import LocalReaders
from broadsheet.newsroom.target_judges import TargetJudge

#: Crawls in virtual time, as `simulated.crawl` does.
Engine = Callable[..., None]
#: Simulated hosts need no protection, but requests to each are spaced out, as in a live crawl.
MANNERS = Manners(delay=0.1, per_host=2)


@dataclass(frozen=True, slots=True)
class _Observed:
    """A newsroom, and who else hears of its outcomes and of the time that passes."""

    newsroom: Newsroom
    clock: Clock
    listen: Callable[[Newsroom, Outcome], None]
    on_wake: Callable[[datetime], None]

    async def decide(self, outcome: Outcome) -> list[Request]:
        """Let the newsroom use an outcome, and return the requests that follow."""
        following = await self.newsroom.decide(outcome)
        self.listen(self.newsroom, outcome)
        # A listener may have planned visits.
        return following if self.listen is do_nothing else [*following, *self.newsroom.wake()]

    def wake(self) -> list[Request]:
        """Return the requests that are due now."""
        self.on_wake(self.clock.now())
        return self.newsroom.wake()


def simulate(  # noqa: PLR0913 - the parameters of a crawl, and two callbacks
    folder: Path,
    fetch: simulated.Fetch,
    start: datetime,
    assignment: Assignment,
    *,
    on_step: Callable[[str], None] = do_nothing,
    report: Callable[[Progress], None] = do_nothing,
    most_files: int = MAX_FILES,
    commit_often: bool = True,
    quotas: Quotas | None = None,
    settings: NewsroomSettings | None = None,
    manners: Manners = MANNERS,
    judge: TargetJudge | None = None,
    readers: VisitReaders | None = None,
    renderer: PageRenderer | None = None,
    listen: Callable[[Newsroom, Outcome], None] = do_nothing,
    on_wake: Callable[[datetime], None] = do_nothing,
    wake_every: float = 60.0,
    engine: Engine | None = None,
) -> Progress:
    """Crawl a simulated web (`NewsWeb.fetch`) into an archive from `start` on, and return the progress of this run.

    `on_step` is called at every step of every commit, so that a test can kill the process there; `report` is called
    after every commit. What came is committed whenever nothing is going on, as in a live crawl; without `commit_often`,
    only full batches are, because virtual time passes too fast for a crash to lose much. `listen` is called after the
    newsroom has used an outcome; `on_wake` every `wake_every` seconds of virtual time, before orders are looked for, so
    that it can place some. `readers` read pages instead of the line of filters that the settings name, and `engine`
    fetches instead of Scrapy, with the same parameters.
    """
    clock = simulated.VirtualClock(start)
    with (
        returned_memory(),
        Store.open(folder, create=True) as archive,
        archive.writer(clock=clock, on_step=on_step, most_files=most_files) as writer,
    ):
        sources = assign(writer, assignment, clock.now())
        patience = BATCH_SECONDS if commit_often else math.inf
        filters = FilterSettings(quotas=quotas or Quotas(), newsroom=settings or NewsroomSettings())
        desk = Desk(
            archive, writer, clock, quotas=filters.quotas, settings=filters.newsroom, report=report, patience=patience
        )
        stop, reading = Stop(), readers or LocalReaders(build_line(filters))
        newsroom = Newsroom(desk, reading, sources, judge, assignment=assignment, stop=stop.finish, renderer=renderer)

        observed = _Observed(newsroom, clock, listen, on_wake)
        (engine or simulated.crawl)(
            newsroom.first(),
            observed.decide,
            manners=manners,
            clock=clock,
            fetch=fetch,
            idle=newsroom.idle if commit_often else desk.commit_if_full,
            wake=observed.wake,
            every=wake_every,
            is_wanted=newsroom.is_wanted,
            is_lasting=newsroom.is_lasting,
            stop=stop,
        )
        if stop.ending is Ending.BY_ITSELF:
            newsroom.finish()
        else:
            desk.commit()
        return desk.progress
