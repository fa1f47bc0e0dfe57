"""What `broadsheet crawl` and `status` say of sources and pages that failed, on sites over HTTP on the loopback."""

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from broadsheet import Archive
from broadsheet.base.manners import Manners
from broadsheet.cli import exits
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsroom.newsroom_errors import CrawlFailed
from broadsheet.newsweb.response import Response
from broadsheet.simulation.simulated_crawl import simulate
from tests.newsroom.program import LOOPBACK, Served, run, serving
from tests.newsroom.site import HOME, START, ScriptedSite, article_path, front, story

pytestmark = pytest.mark.long

PAGES = {"/": front(article_path(1)), article_path(1): story("one")}
FEED = Served(content_type="application/rss+xml", body="<?xml version='1.0'?><rss version='2.0'><channel/></rss>")
ONCE = ("--snapshots", 1, "--set", "crawl.retries=0", *LOOPBACK)
#: Nobody listens there.
NOWHERE = "http://127.0.0.1:9/"
MANNERS = Manners(retries=0, delay=0.0, allow_networks="127.0.0.0/8")


def only(out: str) -> dict[str, Any]:
    """Return the one row of JSON that a command wrote."""
    [line] = out.splitlines()
    row: dict[str, Any] = json.loads(line)
    return row


def total(out: str) -> dict[str, Any]:
    """Return the last row of JSON, which is that of all sources."""
    row: dict[str, Any] = json.loads(out.splitlines()[-1])
    return row


def test_a_source_that_fails_is_named_with_its_address_reason_and_advice(tmp_path: Path) -> None:
    with serving(PAGES) as good, serving({"/": Served(403)}) as bad:
        code, out, err = run("crawl", tmp_path / "news", good.url, bad.url, *ONCE)

    assert code == exits.SOME_FAILED
    [line] = err.splitlines()
    assert line.startswith(f"broadsheet: {bad.url}: answered 403; the site refuses crawlers")
    [failing] = only(out)["failing"]
    assert (failing["url"], failing["reason"]) == (bad.url, "answered 403")
    assert "--set crawl.contact=" in failing["advice"]
    assert only(out)["articles"] == 1


def test_status_names_the_sources_that_failed_until_they_are_reached_again(tmp_path: Path) -> None:
    with serving(PAGES) as good, serving({"/": Served(403)}) as bad:
        run("crawl", tmp_path / "news", good.url, bad.url, *ONCE)
        _, out, _ = run("status", tmp_path / "news")
        bad.pages.update(PAGES)
        code, _, _ = run("crawl", tmp_path / "news", *ONCE)
        _, later, _ = run("status", tmp_path / "news")

    rows = {row["url"]: row for row in map(json.loads, out.splitlines()) if "url" in row}
    assert rows[good.url]["failing"] is None
    assert rows[bad.url]["failing"]["reason"] == "answered 403"
    assert rows[bad.url]["failing"]["url"] == bad.url
    assert "refuses" in rows[bad.url]["failing"]["advice"]
    assert code == exits.DONE
    assert [row["failing"] for row in map(json.loads, later.splitlines()) if "url" in row] == [None, None]


@pytest.mark.parametrize(
    ("answer", "reason", "advice"),
    [
        (Response(200, {"Content-Type": "application/rss+xml"}, b"<rss/>"), "feed", "that the feed belongs to"),
        (Response(200, {"Content-Type": "image/png"}, b"PNG"), "not HTML", "give the URL of a home page"),
        (Response(302, {"Location": "http://elsewhere.example/"}, b""), "left the site", "that it redirects to"),
        (Response(200, {"Content-Encoding": "gzip"}, b"\x1f\x8b not gzip"), "encoding", "try again later"),
        (Response(200, {"Content-Type": "text/html"}, b"<div>" * 5000), "too deep", "limits.max_depth="),
        (Response(404, {}, b""), "answered 404", "check the URL"),
        (Response(429, {"Retry-After": "9999"}, b""), "answered 429", "crawl.delay=10"),
    ],
)
def test_every_way_to_fail_has_its_name_and_advice(tmp_path: Path, answer: Response, reason: str, advice: str) -> None:
    def fetch(url: str, at: datetime, headers: Mapping[str, str]) -> Response:
        del at, headers
        return answer if url == HOME else Response(404, {}, b"")

    progress = simulate(tmp_path / "news", fetch, START, Assignment((HOME,), snapshots=1))

    [incident] = progress.failing.values()
    assert (incident.url, incident.reason) == (HOME, reason)
    assert advice in incident.line()


