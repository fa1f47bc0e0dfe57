"""Live crawls, each in a process of its own, against a site on the loopback that behaves and one that does not."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from broadsheet.base.manners import Manners
from broadsheet.crawling import encodings
from broadsheet.crawling.fetch_messages import Failure, FetchAnswer, Request
from tests.crawling.crawler import Crawled, live
from tests.crawling.scripted import TEXT, Site, serving

pytest.importorskip("scrapy")

LOOPBACK = "127.0.0.0/8"
MANNERS = Manners(
    contact="mail@example.org",
    delay=0.0,
    per_host=16,
    timeout=3.0,
    retries=1,
    max_bytes=300_000,
    max_decompressed_bytes=1_000_000,
    max_redirects=3,
    allow_networks=LOOPBACK,
)
ENCODINGS = [name.strip() for name in encodings.accepted_encodings().split(",")]
WELL = ["/page", "/moved", "/far/3", "/missing", "/flaky", "/down", "/validated", "/moved-validated"]
WELL += [f"/plain/{name}" for name in ENCODINGS]
#: Each with the reason that it fails for, in both kinds of crawl.
REFUSED = {
    "/circle/a": "redirects",
    "/far/4": "redirects",
    "/to/ftp": "scheme",
    "/to/script": "scheme",
    "/to/odd": "scheme",
    "/private/x": "robots",
    "/corrupt": "encoding",
    "/large": "too large",
    **{f"/bomb/{name}": "too large decompressed" for name in ENCODINGS},
}
#: Each with the reason that it fails for, over sockets alone.
MISBEHAVING = {
    "/endless-body": "too large",
    "/endless-headers": "too large",
    "/one-long-header": "connection",
    "/huge-length": "too large",
    "/dripping-body": "timeout",
    "/silence": "timeout",
    "/cut-short": "connection",
}


def requests_for(base: str, paths: list[str]) -> list[Request]:
    return [Request(base + path, etag='"v1"' if "validated" in path else None, tag=path) for path in paths]


@dataclass(frozen=True)
class Tour:
    base: str
    site: Site
    crawled: Crawled


@pytest.fixture(scope="module")
def tour() -> Iterator[Tour]:
    """One crawl of everything, as starting a process takes longer than all of it."""
    site = Site()
    with serving(site) as base:
        yield Tour(base, site, live(requests_for(base, [*WELL, *REFUSED, *MISBEHAVING]), MANNERS))


@pytest.mark.parametrize(("path", "reason"), [*REFUSED.items(), *MISBEHAVING.items()])
def test_what_goes_wrong_has_a_reason(tour: Tour, path: str, reason: str) -> None:
    outcome = tour.crawled.of(path)

    assert isinstance(outcome, Failure)
    assert outcome.reason == reason
    assert outcome.detail
    assert "\n" not in outcome.detail
    assert "twisted.python" not in outcome.detail


@pytest.mark.parametrize("path", ["/page", "/moved", "/far/3", "/flaky", *(f"/plain/{name}" for name in ENCODINGS)])
def test_a_page_comes_decoded(tour: Tour, path: str) -> None:
    outcome = tour.crawled.of(path)

    assert isinstance(outcome, FetchAnswer)
    assert (outcome.status, outcome.content.decode()) == (200, TEXT)


def test_every_hop_is_captured_as_received(tour: Tour) -> None:
    page = tour.crawled.of("/moved")

    assert isinstance(page, FetchAnswer)
    assert [(each.url, each.status) for each in page.exchanges] == [
        (f"{tour.base}/moved", 301),
        (f"{tour.base}/page?from=moved", 200),
    ]
    assert page.url == f"{tour.base}/page?from=moved"
    assert {each.address for each in page.exchanges} == {"127.0.0.1"}
    assert page.exchanges[0].body == b"elsewhere"


def test_a_body_is_recorded_still_encoded(tour: Tour) -> None:
    page = tour.crawled.of("/plain/gzip")

    assert page.exchanges[0].body[:2] == b"\x1f\x8b"
    assert page.exchanges[0].header("content-encoding") == "gzip"
    assert page.exchanges[0].header("transfer-encoding") is None


def test_a_request_identifies_the_crawler_and_its_encodings(tour: Tour) -> None:
    asked = dict(tour.crawled.of("/page").exchanges[0].asked)

    assert asked["User-Agent"].startswith("Broadsheet/")
    assert asked["User-Agent"].endswith("(+mail@example.org)")
    assert asked["Accept-Encoding"] == encodings.accepted_encodings()
    assert not {"Cookie", "Referer"} & set(asked)


def test_an_unchanged_page_is_a_304_without_content(tour: Tour) -> None:
    page = tour.crawled.of("/validated")

    assert isinstance(page, FetchAnswer)
    assert (page.status, page.content) == (304, b"")


def test_validators_do_not_follow_a_redirect(tour: Tour) -> None:
    page = tour.crawled.of("/moved-validated")

    assert isinstance(page, FetchAnswer)
    assert (page.status, page.content.decode()) == (200, TEXT)


def test_at_last_the_answer_itself_is_the_page(tour: Tour) -> None:
    page = tour.crawled.of("/down")

    assert isinstance(page, FetchAnswer)
    assert (page.status, page.content, len(page.exchanges)) == (503, b"closed", 1)
    assert tour.site.hits["/down"] == 2


def test_robots_txt_is_asked_once_and_first(tour: Tour) -> None:
    assert tour.site.asked[0][0] == "/robots.txt"
    assert tour.site.hits["/robots.txt"] == 1
    assert tour.site.hits["/private/x"] == 0


def test_bodies_without_end_take_no_memory(tour: Tour) -> None:
    assert tour.crawled.report["peak"] < 400_000_000


def test_everything_is_counted_and_nothing_is_written_to_standard_error(tour: Tour) -> None:
    counted = tour.crawled.report["counted"]

    assert counted["failed robots"] == 1
    assert counted["failed redirects"] == 2
    assert counted["answers 304"] == 1
    assert counted["retries 503"] == 2
    assert counted["retries timeout"] == 2
    assert sum(n for name, n in counted.items() if name.startswith("failed ")) == len(REFUSED) + len(MISBEHAVING)
    assert counted["bytes"] > 0
    assert (tour.crawled.report["error"], tour.crawled.err) == (None, "")


def test_idle_is_called_when_nothing_is_in_flight(tour: Tour) -> None:
    assert tour.crawled.report["idles"] >= 1


def test_a_second_live_crawl_in_a_process_is_refused_with_a_reason(tour: Tour) -> None:
    assert tour.crawled.report["second"] == (
        "a process can run only one live crawl, and this one has already run: start another process"
    )


def test_an_exception_ends_the_crawl_and_reaches_the_caller() -> None:
    with serving(Site()) as base:
        crawled = live(requests_for(base, ["/silence", "/page"]), MANNERS, decide="raise")

    assert crawled.report["error"] == "LookupError: decide is at a loss"
    assert (len(crawled.outcomes), crawled.err) == (1, "")


def test_finish_completes_requests_in_flight() -> None:
    with serving(Site()) as base:
        crawled = live(requests_for(base, ["/moved", "/dripping-body", "/page"]), MANNERS, decide="finish")

    # The slow one is told of as well, and not tried again; what decide asked for is not fetched.
    assert sorted(outcome.request.tag for outcome in crawled.outcomes) == ["/dripping-body", "/moved", "/page"]
    assert crawled.report["counted"]["skipped stopped"] == 3
    assert "retries timeout" not in crawled.report["counted"]


@pytest.mark.parametrize("how", ["thread", "signal"])
def test_now_drops_everything_at_once(how: str) -> None:
    manners = Manners(delay=0.0, timeout=60.0, allow_networks=LOOPBACK)
    with serving(Site()) as base:
        crawled = live(requests_for(base, ["/dripping-body"]), manners, stop_after=1.0, stop_by=how)

    assert (crawled.outcomes, crawled.report["error"], crawled.err) == ([], None, "")
    assert crawled.report["seconds"] < 20
