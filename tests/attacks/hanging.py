"""Programs whose work hangs, grows or dies on demand."""

import os
import signal
import sys
from importlib import import_module
from io import BytesIO
from pathlib import Path

from broadsheet.archive import Store
from broadsheet.base.clock import SystemClock
from broadsheet.base.manners import Manners
from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.base.workers import Worker
from broadsheet.cli import page_batch
from broadsheet.cli.main import main
from broadsheet.crawling import live_crawl
from broadsheet.newsroom.assignment import Assignment, assign
from broadsheet.newsroom.cycle import Newsroom
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.line import FilterSettings
from broadsheet.newsroom.supervision import supervised
from tests.attacks.trouble import TROUBLE, troubled


def install(folder: Path) -> None:
    """Register the filter as an installed package would; the folder has to be on the path of the processes."""
    metadata = folder / "trouble-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: trouble\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[broadsheet.filters]\ntrouble = tests.attacks.trouble:TroubleFilter\n")


def crawl(folder: Path, home: str) -> None:
    """Crawl a site of the loopback for one snapshot, and write what failed."""
    clock = SystemClock()
    manners = Manners(delay=0.0, allow_networks="127.0.0.0/8")
    settings = NewsroomSettings(
        filters="trouble, decode, parse, judge, links, read, keep", page_seconds=2.0, revisit_after=0.0, workers=1
    )
    with (
        Store.open(folder, create=True) as archive,
        archive.writer(clock=clock) as writer,
        supervised(FilterSettings(newsroom=settings)) as readers,
    ):
        sources = assign(writer, Assignment((home,), every=3600.0, snapshots=1), clock.now())
        desk = Desk(archive, writer, clock, settings=settings)
        newsroom = Newsroom(desk, readers, sources)
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


def start() -> None:
    """Do what the command line says."""
    if sys.argv[1] == "hold":
        hold()
    elif sys.argv[1] == "crawl":
        crawl(Path(sys.argv[2]), sys.argv[3])
    else:
        sys.exit(command(*sys.argv[1:]))
