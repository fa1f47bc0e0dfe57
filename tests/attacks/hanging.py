"""Work that hangs, grows or dies on demand, and programs that do it in processes of their own."""

import os
import signal
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from io import BytesIO
from pathlib import Path

from broadsheet.archive import Store
from broadsheet.base.clock import SystemClock
from broadsheet.base.limits import Limits
from broadsheet.base.manners import Manners
from broadsheet.base.workers import Work, Worker
from broadsheet.cli import page_batch
from broadsheet.cli.main import main
from broadsheet.crawling import live_crawl
from broadsheet.newsroom.arrival import Answer, Arrival, PageWork
from broadsheet.newsroom.assignment import Assignment, assign
from broadsheet.newsroom.desk import READER, Desk
from broadsheet.newsroom.naive import NaiveJudge
from broadsheet.newsroom.newsroom import Newsroom, usual_filters
from broadsheet.newsroom.supervision import supervised


def spin() -> None:
    """Hang in compiled code that never lets go of the interpreter."""
    sum(range(10**15))


def grow() -> None:
    """Take all the memory there is."""
    held = []
    while True:
        held.append(bytes(10_000_000))


def die() -> None:
    """End as a fault in compiled code ends a process."""
    os.kill(os.getpid(), signal.SIGKILL)


TROUBLE = {"hang": spin, "grow": grow, "die": die}


def troubled() -> Work[str, str]:
    """Make work that does what its task names, and answers when that comes back."""

    def work(task: str) -> Iterable[str]:
        if task in TROUBLE:
            TROUBLE[task]()
        yield task

    return work


@dataclass(frozen=True, slots=True)
class TroubledReading:
    """The work on pages, with trouble where a page's address names it."""

    def __call__(self) -> Work[Arrival, Answer]:
        """Return the work."""
        usual = PageWork(NaiveJudge(), Limits(), READER)

        def work(arrival: Arrival) -> Iterable[Answer]:
            for name, trouble in TROUBLE.items():
                if name in arrival.url:
                    trouble()
            yield usual.ask(arrival)

        return work


def crawl(folder: Path, home: str) -> None:
    """Crawl a site of the loopback for one round, and write what failed."""
    clock = SystemClock()
    manners = Manners(delay=0.0, allow_networks="127.0.0.0/8")
    with (
        Store.open(folder, create=True) as archive,
        archive.writer(clock=clock) as writer,
        supervised(TroubledReading(), seconds=2.0) as reader,
    ):
        sources = assign(writer, Assignment((home,), every=3600.0, snapshots=1), clock.now())
        desk = Desk(archive, writer, clock, NaiveJudge(), work=reader)
        newsroom = Newsroom(desk, usual_filters(desk), sources)
        live_crawl.crawl(newsroom.first(), newsroom.decide, manners=manners, clock=clock, idle=newsroom.idle)
        desk.commit()
        for reason, number in sorted(desk.progress.failures.items()):
            print(f"{number} {reason}")


def hold() -> None:
    """Start a process that hangs, tell its number, and wait."""
    worker = Worker[str, str].start(troubled, None)
    worker.receive()
    worker.assign(0, "hang", 0.0)
    print(worker.process.pid, flush=True)
    signal.pause()


def command(name: str, work: str, trouble: str, page: str) -> int:
    """Run a command whose work on a page gives trouble, within small limits, and return its exit code."""
    page_batch.MAX_SECONDS, page_batch.MAX_MEMORY = 1.0, 500_000_000
    setattr(import_module(f"broadsheet.cli.commands.{name}_command"), work, lambda *_, **__: TROUBLE[trouble]())
    return main([name, page], BytesIO(), sys.stdout, sys.stderr, os.environ)


if __name__ == "__main__":
    if sys.argv[1] == "hold":
        hold()
    elif sys.argv[1] == "crawl":
        crawl(Path(sys.argv[2]), sys.argv[3])
    else:
        sys.exit(command(*sys.argv[1:]))
