"""Files of rules that are vast, or begin oddly: they count as far as they are read, and take bounded memory."""

from collections.abc import Mapping
from datetime import datetime

import pytest

from broadsheet.base.counters import Counted
from broadsheet.base.manners import Manners
from broadsheet.crawling import _robots
from broadsheet.crawling.fetch_messages import Request
from tests.crawling.crawler import live
from tests.crawling.scripted import Answered, Site, page, serving
from tests.crawling.simulation import BASE, Fetch, Run

MANNERS = Manners(delay=0.0, per_host=4, per_site=8, retries=0, allow_networks="127.0.0.0/8")
#: 448 KB of rules, all different.
MANY_RULES = "User-agent: *\nDisallow: /closed\n" + "".join(f"Disallow: /{number}\n" for number in range(26_000))


def saying(text: bytes) -> Fetch:
    def fetch(url: str, at: datetime, headers: Mapping[str, str]) -> Answered:
        del at, headers
        return Answered(200, {}, text) if url.endswith("/robots.txt") else page()

    return fetch


def test_a_byte_order_mark_does_not_disable_the_rules() -> None:
    fetch = saying("\ufeffUser-agent: *\nDisallow: /closed\n".encode())

    assert Run([Request(f"{BASE}/closed"), Request(f"{BASE}/open")], fetch).reasons == ["robots", "200"]


def test_the_first_bytes_of_fifty_million_count() -> None:
    fetch = saying(b"User-agent: *\nDisallow: /closed\n" + b"# filler\n" * 5_500_000)

    run = Run([Request(f"{BASE}/closed"), Request(f"{BASE}/open")], fetch)

    assert run.reasons == ["robots", "200"]
    assert dict(run.counters)[Counted("robots.txt", "cut")] == 1


def test_the_first_bytes_of_fifty_million_count_over_sockets_and_no_more_are_read() -> None:
    with serving(Site(robots="User-agent: *\nDisallow: /private\n" + "# filler\n" * 5_500_000)) as base:
        crawled = live([Request(f"{base}/private", tag="a"), Request(f"{base}/page", tag="b")], MANNERS)

    assert sorted(outcome.request.tag for outcome in crawled.outcomes) == ["a", "b"]
    assert crawled.report["counted"]["failed robots"] == 1
    assert crawled.report["counted"]["bytes"] < 1_500_000


def test_only_the_first_rules_are_kept() -> None:
    lines = "".join(f"Disallow: /{number}-\n" for number in range(_robots.MAX_RULES + 10))
    fetch = saying(b"User-agent: *\n" + lines.encode())
    paths = (f"/{_robots.MAX_RULES - 1}-", f"/{_robots.MAX_RULES}-")

    run = Run([Request(BASE + path) for path in paths], fetch)

    assert run.reasons == ["robots", "200"]


def test_rules_that_were_not_asked_for_longest_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_robots, "MAX_WEIGHT", 100)
    asked: list[str] = []

    def fetch(url: str, *_: object) -> Answered:
        asked.append(url)
        return Answered(404, {}) if url.endswith("/robots.txt") else page()

    hosts = [*range(10), 0]
    Run([Request(f"http://host{host}.news.example/", priority=-place) for place, host in enumerate(hosts)], fetch)

    assert len([url for url in asked if url.endswith("/robots.txt")]) == len(set(hosts)) + 1


def vast(hosts: int) -> int:
    """Return the peak memory of a crawl of many hosts with vast files of rules."""
    names = {f"host{number}.news.example": ["127.0.0.1"] for number in range(hosts)}
    with serving(Site(robots=MANY_RULES)) as base:
        port = base.rpartition(":")[2]
        requests = [Request(f"http://{name}:{port}/page") for name in names]
        crawled = live(requests, MANNERS, names=names)
    assert crawled.report["counted"]["answers 200"] == 2 * hosts
    peak: int = crawled.report["peak"]
    return peak


def test_many_vast_files_of_rules_take_bounded_memory() -> None:
    assert vast(40) - vast(1) < 200_000_000


@pytest.mark.soak
def test_three_hundred_vast_files_of_rules_take_bounded_memory() -> None:
    peak = vast(300)

    print(f"300 files of {len(MANY_RULES):,} bytes: {peak:,} bytes of memory at most")
    assert peak <= 500_000_000
