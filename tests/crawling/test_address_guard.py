"""The guard where names become addresses, in live crawls; names are made to resolve as a test wants below it."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from urllib.parse import unquote

import pytest

from broadsheet.base.manners import Manners
from broadsheet.crawling.fetch_messages import Failure, FetchAnswer, Request
from tests.crawling.crawler import Crawled, live
from tests.crawling.scripted import Answered, Site, redirect, serving

NAMES = {
    "inside.example": ["127.0.0.1"],
    "metadata.example": ["169.254.169.254"],
    "both.example": ["10.255.255.1", "127.0.0.1"],
    "six.example": ["::1"],
    "bücher.example": ["10.0.0.1"],
    "xn--bcher-kva.example": ["10.0.0.1"],
}


class Leading(Site):
    """A site that leads astray."""

    def answer(self, path: str, headers: Mapping[str, str]) -> Answered:
        if path.startswith("/lead/"):
            return redirect(unquote(path.removeprefix("/lead/")))
        return super().answer(path, headers)


@pytest.fixture(scope="module")
def refusing() -> Iterator[Crawled]:
    """A crawl that may reach 127.0.0.1 by its number alone, of everything that leads to other addresses."""
    with serving(Leading(robots="")) as base:
        port = base.rpartition(":")[2]
        urls = [
            "http://10.0.0.1/",
            "http://[::1]:1/",
            "http://[::ffff:10.0.0.1]/",
            "http://0/",
            "http://167772161/",
            "http://0xa.1/",
            "http://012.0.0.1/",
            "http://metadata.example/latest/",
            "http://six.example/",
            "http://xn--bcher-kva.example/",
            f"{base}/lead/http://metadata.example/latest/",
            f"{base}/lead/http://10.0.0.1/",
            f"{base}/lead/http://[fd00::1]/",
            f"{base}/lead/https://10.0.0.1/",
            f"{base}/page",
            f"http://inside.example:{port}/page",
            f"http://both.example:{port}/page",
        ]
        manners = Manners(delay=0.0, per_host=4, retries=0, timeout=8.0, allow_networks="127.0.0.0/8")
        yield live([Request(url, tag=url) for url in urls], manners, names=NAMES)


def test_addresses_that_are_not_public_are_refused_however_they_are_reached(refusing: Crawled) -> None:
    refused = {outcome.request.url for outcome in refusing.outcomes if isinstance(outcome, Failure)}

    assert {outcome.reason for outcome in refusing.outcomes if isinstance(outcome, Failure)} == {"address"}
    assert len(refused) == 14


def test_a_redirect_to_one_is_refused_after_its_first_hop(refusing: Crawled) -> None:
    led = [outcome for outcome in refusing.outcomes if "/lead/" in outcome.request.url]

    assert [[each.status for each in outcome.exchanges] for outcome in led] == [[302]] * 4


def test_of_several_addresses_only_the_allowed_ones_are_used(refusing: Crawled) -> None:
    pages = [outcome for outcome in refusing.outcomes if isinstance(outcome, FetchAnswer)]

    assert len(pages) == 3
    assert {page.exchanges[0].address for page in pages} == {"127.0.0.1"}


def test_the_detail_names_the_refused_address(refusing: Crawled) -> None:
    (outcome,) = [each for each in refusing.outcomes if each.request.url == "http://metadata.example/latest/"]

    assert isinstance(outcome, Failure)
    assert outcome.detail == "metadata.example is at 169.254.169.254, which is not on the public internet"


def test_nothing_is_written_to_standard_error(refusing: Crawled) -> None:
    assert (refusing.report["error"], refusing.err) == (None, "")


def test_a_proxy_in_the_environment_is_no_way_round_the_guard(monkeypatch: pytest.MonkeyPatch) -> None:
    proxy = Site()
    with serving(proxy) as base:
        for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy"):
            monkeypatch.setenv(name, base)
        manners = replace(Manners(), retries=0, allow_networks="127.0.0.0/8")
        crawled = live([Request("http://10.0.0.1/")], manners)

    assert not proxy.asked
    assert isinstance(crawled.outcomes[0], Failure)
    assert crawled.outcomes[0].reason == "address"
