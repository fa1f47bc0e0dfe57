"""Feeds and sitemaps that are made to cost: each cap is broken once, and what is refused has a counted reason."""

import gzip
import time
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from broadsheet.base import reasons
from broadsheet.base.errors import TooManyAttributes, TooManyBytes, TooManyNodes
from broadsheet.base.limits import Limits
from broadsheet.document.feeds import Listing, NotAFeed, read_listing

AT = datetime(2026, 3, 2, 12, tzinfo=UTC)
LAUGHS = b"".join(b'<!ENTITY l%d "%s">' % (level, b"&l%d;" % (level - 1) * 10) for level in range(1, 20))
BOMB = b'<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY l0 "ha">' + LAUGHS + b"]><rss><item><title>&l19;</title>"


def read(content: bytes, limits: Limits | None = None) -> Listing:
    return read_listing(content, "https://news.example/feed", AT, limits=limits or Limits())


def entry(number: int) -> bytes:
    return b"<url><loc>https://news.example/%d</loc></url>" % number


@pytest.mark.parametrize(
    "content",
    [
        BOMB,
        BOMB.decode().encode("utf-16"),
        b"<!-- a --><?pi?>\n" + BOMB.partition(b"?>")[2],
        b'<!doctype rss [<!ENTITY x SYSTEM "file:///etc/passwd">]><rss><item><title>&x;</title></item></rss>',
        b'<!DOCTYPE rss SYSTEM "a.dtd" [<!ATTLIST item a CDATA "x">]><rss/>',
    ],
)
def test_a_dtd_of_its_own_is_refused(content: bytes) -> None:
    with pytest.raises(NotAFeed) as refused:
        read(content)

    assert refused.value.reason in {reasons.ENTITIES, reasons.NOT_A_FEED}


def test_a_dtd_elsewhere_and_the_files_it_names_are_never_loaded(tmp_path: Path) -> None:
    secret = tmp_path / "secret.dtd"
    secret.write_text('<!ENTITY told "secret">')

    doctype = f'<!DOCTYPE rss SYSTEM "{secret.as_uri()}">'
    listing = read(doctype.encode() + b"<rss><item><link>/a</link><title>&told;</title></item></rss>")

    assert listing.items[0].title == "&told;"


def test_more_items_than_the_protocol_allows_are_left_out() -> None:
    listing = read(b"<urlset>" + b"".join(map(entry, range(50_010))) + b"</urlset>")

    assert len(listing.items) == 50_000
    assert listing.dropped[reasons.OVER_FEED_ITEMS] >= 1


def test_a_file_that_is_too_long_is_refused() -> None:
    with pytest.raises(TooManyBytes):
        read(b"<rss>" + b" " * 2_000, Limits(max_bytes=1_000))
    with pytest.raises(TooManyBytes):
        read(b'{"version": "https://jsonfeed.org/version/1", "x": "' + b"x" * 5_000_000 + b'"}')


def test_more_tags_or_attributes_than_any_feed_has_are_refused() -> None:
    with pytest.raises(TooManyNodes):
        read(b"<rss>" + b"<p>" * 1_000_001)
    with pytest.raises(TooManyAttributes):
        read(b"<rss><item " + b" ".join(b'a%d=""' % number for number in range(3_000)) + b"/></rss>")


@pytest.mark.parametrize(
    "content",
    [
        b"<rss>" + b"<item>" * 200_000,
        b"<rss><item>" + b"<title>" * 200_000,
        b"<rss><item>" + b"<a>x</a>" * 100_000 + b"</item></rss>",
        b"<rss><item><title>" + b"<b>x</b>&y;" * 50_000 + b"</title><link>/a</link></item></rss>",
        b"<rss><item><title>" + b"&lt;" * 500_000 + b"</title><link>/a</link></item></rss>",
        b"<rss><item><link>/a</link></item>" + b"<!-- - " * 300_000,
        b"<?x " * 300_000,
        b'{"version": "https://jsonfeed.org/version/1", "items": ' + b"[" * 100_000,
        b'{"version": "https://jsonfeed.org/version/1", "items": [' + b'{"url": "/a"},' * 100_000 + b"1]}",
        b"<urlset>" + b"".join(map(entry, range(40_000))),
    ],
    ids=lambda content: content[:30].decode(),
)
def test_odd_files_are_read_or_refused_soon(content: bytes) -> None:
    begin = time.process_time()
    with suppress(NotAFeed):
        read(content)

    assert time.process_time() - begin < 8


def test_a_title_is_cut() -> None:
    listing = read(b"<rss><item><link>/a</link><title>" + b"word " * 10_000 + b"</title></item></rss>")

    assert len(listing.items[0].title) <= 300


def test_a_gzip_bomb_within_the_limit_of_the_response_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("scrapy")
    pytest.importorskip("pyarrow")
    from tests.newsroom.feed_sites import FEEDS, feed_site, in_store  # noqa: PLC0415 - only with the extra

    site = feed_site("/sitemap.xml.gz", gzip.compress(b"<urlset>" + b" " * 25_000_000), "application/gzip")

    progress = site.crawl(tmp_path, snapshots=1, settings=FEEDS)

    assert progress.failures["too large decompressed"] == 1
    assert in_store(tmp_path)["/sitemap.xml.gz"] == "useless"
