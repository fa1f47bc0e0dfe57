"""Validators go back to the server as they came from it, byte for byte."""

from dataclasses import replace

import pytest

from broadsheet.base.manners import Manners
from broadsheet.crawling.fetch_messages import FetchAnswer, Request
from tests.crawling.crawler import live
from tests.crawling.odd import odd_site
from tests.crawling.scripted import Answered, page
from tests.crawling.simulation import BASE, Run
from tests.crawling.test_live_crawl import MANNERS

ETAG = '"caf\xe9 \xff"'
ALONE = Manners(robots=False, retries=0, delay=0.0)


def test_an_etag_of_any_bytes_is_sent_as_these_bytes() -> None:
    with odd_site() as site:
        live([Request(site.base, etag=ETAG, last_modified="hier, \xe0 midi")], replace(MANNERS, robots=False))

    assert b"If-None-Match: " + ETAG.encode("latin-1") in site.asked
    assert b"If-Modified-Since: hier, \xe0 midi" in site.asked


def test_an_etag_of_any_bytes_matches_in_a_simulation() -> None:
    def fetch(_: str, __: object, headers: dict[str, str]) -> Answered:
        return Answered(304, {}) if headers.get("If-None-Match") == ETAG else page(ETag=ETAG)

    (first,) = Run([Request(f"{BASE}/")], fetch, manners=ALONE).outcomes
    etag = first.exchanges[-1].header("etag")
    (second,) = Run([Request(f"{BASE}/", etag=etag)], fetch, manners=ALONE).outcomes

    assert etag == ETAG
    assert isinstance(second, FetchAnswer)
    assert second.status == 304


@pytest.mark.parametrize("etag", ['"\u20ac"', "\ud800"])
def test_what_no_header_can_hold_is_not_sent(etag: str) -> None:
    sent: list[dict[str, str]] = []

    def fetch(_: str, __: object, headers: dict[str, str]) -> Answered:
        sent.append(dict(headers))
        return page()

    run = Run([Request(f"{BASE}/", etag=etag, last_modified="Mon, 02 Mar 2026 06:01:00 GMT")], fetch, manners=ALONE)

    assert run.reasons == ["200"]
    assert "If-None-Match" not in sent[0]
    assert sent[0]["If-Modified-Since"] == "Mon, 02 Mar 2026 06:01:00 GMT"
