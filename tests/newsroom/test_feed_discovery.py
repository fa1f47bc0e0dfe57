"""Where feeds and sitemaps are found: named, guessed, given by the user, or in an index."""

import gzip
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("scrapy")
pytest.importorskip("pyarrow")

from broadsheet.archive import SourceRecord, Store
from broadsheet.base.quotas import Quotas
from broadsheet.base.source_settings import SourceSettings
from broadsheet.newsroom import feed_search
from broadsheet.newsroom.feed_discovery import WELL_KNOWN
from tests.newsroom.feed_sites import (
    FEEDS,
    NAMED,
    archived,
    counted,
    hour,
    in_store,
    index,
    page_with,
    robots,
    rss,
    served,
    stories,
    urlset,
)
from tests.newsroom.site import HOME, START, ScriptedSite, article_path, front


def test_a_feed_that_the_home_page_names_is_followed_and_its_items_archived(tmp_path: Path) -> None:
    site = ScriptedSite({"/": page_with(NAMED, article_path(1)), "/news.rss": rss([article_path(2)]), **stories(2)})

    site.crawl(tmp_path, snapshots=3, settings=FEEDS)

    assert archived(tmp_path) == {article_path(1), article_path(2)}
    assert in_store(tmp_path) == {"/news.rss": "good"}
    assert site.hours("/news.rss") == [0.0, 1.0, 2.0]
    assert [status for path, status in site.asked if path == "/news.rss"] == [200, 304, 304]


def test_a_sitemap_that_robots_txt_names_is_followed(tmp_path: Path) -> None:
    packed = served(gzip.compress(urlset([article_path(2)]).body), "application/gzip")
    site = ScriptedSite(
        {"/": front(article_path(1)), "/robots.txt": robots("/map.xml.gz"), "/map.xml.gz": packed, **stories(2)}
    )

    site.crawl(tmp_path, snapshots=1, settings=FEEDS)

    assert archived(tmp_path) == {article_path(1), article_path(2)}
    assert in_store(tmp_path)["/map.xml.gz"] == "good"


def test_feeds_that_the_user_names_are_followed_on_other_sites_too(tmp_path: Path) -> None:
    elsewhere = "http://feeds.example/gazette"
    site = ScriptedSite(
        {"/": front(article_path(1)), elsewhere: rss([HOME.rstrip("/") + article_path(2)]), **stories(2)}
    )
    site.pages["http://feeds.example/robots.txt"] = robots()
    settings = SourceSettings(feeds=(elsewhere,))
    with Store.open(tmp_path, create=True) as archive, archive.writer() as writer:
        batch = writer.batch()
        batch.source(SourceRecord(key="gazette.example", url=HOME, name="Gazette", added_at=START, settings=settings))
        writer.commit(batch)

    site.crawl(tmp_path, snapshots=1, settings=FEEDS)

    assert archived(tmp_path) == {article_path(1), article_path(2)}
    assert in_store(tmp_path) == {"feeds.example/gazette": "good"}


def test_well_known_places_are_tried_once_each_until_there_is_a_feed(tmp_path: Path) -> None:
    site = ScriptedSite({"/": front(article_path(1)), "/rss.xml": rss([article_path(2)]), **stories(2)})

    site.crawl(tmp_path, snapshots=3, settings=FEEDS)

    assert [path for path, status in site.asked if status == 404] == ["/feed", "/rss"]
    assert site.hours("/rss.xml") == [0.0, 1.0, 2.0]
    assert in_store(tmp_path) == {"/feed": "useless", "/rss": "useless", "/rss.xml": "good"}


def test_a_miss_is_remembered_by_the_next_crawl(tmp_path: Path) -> None:
    site = ScriptedSite({"/": front(article_path(1)), **stories(1)})

    site.crawl(tmp_path, snapshots=2, settings=FEEDS)
    site.crawl(tmp_path, snapshots=2, start=hour(5), settings=FEEDS)

    assert sorted(path for path, status in site.asked if status == 404) == sorted(WELL_KNOWN)


def test_a_wrong_guess_is_not_counted_but_a_named_feed_that_is_missing_is_a_failure(tmp_path: Path) -> None:
    without = ScriptedSite({"/": front(article_path(1)), **stories(1)})
    broken = ScriptedSite({"/": page_with(NAMED, article_path(1)), **stories(1)})

    progress = without.crawl(tmp_path / "without", snapshots=1, settings=FEEDS)
    failing = broken.crawl(tmp_path / "broken", snapshots=1, settings=FEEDS)

    assert (progress.failures, counted(tmp_path / "without")) == ({}, {})
    assert in_store(tmp_path / "without") == dict.fromkeys(WELL_KNOWN, "useless")
    assert failing.failures["answered 404"] == 1


