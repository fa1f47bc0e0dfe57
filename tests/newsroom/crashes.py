"""Kills a crawl at each step of its commits and lets the same crawl go on; one line of JSON per step.

Run as a program: it imports everything once and forks for every crawl, so that a kill costs no start-up.
"""

import json
import os
import signal
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from broadsheet.archive import Store
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsroom.progress import Progress
from broadsheet.simulation.simulated_crawl import simulate
from tests.archive.samples import harm
from tests.attacks.damaged_archives import problems, repaired
from tests.newsroom.site import HOME, HOUR, ONCE, START, ScriptedSite, article_path, front, story

SNAPSHOTS = 5
#: With few small files allowed, a crawl of a few snapshots merges them as well.
MAX_FILES = 3


def make_site() -> ScriptedSite:
    """Return a site with a section, which publishes an article every hour and never changes its home page."""

    def sport(at: datetime) -> str:
        return front(*(article_path(number) for number in range(1, 9 + (at - START) // HOUR)))

    pages = {article_path(number): story(str(number)) for number in range(1, 30)}
    return ScriptedSite({"/": front(also='<a href="/sport/">Sport</a>'), "/sport/": sport, **pages})


def crawl(folder: Path, start: datetime, on_step: Callable[[str], None], kept: Path) -> None:
    """Crawl, and write down durably what is reported as kept."""

    def report(progress: Progress) -> None:
        with kept.open("w") as file:
            file.write(str(progress.articles))
            file.flush()
            os.fsync(file.fileno())

    assignment = Assignment((HOME,), every=3600.0, snapshots=SNAPSHOTS)
    site = make_site()
    simulate(folder, site.fetch, start, assignment, on_step=on_step, report=report, most_files=MAX_FILES, settings=ONCE)


def in_a_child(work: Callable[[], None]) -> int:
    """Do the work in a process of its own, and return how that ended."""
    child = os.fork()
    if child == 0:
        try:
            work()
        except BaseException:  # noqa: BLE001 - the child must end here, whatever happened
            sys.excepthook(*sys.exc_info())
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def nothing(step: str) -> None:
    """Let a crawl go on."""
    del step


def killer(step: str, time: int) -> Callable[[str], None]:
    """Return what kills its own process when a step is reached for the given time."""
    seen: list[str] = []

    def hear(name: str) -> None:
        seen.append(name)
        if name == step and seen.count(step) == time:
            os.kill(os.getpid(), signal.SIGKILL)

    return hear


def examine(folder: Path) -> dict[str, object]:
    """Return what an archive holds, and what is wrong with it."""
    with Store.open(folder) as archive:
        stored = list(archive.articles())
        [source] = archive.sources()
        return {
            "articles": sorted(item.article.title or "" for item in stored),
            "versions": sum(len(archive.versions(item.key)) for item in stored),
            "problems": [str(problem) for problem in harm(archive)],
            "snapshots": source.snapshots,
            "homes": sum(page == source.key for page in archive.visits().to_table()["page"].to_pylist()),
            "waiting": sum(each.entry.every is None for each in archive.agenda(source.key)),
        }


def main(folder: Path, steps: list[tuple[str, int]]) -> None:
    """Kill and resume at every step, each in a folder of its own."""
    for number, (step, time) in enumerate(steps):
        archive, kept = folder / str(number), folder / f"{number}.kept"
        code = in_a_child(lambda: crawl(archive, START, killer(step, time), kept))  # noqa: B023 - it runs at once
        reported = int(kept.read_text()) if kept.exists() else 0
        held = 0
        if (archive / "catalogue.sqlite").exists():
            with Store.open(archive) as opened:
                held = sum(1 for _ in opened.articles())
        again = in_a_child(lambda: crawl(archive, START + SNAPSHOTS * HOUR, nothing, kept))  # noqa: B023
        outcome = {"step": step, "time": time, "code": code, "reported": reported, "held": held, "again": again}
        found = examine(archive)
        # A page that was fetched just before the kill, and has changed since, is taken back from lost+found.
        repaired(archive)
        print(json.dumps({**outcome, **found, "repaired": examine(archive), "left": problems(archive)}), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), [(step, int(time)) for step, time in json.loads(sys.argv[2])])
