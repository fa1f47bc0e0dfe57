# ruff: noqa: S603 - the programs that are started are ours
"""Pages that hang, grow or end a process: each costs itself, and nothing outlives whoever started it."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from broadsheet.base.clock import SystemClock
from broadsheet.base.errors import WorkerFailed
from broadsheet.base.pool import Failed, Pool
from broadsheet.base.reasons import CRASHED, TOO_MUCH_MEMORY, TOO_SLOW
from broadsheet.base.submission import PoolThread
from broadsheet.cli import exits
from tests.attacks import hanging, trouble
from tests.newsroom.program import LOOPBACK, articles, serving, start, wait_until
from tests.newsroom.site import ScriptedSite, article_path, front, story

pytestmark = pytest.mark.long

SECONDS = 100.0
#: Not run with `-m`, because the processes that it starts would import that module again.
HANGING = (sys.executable, "-c", "from tests.attacks.hanging import start; start()")


def is_alive(process: int) -> bool:
    """Say whether a process still works; one that nobody has asked how it ended does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def children(process: int) -> list[int]:
    threads = Path(f"/proc/{process}/task").glob("*/children")
    return [int(pid) for thread in threads for pid in thread.read_text().split()]


def ends(process: int) -> bool:
    end = time.monotonic() + SECONDS
    while is_alive(process) and time.monotonic() < end:
        time.sleep(0.05)
    return not is_alive(process)


def test_a_process_that_hangs_grows_or_dies_costs_its_task() -> None:
    pool = Pool(trouble.troubled, 1, SystemClock(), limit=1.0, max_memory=400_000_000)
    with PoolThread(pool) as processes:
        tasks = ("one", "hang", "two", "grow", "three", "die", "four")
        answers = [processes.submit(task).result() for task in tasks]

    assert answers == [
        "one",
        Failed("took more than 1 s", TOO_SLOW),
        "two",
        Failed("took more than 400 MB of memory", TOO_MUCH_MEMORY),
        "three",
        Failed("the process died", CRASHED),
        "four",
    ]


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are looked up in /proc")
def test_a_process_that_hangs_ends_with_its_parent() -> None:
    command = [*HANGING, "hold"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout
        child = int(parent.stdout.readline())
        assert is_alive(child)

        parent.kill()

        assert ends(child)


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are looked up in /proc")
def test_a_crawl_ends_with_whoever_started_it_and_so_does_the_work_on_its_pages(tmp_path: Path) -> None:
    pages = {"/": front(*map(article_path, range(9))), **{article_path(n): story(str(n)) for n in range(9)}}
    with serving(pages, held=frozenset({article_path(5)})) as site:
        program = start("crawl", tmp_path, site.url, *LOOPBACK)
        wait_until(lambda: article_path(5) in site.asked)
        [crawler] = children(program.pid)
        wait_until(lambda: bool(children(crawler)))
        ours = [crawler, *children(crawler)]

        program.kill()
        program.communicate()

        assert all(map(ends, ours))


def test_a_crawl_goes_on_after_pages_that_hang_grow_or_end_the_process(tmp_path: Path) -> None:
    troubled = [f"/2026/03/02/the-page-that-will-{name}" for name in trouble.TROUBLE]
    good = [article_path(number) for number in range(4)]
    pages = {"/": front(good[0], *troubled, *good[1:]), **{path: story(path) for path in (*good, *troubled)}}
    plugins, news = tmp_path / "plugins", tmp_path / "news"
    hanging.install(plugins)
    path = os.pathsep.join((str(plugins), str(Path.cwd())))
    with serving(pages) as site:
        command = [*HANGING, "crawl", str(news), site.url]

        def crawl() -> str:
            env = os.environ | {"PYTHONPATH": path}
            return subprocess.run(command, capture_output=True, text=True, check=True, timeout=600, env=env).stdout

        first = crawl()
        asked = len(site.asked)
        again = crawl()

    assert first.splitlines() == [
        "1 crashed",
        "1 too much memory",
        "1 too slow",
    ]
    assert articles(news) == sorted(good)
    assert again == ""
    assert not set(troubled) & set(site.asked[asked:])


def test_a_crawl_whose_process_for_pages_cannot_begin_ends_and_blames_no_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise WorkerFailed("it ended before it began")

    site = ScriptedSite({"/": front(article_path(1)), article_path(1): story("one")})
    with monkeypatch.context() as patched:
        patched.setattr("broadsheet.newsroom.supervision.LocalReaders.apply", fail)
        with pytest.raises(WorkerFailed):
            site.crawl(tmp_path, 1)

    site.crawl(tmp_path, 1)

    assert articles(tmp_path) == ["one"]


#: What each command does to a page, which the tests replace.
WORK = {"parse": "show", "identify": "judge", "extract": "judge_and_read", "profile": "observe_page"}
REASONS = {"hang": "took more than 1 s", "grow": "took more than 500 MB of memory"}


@pytest.mark.parametrize(
    ("command", "trouble"), [*((command, "hang") for command in WORK), ("extract", "grow"), ("parse", "grow")]
)
def test_one_page_that_takes_too_much_of_a_command_is_cut_with_one_line(
    tmp_path: Path, command: str, trouble: str
) -> None:
    page = tmp_path / "page.html"
    page.write_text(story("one"))
    program = [*HANGING, command, WORK[command], trouble, str(page)]

    done = subprocess.run(program, capture_output=True, text=True, check=False, timeout=600)

    assert done.returncode == exits.FAILED
    assert done.stderr.splitlines() == [f"broadsheet: {page}: {REASONS[trouble]}"]
