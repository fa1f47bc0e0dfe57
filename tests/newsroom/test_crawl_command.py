"""`broadsheet crawl` as people run it: real processes, real signals, HTTP on the loopback address."""

import json
import os
import signal
from pathlib import Path
from time import sleep

import pytest

from broadsheet.archive import Store
from broadsheet.base.manners import Manners
from broadsheet.cli import exits
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsroom.crawl import Crawl
from broadsheet.newsroom.crawl_job import CrawlJob, Pulse
from broadsheet.newsroom.progress import Progress
from tests.newsroom.program import LOOPBACK, articles, children, run, serving, start, wait_until
from tests.newsroom.site import article_path, front, story

pytestmark = pytest.mark.long

PAGES = {
    "/": front(article_path(1), article_path(2)),
    article_path(1): story("one"),
    article_path(2): story("two"),
}


def is_running(number: int) -> bool:
    """Say whether a process runs; one that has ended and was not waited for has no command line."""
    line = Path(f"/proc/{number}/cmdline")
    return line.exists() and bool(line.read_bytes())


def test_one_round_archives_what_the_home_page_links_to(tmp_path: Path) -> None:
    with serving(PAGES) as site:
        code, out, err = run("crawl", tmp_path / "news", site.url, "--snapshots", 1, *LOOPBACK)

    assert (code, err) == (exits.DONE, "")
    assert json.loads(out)["articles"] == 2
    assert articles(tmp_path / "news") == ["one", "two"]


def test_the_user_agent_names_the_contact(tmp_path: Path) -> None:
    with serving(PAGES) as site:
        run("crawl", tmp_path / "news", site.url, "--snapshots", 1, "--contact", "mail@news.example", *LOOPBACK)

    with Store.open(tmp_path / "news") as archive:
        [stored, *_] = archive.articles()
        asked = dict(archive.exchange(stored).asked)
    assert "mail@news.example" in next((value for name, value in asked.items() if name.lower() == "user-agent"), "")


def test_the_loopback_address_is_refused_unless_it_is_allowed(tmp_path: Path) -> None:
    with serving(PAGES) as site:
        code, out, err = run("crawl", tmp_path / "news", site.url, "--snapshots", 1)

    assert code == exits.FAILED
    assert err.startswith(f"broadsheet: {site.url}: cannot be fetched (address): ")
    assert json.loads(out)["articles"] == 0
    assert site.asked == []


def test_ctrl_c_finishes_the_pages_in_flight(tmp_path: Path) -> None:
    with serving(PAGES, held=frozenset({article_path(1)})) as site:
        process = start("crawl", tmp_path / "news", site.url, *LOOPBACK)
        wait_until(lambda: article_path(1) in site.asked)
        process.send_signal(signal.SIGINT)
        wait_until(lambda: "finishing the pages in flight" in process.stderr.readline())  # type: ignore[union-attr]
        site.release.set()
        _, err = process.communicate(timeout=600)

    assert process.returncode == exits.INTERRUPTED
    assert err == "broadsheet: interrupted; run the same command again to resume\n"
    assert "one" in articles(tmp_path / "news")


def test_ctrl_c_twice_stops_now_and_keeps_what_has_come(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with serving(PAGES, held=frozenset({article_path(2)})) as site:
        process = start("crawl", tmp_path / "news", site.url, "--log-file", log, *LOOPBACK)
        wait_until(lambda: article_path(2) in site.asked and "archived" in log.read_text())
        process.send_signal(signal.SIGINT)
        process.stderr.readline()  # type: ignore[union-attr]
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=600)
        kept = articles(tmp_path / "news")
        site.release.set()
        code, _, _ = run("crawl", tmp_path / "news", site.url, "--snapshots", 1, "--every", "1s", *LOOPBACK)

    assert process.returncode == exits.INTERRUPTED
    assert kept == ["one"]
    assert code == exits.DONE
    assert articles(tmp_path / "news") == ["one", "two"]


