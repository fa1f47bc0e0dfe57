"""What tests do to an archive in processes of their own, which can be killed."""

import multiprocessing
import os
import signal
import time
from datetime import timedelta
from multiprocessing.synchronize import Event
from pathlib import Path

from broadsheet.archive import Store, layout
from broadsheet.archive.compaction import GRACE
from broadsheet.base.clock import ManualClock, SystemClock
from broadsheet.base.keep_rules import KeepRule
from tests.archive.samples import NOON, keep

#: Processes are forked from a server that has imported everything, so that one costs milliseconds.
context = multiprocessing.get_context("forkserver")
context.set_forkserver_preload(["tests.archive.processes"])

KEYS = ("news.example/a", "news.example/b", "news.example/c")
FORGOTTEN_KEY = KEYS[1]
#: So many files are left unmerged: the third commit merges.
MAX_FILES = 2


def hold(folder: str, ready: Event) -> None:
    """Hold the lease until killed."""
    with Store.open(folder) as archive, archive.writer():
        ready.set()
        time.sleep(600)


def work(folder: str, journal: str, step: str, times: int) -> None:
    """Keep what is not kept yet, report each key to a journal, and be killed at a step when it comes the nth time."""
    left = [times]

    def reached(name: str) -> None:
        if name == step:
            left[0] -= 1
            if not left[0]:
                os.kill(os.getpid(), signal.SIGKILL)

    machine = ManualClock(SystemClock().now())
    with (
        Store.open(folder) as archive,
        archive.writer(on_step=reached, most_files=MAX_FILES, machine=machine) as writer,
    ):
        known = writer.pages(KEYS)
        for key in KEYS:
            if key not in known:
                keep(writer, key, key.encode())
                with Path(journal).open("a", encoding="utf-8") as file:
                    file.write(f"{key}\n")
        machine.advance(GRACE * 2)
        writer.heartbeat()


def forget(folder: str, step: str) -> None:
    """Forget a page and purge the archive, and be killed at a step."""

    def reached(name: str) -> None:
        if name == step:
            os.kill(os.getpid(), signal.SIGKILL)

    with Store.open(folder) as archive, archive.writer(on_step=reached) as writer:
        if FORGOTTEN_KEY in archive.pages([FORGOTTEN_KEY]):
            writer.forget(archive.plan_forgetting(FORGOTTEN_KEY))
        writer.purge()


def upgrade(folder: str, step: str) -> None:
    """Upgrade an archive of an earlier layout, and be killed at a step."""

    def reached(name: str) -> None:
        if name == step:
            os.kill(os.getpid(), signal.SIGKILL)

    layout.upgrade(Path(folder), reached)


def tidy(folder: str, rule: str, hour: int, step: str) -> None:
    """Tidy an archive by a rule, hours after noon, and be killed at a step."""

    def reached(name: str) -> None:
        if name == step:
            os.kill(os.getpid(), signal.SIGKILL)

    clock = ManualClock(NOON + timedelta(hours=hour))
    with Store.open(folder) as archive, archive.writer(clock=clock, on_step=reached) as writer:
        writer.tidy(KeepRule.parse(rule))