def test_robots_txt_is_named_where_it_denies_the_home_page(tmp_path: Path) -> None:
    site = ScriptedSite({"/robots.txt": "User-agent: *\nDisallow: /", "/": front(article_path(1))})

    [incident] = site.crawl(tmp_path / "news", snapshots=1).failing.values()

    assert incident.line().startswith(f"{HOME}: cannot be fetched (robots): ")
    assert "--set crawl.robots=false ignores robots.txt" in incident.line()


def test_the_advice_is_that_of_extract(tmp_path: Path) -> None:
    with serving(PAGES) as site:
        _, _, crawled = run("crawl", tmp_path / "news", site.url, "--snapshots", 1)
        _, _, extracted = run("extract", site.url)

    assert crawled.splitlines()[0] == extracted.splitlines()[0]


def test_pages_that_fail_are_counted_by_reason_with_an_example(tmp_path: Path) -> None:
    pages: dict[str, str | Served] = {
        "/": front(*map(article_path, range(1, 4))),
        article_path(1): story("one"),
        article_path(2): Served(403),
    }
    with serving(pages) as site:
        code, out, _ = run("crawl", tmp_path / "news", site.url, *ONCE)
        _, status, _ = run("status", tmp_path / "news")

    assert code == exits.DONE
    for row in (only(out), total(status)):
        assert row["failures"] == {"answered 403": 1, "answered 404": 1}
        examples = {each["reason"]: each["url"] for each in row["examples"]}
        assert examples["answered 403"].endswith(article_path(2))
        assert examples["answered 404"].endswith(article_path(3))


def test_a_feed_that_a_page_links_to_is_skipped_and_not_a_failure(tmp_path: Path) -> None:
    pages: dict[str, str | Served] = {
        "/": front(*map(article_path, range(1, 4))),
        article_path(1): FEED,
        article_path(2): Served(content_type="application/pdf"),
        article_path(3): Served(content_type="text/xml", body="<feed xmlns='http://www.w3.org/2005/Atom'/>"),
    }
    with serving(pages) as site:
        code, out, err = run("crawl", tmp_path / "news", site.url, *ONCE)
        _, status, _ = run("status", tmp_path / "news")

    assert (code, err) == (exits.DONE, "")
    for row in (only(out), total(status)):
        assert (row["failed"], row["failures"]) == (0, {})
        assert (row["skipped"], row["skips"]) == (3, {"feed": 2, "not HTML": 1})


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("not a site",), exits.FAILED),
        ((), exits.FAILED),
        (("a.example", "--snapshots", "0"), exits.USAGE),
        (("a.example", "--set", "source.max_pages=0"), exits.FAILED),
        ((NOWHERE, *map(str, ONCE)), exits.FAILED),
    ],
)
def test_a_command_that_fails_leaves_no_archive(tmp_path: Path, arguments: tuple[str, ...], expected: int) -> None:
    code, _, err = run("crawl", tmp_path / "new" / "news", *arguments)

    assert (code, err.count("\n")) == (expected, 1)
    assert list(tmp_path.iterdir()) == []


def test_an_archive_that_was_there_stays_when_a_crawl_fails(tmp_path: Path) -> None:
    with serving(PAGES) as site:
        run("crawl", tmp_path / "news", site.url, *ONCE)
    code, _, _ = run("crawl", tmp_path / "news", *ONCE)

    assert code == exits.FAILED
    with Archive(tmp_path / "news") as archive:
        assert [article.title for article in archive.articles()] == ["one"]


def test_an_empty_folder_is_left_as_it_was_found(tmp_path: Path) -> None:
    (tmp_path / "news").mkdir()

    run("crawl", tmp_path / "news", NOWHERE, *ONCE)

    assert list((tmp_path / "news").iterdir()) == []


def test_a_program_that_crawls_is_told_that_no_source_could_be_reached(tmp_path: Path) -> None:
    with Archive(tmp_path / "news", create=True) as archive:
        with pytest.raises(CrawlFailed, match=r"127\.0\.0\.1:9/: cannot be fetched"):
            list(archive.crawl(NOWHERE, snapshots=1, manners=MANNERS))
        [failing] = archive.failing().values()

    assert (failing.url, failing.reason) == (NOWHERE, "robots unreachable")
