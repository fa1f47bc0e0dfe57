"""The log of a crawl: a time and an address in every line, appended, and nothing in it that acts on a terminal."""

import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from broadsheet.cli import exits
from broadsheet.newsroom.crawl_log import BACKUPS, CrawlLog
from tests.newsroom.program import LOOPBACK, run, serving
from tests.newsroom.site import article_path, front, story

ENTRY = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00 (DEBUG|INFO|WARNING|ERROR) .+")


@pytest.fixture
def entries(tmp_path: Path) -> Iterator[Path]:
    """A file that is logged to, in this process."""
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    CrawlLog(str(tmp_path / "log")).open()
    yield tmp_path / "log"
    for handler in set(root.handlers) - set(before):
        root.removeHandler(handler)
        handler.close()
    root.setLevel(level)


def test_a_crawl_logs_every_address_after_what_is_there(tmp_path: Path) -> None:
    log = tmp_path / "crawl.log"
    log.write_text("before\n")
    pages = {"/": front(article_path(1), article_path(2)), article_path(1): story("one")}

    with serving(pages) as site:
        command = ("crawl", tmp_path / "news", site.url, "--snapshots", 1, "--log-file", log, *LOOPBACK)
        code, _, err = run(*command)

    first, *lines = log.read_text().splitlines()
    assert (code, err, first) == (exits.DONE, "", "before")
    assert all(ENTRY.fullmatch(line) for line in lines)
    text = "\n".join(lines)
    assert f"INFO crawling {site.url} into {tmp_path}/news" in text
    assert re.search(rf"INFO fetched {re.escape(site.url)}: status 200, \d+ bytes", text)
    assert f"INFO fetched {site.url.rstrip('/')}{article_path(2)}: status 404" in text
    assert f"INFO archived {site.url.rstrip('/')}{article_path(1)}: one" in text


def test_the_level_says_how_much(tmp_path: Path) -> None:
    log = tmp_path / "crawl.log"

    with serving({"/": front(article_path(1))}) as site:
        # Without leave to speak to this machine every address is refused.
        run("crawl", tmp_path / "news", site.url, "--snapshots", 1, "--log-file", log, "--log-level", "warning")

    lines = log.read_text().splitlines()
    assert lines
    assert all(" WARNING failed " in line and site.url in line for line in lines)


def test_an_entry_is_one_line_that_does_nothing(entries: Path) -> None:
    logging.getLogger("broadsheet.newsroom").info(
        "archived %s: %s", "http://a.example/\n", "x\x1b[2J\u202e\nfake\tline"
    )

    [line] = entries.read_text().splitlines()
    assert line.endswith(r"archived http://a.example/\u000a: x\u001b[2J\u202e\u000afake\u0009line")


def test_libraries_are_heard_when_something_is_wrong(entries: Path) -> None:
    for say in (logging.getLogger("scrapy.core").info, logging.getLogger("scrapy.core").warning):
        say("words of a library")

    assert len(entries.read_text().splitlines()) == 1


def test_a_traceback_cannot_pass_for_entries(entries: Path) -> None:
    error = ValueError("2026-01-01 INFO fake\n2026-01-01 INFO fake")

    logging.getLogger("broadsheet.newsroom").error("it failed", exc_info=error)

    first, *rest = entries.read_text().splitlines()
    assert ENTRY.fullmatch(first)
    assert rest
    assert all(line.startswith("    ") for line in rest)


def test_a_log_that_cannot_be_written_is_an_error_before_the_crawl(tmp_path: Path) -> None:
    code, out, err = run("crawl", tmp_path / "news", "news.example", "--log-file", tmp_path / "no" / "log")

    assert (code, out) == (exits.FAILED, "")
    assert err == f"broadsheet: {tmp_path}/no/log: No such file or directory\n"
    assert not (tmp_path / "news").exists()


def test_a_level_needs_a_file(tmp_path: Path) -> None:
    code, _, err = run("crawl", tmp_path / "news", "news.example", "--log-level", "debug")

    assert (code, err) == (exits.USAGE, "broadsheet: --log-level needs a --log-file to write to\n")


def test_a_log_is_rotated_by_size_and_old_files_are_limited(tmp_path: Path) -> None:
    root = logging.getLogger()
    before, level = list(root.handlers), root.level

    CrawlLog(str(tmp_path / "log"), max_bytes=1_000).open()
    for number in range(200):
        logging.getLogger("broadsheet.test").info("entry number %d", number)

    for handler in set(root.handlers) - set(before):
        root.removeHandler(handler)
        handler.close()
    root.setLevel(level)
    files = sorted(path.name for path in tmp_path.iterdir())
    assert files == ["log", *(f"log.{number}" for number in range(1, BACKUPS + 1))]
    assert all(path.stat().st_size <= 1_000 for path in tmp_path.iterdir())
    assert "entry number 199" in (tmp_path / "log").read_text()
