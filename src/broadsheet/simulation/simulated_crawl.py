"""A newsroom on an invented web, without sockets and at the speed of the machine."""

import math
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from broadsheet.archive import MOST_FILES, Store
from broadsheet.base.manners import Manners
from broadsheet.base.quotas import Quotas
from broadsheet.crawling import simulated
from broadsheet.newsroom.assignment import Assignment, assign
from broadsheet.newsroom.desk import BATCH_SECONDS, Desk
from broadsheet.newsroom.naive import NaiveJudge
from broadsheet.newsroom.newsroom import Newsroom, usual_filters
from broadsheet.newsroom.progress import Progress

#: Nobody is disturbed, but the hosts of the web still get their requests one after the other.
MANNERS = Manners(delay=0.1, per_host=2)


def _silent(progress: Progress) -> None:
    del progress


def _deaf(step: str) -> None:
    del step


def simulate(  # noqa: PLR0913 - what a crawl needs, and two listeners
    folder: Path,
    fetch: simulated.Fetch,
    start: datetime,
    assignment: Assignment,
    *,
    on_step: Callable[[str], None] = _deaf,
    report: Callable[[Progress], None] = _silent,
    most_files: int = MOST_FILES,
    commit_rounds: bool = True,
    quotas: Quotas | None = None,
) -> Progress:
    """Crawl an invented web (`NewsWeb.fetch`) into an archive from a moment on, and return what this run did.

    `on_step` hears of every step of every commit, so that a test can end the process there; `report` of what was
    made durable. Every round is committed, as in a live crawl; without `commit_rounds` only full batches are, as no
    time goes by in which anything could be lost.
    """
    clock = simulated.VirtualClock(start)
    with (
        Store.open(folder, create=True) as archive,
        archive.writer(clock=clock, on_step=on_step, most_files=most_files) as writer,
    ):
        sources = assign(writer, assignment, clock.now())
        patience = BATCH_SECONDS if commit_rounds else math.inf
        desk = Desk(archive, writer, clock, NaiveJudge(), report=report, patience=patience, quotas=quotas or Quotas())
        newsroom = Newsroom(desk, usual_filters(desk), sources)
        simulated.crawl(
            newsroom.first(),
            newsroom.decide,
            manners=MANNERS,
            clock=clock,
            fetch=fetch,
            idle=newsroom.idle if commit_rounds else desk.commit_if_full,
        )
        desk.commit()
        return desk.progress