def test_nothing_is_guessed_where_a_feed_is_named_or_feeds_are_turned_off(tmp_path: Path) -> None:
    site = ScriptedSite({"/": page_with(NAMED, article_path(1)), "/news.rss": rss([]), **stories(1)})

    site.crawl(tmp_path / "on", snapshots=2, settings=FEEDS)
    site.crawl(tmp_path / "off", snapshots=2, settings=replace(FEEDS, feeds=False))

    assert {path for path, _ in site.asked} == {"/", "/news.rss", article_path(1)}
    assert in_store(tmp_path / "off") == {}


def test_a_feed_on_another_site_is_not_followed_unless_the_user_says_so(tmp_path: Path) -> None:
    named = NAMED.replace("/news.rss", "http://other.example/feed")
    site = ScriptedSite({"/": page_with(named, article_path(1)), **stories(1)})

    site.crawl(tmp_path, snapshots=2, settings=FEEDS)

    assert not any(path.startswith("http://other.example") for path, _ in site.asked)
    assert counted(tmp_path)["feed of another site"] == 1


def test_only_so_many_refused_feeds_are_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named = "".join(NAMED.replace("/news.rss", f"http://other.example/{number}") for number in range(3))
    site = ScriptedSite({"/": lambda at: page_with(named, article_path(1)) + f"<!-- {at} -->", **stories(1)})

    site.crawl(tmp_path / "all", snapshots=2, settings=FEEDS)
    monkeypatch.setattr(feed_search, "MAX_REFUSED", 2)
    site.crawl(tmp_path / "two", snapshots=2, settings=FEEDS)

    assert counted(tmp_path / "all")["feed of another site"] == 3
    assert counted(tmp_path / "two")["feed of another site"] > 3


def test_no_more_feeds_are_tried_than_the_quota_allows(tmp_path: Path) -> None:
    named = "".join(NAMED.replace("/news.rss", f"/{number}.rss") for number in range(9))
    site = ScriptedSite({"/": page_with(named, article_path(1)), **stories(1)})

    site.crawl(tmp_path, snapshots=2, quotas=Quotas(max_feeds=3), settings=FEEDS)

    assert {path for path, _ in site.asked if path.endswith(".rss")} == {"/0.rss", "/1.rss", "/2.rss"}
    assert counted(tmp_path)["too many feeds"] >= 6


def test_a_page_that_turns_out_to_be_a_feed_is_followed_as_one(tmp_path: Path) -> None:
    odd = article_path(7)
    site = ScriptedSite({"/": front(article_path(1), odd), odd: rss([article_path(2)]), **stories(2)})

    site.crawl(tmp_path, snapshots=2, settings=FEEDS)

    assert archived(tmp_path) == {article_path(1), article_path(2)}
    assert in_store(tmp_path)[odd] == "good"


NAMES = [f"/map-{number}.xml" for number in range(20)]


def indexed(*names: str) -> ScriptedSite:
    """Return a site with an index of sitemaps, of which the last lists an article."""
    *others, last = names
    return ScriptedSite(
        {
            "/": front(article_path(1)),
            "/robots.txt": robots("/index.xml"),
            "/index.xml": index(*names),
            last: urlset([article_path(2)]),
            **{name: urlset([]) for name in others},
            **stories(2),
        }
    )


def test_an_index_leads_to_few_of_its_sitemaps(tmp_path: Path) -> None:
    site = indexed(*NAMES)

    site.crawl(tmp_path, snapshots=2, settings=FEEDS)

    assert archived(tmp_path) == {article_path(1), article_path(2)}
    assert {path for path, _ in site.asked if path.startswith("/map")} == {"/map-0.xml", "/map-1.xml", "/map-19.xml"}
    assert counted(tmp_path)["too many sitemaps in an index"] == 17


def test_an_index_leads_to_sitemaps_of_news_alone_while_they_list_what_is_new(tmp_path: Path) -> None:
    site = indexed(*NAMES, "/news.xml")

    site.crawl(tmp_path, snapshots=2, settings=FEEDS)
    good = {path for path, _ in site.asked if path.endswith(".xml")} - set(WELL_KNOWN)
    site.pages["/news.xml"] = served("gone", "text/html")
    site.crawl(tmp_path, snapshots=30, start=hour(3), settings=FEEDS)

    assert good == {"/index.xml", "/news.xml"}
    assert archived(tmp_path) == {article_path(1), article_path(2)}
    assert {path for path, _ in site.asked if path.startswith("/map")} == {"/map-0.xml", "/map-1.xml", "/map-19.xml"}


def test_indexes_that_lead_to_each_other_end(tmp_path: Path) -> None:
    pages = {f"/{number}.xml": index("/0.xml", f"/{number + 1}.xml") for number in range(9)}
    site = ScriptedSite({"/": front(article_path(1)), "/robots.txt": robots("/0.xml"), **pages, **stories(1)})

    site.crawl(tmp_path, snapshots=2, settings=FEEDS)

    assert {path for path, _ in site.asked if path.endswith(".xml")} - set(WELL_KNOWN) == {"/0.xml", "/1.xml", "/2.xml"}
    assert counted(tmp_path)["sitemap too deep"] == 1
