"""Feeds and sitemaps: what each format lists, and what is left out."""

import json
from datetime import UTC, datetime, timedelta, timezone

import pytest

from broadsheet.base import reasons
from broadsheet.base.limits import Limits
from broadsheet.document.feeds import ListedItem, Listing, NotAFeed, read_listing

AT = datetime(2026, 3, 2, 12, tzinfo=UTC)
URL = "https://news.example/feed"


def read(text: str | bytes, content_type: str = "") -> Listing:
    content = text.encode() if isinstance(text, str) else text
    return read_listing(content, URL, AT, content_type=content_type, limits=Limits())


def rss(*items: str) -> str:
    return f'<?xml version="1.0"?>\n<rss version="2.0"><channel><title>News</title>{"".join(items)}</channel></rss>'


def test_rss_gives_address_title_date_and_section() -> None:
    listing = read(
        rss(
            "<item><title>A storm &amp;amp; a <![CDATA[<b>flood</b>]]></title><link> /storm </link>"
            "<pubDate>Mon, 02 Mar 2026 10:30:00 +0200</pubDate><category>Weather</category></item>"
        )
    )

    published = datetime(2026, 3, 2, 10, 30, tzinfo=timezone(timedelta(hours=2)))
    assert listing.form == "rss"
    assert listing.items == (
        ListedItem("https://news.example/storm", "A storm & a flood", published, section="Weather"),
    )


@pytest.mark.parametrize("name", ["atom:updated", "dcterms:modified"])
def test_rss_says_when_an_item_changed_by_a_module(name: str) -> None:
    item = f"<item><link>/storm</link><{name}>2026-03-02T11:00:00Z</{name}></item>"
    names = 'xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dcterms="http://purl.org/dc/terms/"'

    [found] = read(rss(item).replace("<rss ", f"<rss {names} ")).items

    assert (found.published, found.changed) == (None, datetime(2026, 3, 2, 11, tzinfo=UTC))


def test_rss_0_91_with_its_public_dtd_and_rss_1_0_are_read() -> None:
    old = read(
        '<?xml version="1.0"?><!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" '
        '"http://my.netscape.com/publish/formats/rss-0.91.dtd"><rss version="0.91"><channel><item><link>/a</link>'
        "</item></channel></rss>"
    )
    rdf = read(
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/"><item rdf:about="https://news.example/b"><title>B</title>'
        "<dc:date>2026-03-02T08:00Z</dc:date><dc:subject>Town</dc:subject></item></rdf:RDF>"
    )

    assert [item.url for item in old.items] == ["https://news.example/a"]
    assert rdf.items == (
        ListedItem("https://news.example/b", "B", datetime(2026, 3, 2, 8, tzinfo=UTC), section="Town"),
    )


def test_a_permanent_guid_stands_in_for_a_link_and_the_original_link_for_a_redirect() -> None:
    listing = read(
        rss(
            "<item><guid>https://news.example/a</guid></item>",
            '<item xmlns:f="http://rssnamespace.org/feedburner/ext/1.0"><link>https://proxy.example/1</link>'
            "<f:origLink>https://news.example/b</f:origLink></item>",
        )
    )

    assert [item.url for item in listing.items] == ["https://news.example/a", "https://news.example/b"]


def test_atom_gives_the_alternate_link_and_both_dates() -> None:
    listing = read(
        '<feed xmlns="http://www.w3.org/2005/Atom"><entry><title type="html">A &lt;i&gt;storm&lt;/i&gt;</title>'
        '<link rel="self" href="/self"/><link href="/storm"/><published>2026-03-02T09:00:00Z</published>'
        '<updated>2026-03-02T10:00:00Z</updated><category term="weather" label="Weather"/></entry></feed>'
    )

    published, changed = datetime(2026, 3, 2, 9, tzinfo=UTC), datetime(2026, 3, 2, 10, tzinfo=UTC)
    assert listing.form == "atom"
    assert listing.items == (ListedItem("https://news.example/storm", "A storm", published, changed, "Weather"),)


def test_json_feed_is_read() -> None:
    items = [{"id": "1", "url": "/storm", "title": "A storm", "date_published": "2026-03-02T09:00:00Z", "tags": ["x"]}]
    listing = read(json.dumps({"version": "https://jsonfeed.org/version/1.1", "title": "News", "items": items}))

    assert listing.form == "json feed"
    assert listing.items == (
        ListedItem("https://news.example/storm", "A storm", datetime(2026, 3, 2, 9, tzinfo=UTC), section="x"),
    )