def test_the_same_command_resumes_after_a_kill(tmp_path: Path) -> None:
    command = ("crawl", tmp_path / "news", "--snapshots", 2, "--every", "1s", *LOOPBACK)
    with serving(PAGES, held=frozenset({article_path(2)})) as site:
        process = start(*command, site.url)
        wait_until(lambda: article_path(2) in site.asked)
        [child] = children(process.pid)
        for number in (process.pid, child):
            os.kill(number, signal.SIGKILL)
        process.communicate()
        site.release.set()
        code, _, err = run(*command, site.url)

    assert (code, err) == (exits.DONE, "")
    assert articles(tmp_path / "news") == ["one", "two"]
    with Store.open(tmp_path / "news") as archive:
        assert list(archive.check()) == []
        assert [source.snapshots for source in archive.sources()] == [2]


def test_a_process_that_does_not_listen_is_killed(tmp_path: Path) -> None:
    with serving(PAGES) as site:
        process = start("crawl", tmp_path / "news", site.url, *LOOPBACK)
        wait_until(lambda: len(articles(tmp_path / "news")) == 2)
        [child] = children(process.pid)
        os.kill(child, signal.SIGSTOP)
        for _ in range(3):
            process.send_signal(signal.SIGINT)
            sleep(0.5)
        process.communicate(timeout=600)

    assert process.returncode != 0
    assert not Path(f"/proc/{child}").exists()
    assert len(articles(tmp_path / "news")) == 2


def test_the_process_that_crawls_ends_in_order(tmp_path: Path) -> None:
    job = CrawlJob(str(tmp_path / "news"), Assignment(("http://127.0.0.1:9/",), snapshots=1), Manners(retries=0))
    with Crawl(job) as crawl:
        assert sum(progress.snapshots for progress in crawl) > 0

    assert crawl.exit_code == 0


def test_requests_in_flight_are_told_before_the_first_commit(tmp_path: Path) -> None:
    manners = Manners(delay=0.0, allow_networks="127.0.0.0/8")
    with serving(PAGES, held=frozenset({"/"})) as site:
        job = CrawlJob(str(tmp_path / "news"), Assignment((site.url,), snapshots=1), manners)
        with Crawl(job) as crawl:
            reports = crawl.reports()
            wait_until(lambda: "/" in site.asked)
            first = next(reports)
            site.release.set()
            last = list(reports)[-1]

    assert isinstance(first, Pulse)
    assert first.in_flight == 1
    assert isinstance(last, Progress)
    assert last.articles == 2


def test_the_process_that_crawls_does_not_outlive_the_one_that_asked(tmp_path: Path) -> None:
    with serving(PAGES, held=frozenset({article_path(2)})) as site:
        process = start("crawl", tmp_path / "news", site.url, *LOOPBACK)
        wait_until(lambda: article_path(2) in site.asked)
        [child] = children(process.pid)
        process.kill()
        process.communicate()

        wait_until(lambda: not is_running(child))

    assert not is_running(child)


def test_a_second_process_on_the_archive_gets_one_clear_line(tmp_path: Path) -> None:
    with serving(PAGES) as site:
        process = start("crawl", tmp_path / "news", site.url, *LOOPBACK)
        wait_until(lambda: len(articles(tmp_path / "news")) == 2)
        code, _, err = run("crawl", tmp_path / "news", site.url, *LOOPBACK)
        readable, _, _ = run("status", tmp_path / "news")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=600)

    assert code == exits.FAILED
    assert err.count("\n") == 1
    assert str(process.pid) in err or "is being written" in err
    assert readable == exits.DONE


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("news", "not a site"), "is not the http or https URL"),
        (("news",), "does not follow any site yet"),
        (("news", "a.example", "--every", "1s", "--set", "crawl.delay=-1"), "delay must not be negative"),
        (("file", "a.example"), "file"),
    ],
)
def test_bad_input_gets_one_clear_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], complaint: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("something else")

    code, out, err = run("crawl", *arguments)

    assert code == exits.FAILED
    assert (out, err.count("\n")) == ("", 1)
    assert complaint in err
