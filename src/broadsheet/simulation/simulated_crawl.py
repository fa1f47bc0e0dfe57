"""Crawl a simulated news web in virtual time, without sockets."""

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

#: Simulated hosts need no protection, but requests to each are spaced out, as in a live crawl.
MANNERS = Manners(delay=0.1, per_host=2)


def _ignore_progress(progress: Progress) -> None:
    del progress


def _ignore_step(step: str) -> None:
    del step


def simulate(  # noqa: PLR0913 - the parameters of a crawl, and two callbacks
    folder: Path,
    fetch: simulated.Fetch,
    start: datetime,
    assignment: Assignment,
    *,
    on_step: Callable[[str], None] = _ignore_step,
    report: Callable[[Progress], None] = _ignore_progress,
    most_files: int = MOST_FILES,
    commit_rounds: bool = True,
    quotas: Quotas | None = None,
) -> Progress:
    """Crawl a simulated web (`NewsWeb.fetch`) into an archive from `start` on, and return the progress of this run.

    `on_step` is called at every step of every commit, so that a test can kill the process there; `report` is called
    after every commit. Every round is committed, as in a live crawl; without `commit_rounds`, only full batches
    are, because virtual time passes too fast for a crash to lose much.
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