def test_sitemaps_say_when_pages_changed_and_news_sitemaps_when_they_were_published() -> None:
    plain = read(
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://news.example/a</loc>'
        "<lastmod>2026-03-01</lastmod></url></urlset>"
    )
    news = read(
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
        'xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"><url><loc>https://news.example/b</loc><news:news>'
        "<news:publication_date>2026-03-02T07:00:00+00:00</news:publication_date><news:title>B</news:title>"
        "</news:news></url></urlset>"
    )
    index = read("<sitemapindex><sitemap><loc>/one.xml.gz</loc></sitemap></sitemapindex>")

    assert (plain.form, news.form, index.form) == ("sitemap", "news sitemap", "sitemap index")
    assert plain.items == (ListedItem("https://news.example/a", changed=datetime(2026, 3, 1, tzinfo=UTC)),)
    assert news.items == (ListedItem("https://news.example/b", "B", datetime(2026, 3, 2, 7, tzinfo=UTC)),)
    assert [item.url for item in index.items] == ["https://news.example/one.xml.gz"]


@pytest.mark.parametrize(
    "text",
    ["Thu, 01 Jan 1970 00:00:00 GMT", "2099-01-01T00:00:00Z", "yesterday", "99999-99-99", "Mon, 32 Mar 2026", "x" * 99],
)
def test_a_date_that_cannot_be_right_is_dropped_and_counted(text: str) -> None:
    listing = read(rss(f"<item><link>/a</link><pubDate>{text}</pubDate></item>"))

    assert listing.items == (ListedItem("https://news.example/a"),)
    assert listing.dropped == {reasons.ITEM_DATE: 1}


@pytest.mark.parametrize(("wrong", "are_believed"), [(0, True), (1, True), (2, True), (3, False), (20, False)])
def test_no_date_of_a_listing_is_believed_if_more_than_a_tenth_cannot_be_right(wrong: int, are_believed: bool) -> None:
    items = [
        f"<item><link>/{number}</link><pubDate>{year}-03-01T08:00Z</pubDate></item>"
        for number, year in enumerate([1970] * wrong + [2026] * (20 - wrong))
    ]

    listing = read(rss(*items))

    assert [item.dated is not None for item in listing.items] == [False] * wrong + [are_believed] * (20 - wrong)
    assert listing.dropped.get(reasons.ITEM_DATE, 0) == (wrong if are_believed else 20)


def test_a_date_of_a_wrong_time_zone_is_moved_to_now() -> None:
    listing = read(rss("<item><link>/a</link><pubDate>Mon, 02 Mar 2026 20:00:00 GMT</pubDate></item>"))

    assert listing.items[0].published == AT


def test_items_without_a_usable_address_are_counted_and_each_address_counts_once() -> None:
    hrefs = ("", "mailto:a@b.example", "/" + "a" * 3_000, "/a", "/a")
    listing = read(rss(*(f"<item><link>{href}</link></item>" for href in hrefs)))

    assert [item.url for item in listing.items] == ["https://news.example/a"]
    assert listing.dropped == {reasons.ITEM_ADDRESS: 3}


def test_undeclared_entities_are_kept_as_text() -> None:
    listing = read(rss("<item><title>Caf&eacute; &unknown; bar</title><link>/a</link></item>"))

    assert listing.items[0].title == "Café &unknown; bar"


def test_a_feed_that_is_cut_off_gives_what_came_before() -> None:
    listing = read("<rss><channel><item><link>/a</link></item><item><link>/b</li")

    assert [item.url for item in listing.items][:1] == ["https://news.example/a"]


def test_other_encodings_and_a_byte_order_mark_are_understood() -> None:
    text = '<?xml version="1.0" encoding="iso-8859-1"?><rss><item><title>Café</title><link>/a</link></item></rss>'
    plain = '<?xml version="1.0"?><rss><item><title>Café</title><link>/a</link></item></rss>'

    titles = [read(text.encode("latin-1")).items[0].title, read("\ufeff" + plain).items[0].title]
    titles.append(read(plain.encode("utf-16"), "application/rss+xml").items[0].title)

    assert titles == ["Café"] * 3


@pytest.mark.parametrize(
    "text", ["", "no", "<html><body><item/></body></html>", "{}", '{"version": 1}', "[]", "{" * 99]
)
def test_what_is_not_a_feed_is_refused(text: str) -> None:
    with pytest.raises(NotAFeed, match="neither a feed nor a sitemap") as refused:
        read(text)

    assert refused.value.reason == reasons.NOT_A_FEED
