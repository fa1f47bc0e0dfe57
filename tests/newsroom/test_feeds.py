"""Feeds and sitemaps as ways to articles: where they are found, what is believed, and what each is worth."""

import gzip
import json
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("scrapy")
pytest.importorskip("pyarrow")

from broadsheet.archive import SourceRecord, Store
from broadsheet.base.quotas import Quotas
from broadsheet.base.source_settings import SourceSettings
from broadsheet.newsroom import feed_search
from broadsheet.newsroom.feed_discovery import WELL_KNOWN
from broadsheet.newsweb.response import ServedContent
from tests.newsroom.feed_sites import (
    FEEDS,
    NAMED,
    counted,
    feed_site,
    hour,
    in_store,
    index,
    page_with,
    published,
    robots,
    rss,
    served,
    stories,
    urlset,
)
from tests.newsroom.site import HOME, START, ScriptedSite, article_path, front, story


def archived(folder: Path) -> set[str]:
    with Store.open(folder) as archive:
        return {(item.article.url or "").removeprefix(HOME.rstrip("/")) for item in archive.articles()}


def sections(folder: Path) -> dict[str, float]:
    """Return the hours between two visits of each section."""
    with Store.open(folder) as archive:
        return {item.url.removeprefix(HOME): (item.entry.every or 0) / 3600 for item in archive.sections()}


# Where feeds are found.


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
    monkeypatch.setattr(feed_search, "MOST_REFUSED", 2)
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


# Indexes of sitemaps.


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


# What is believed.


def test_old_items_are_counted_and_not_fetched(tmp_path: Path) -> None:
    old = urlset([article_path(number) for number in range(2, 50)], START - timedelta(days=30))
    site = ScriptedSite(
        {"/": front(article_path(1)), "/robots.txt": robots("/map.xml"), "/map.xml": old, **stories(50)}
    )

    site.crawl(tmp_path, snapshots=1, settings=FEEDS)

    assert archived(tmp_path) == {article_path(1)}
    assert counted(tmp_path)["old item"] == 48


def test_what_a_sitemap_without_dates_lists_later_is_new(tmp_path: Path) -> None:
    def sitemap(at: datetime) -> ServedContent:
        return urlset([article_path(number) for number in range(2, 4 if at < hour(1) else 5)], date=None)

    site = ScriptedSite(
        {"/": front(article_path(1)), "/robots.txt": robots("/map.xml"), "/map.xml": sitemap, **stories(4)}
    )

    site.crawl(tmp_path, snapshots=2, settings=FEEDS)

    assert archived(tmp_path) == {article_path(1), article_path(4)}


def test_items_of_other_sites_are_counted_and_make_a_feed_foreign(tmp_path: Path) -> None:
    foreign = rss([f"http://other.example{article_path(number)}" for number in range(9)] + [article_path(2)])
    site = ScriptedSite({"/": page_with(NAMED, article_path(1)), "/news.rss": foreign, **stories(2)})

    site.crawl(tmp_path, snapshots=5, settings=FEEDS)

    assert in_store(tmp_path)["/news.rss"] == "foreign"
    assert site.hours("/news.rss") == [0.0]
    assert counted(tmp_path)["item of another site"] == 9


def test_thousands_of_items_are_cut(tmp_path: Path) -> None:
    many = rss([article_path(number) for number in range(1, 200)])
    site = ScriptedSite({"/": page_with(NAMED, article_path(1)), "/news.rss": many, **stories(199)})

    site.crawl(tmp_path, snapshots=1, quotas=Quotas(max_page_links=20), settings=FEEDS)

    assert len(archived(tmp_path)) <= 21
    assert counted(tmp_path)["too many items in a feed"] == 179


def test_a_feed_with_entities_of_its_own_is_refused(tmp_path: Path) -> None:
    bomb = '<!DOCTYPE rss [<!ENTITY a "b">]><rss><item><link>/a</link></item></rss>'
    site = ScriptedSite({"/": page_with(NAMED, article_path(1)), "/news.rss": served(bomb), **stories(1)})

    site.crawl(tmp_path, snapshots=2, settings=FEEDS)

    assert counted(tmp_path)["declares entities"] == 1
    assert in_store(tmp_path)["/news.rss"] == "useless"


def test_a_feed_is_evidence_that_an_odd_address_is_an_article(tmp_path: Path) -> None:
    site = ScriptedSite({"/": page_with(NAMED, article_path(1)), "/news.rss": rss(["/x"]), **stories(1)})
    site.pages["/x"] = story("An odd one")

    site.crawl(tmp_path, snapshots=1, settings=FEEDS)

    with Store.open(tmp_path) as archive:
        judged = archive.pages(["gazette.example/x"])["gazette.example/x"].judged
    assert judged is not None
    assert set(judged.evidence) == {"address", "content", "feed"}
    assert "/x" in archived(tmp_path)


def test_date_and_section_of_a_feed_stand_in_for_what_a_page_lacks(tmp_path: Path) -> None:
    undated = story("Two").replace('<time datetime="2026-03-02T05:00:00Z">2 March 2026</time>', "")
    feed = rss([article_path(1), "/b/two-of-all-stories"], hour(-1), "<category>Town</category>")
    site = ScriptedSite({"/": page_with(NAMED), "/news.rss": feed, **stories(1), "/b/two-of-all-stories": undated})

    site.crawl(tmp_path, snapshots=1, settings=FEEDS)

    with Store.open(tmp_path) as archive:
        found = {item.article.title: item.article for item in archive.articles()}
    assert found["Two"].published == hour(-1)
    assert (found["Two"].evidence["published"], found["Two"].evidence["section"]) == ("feed", "feed")
    assert found["Two"].section == "Town"
    assert found["Number 1"].published == hour(-1)
    assert found["Number 1"].evidence["published"] != "feed"


# What a feed is worth.


def test_a_feed_whose_newest_item_is_old_is_visited_rarely(tmp_path: Path) -> None:
    old = rss([article_path(2)], START - timedelta(days=9))
    site = ScriptedSite({"/": page_with(NAMED, article_path(1)), "/news.rss": old, **stories(2)})

    site.crawl(tmp_path, snapshots=26, settings=FEEDS)

    assert in_store(tmp_path)["/news.rss"] == "stale"
    assert site.hours("/news.rss") == [0.0, 24.0]


def lively(feed_until: float = 99.0) -> ScriptedSite:
    """Return a site that publishes an article each hour, shown in a section and, up to some hour, in a feed."""

    def paths(at: datetime, last: int = 9) -> list[str]:
        return published(at)[:last]

    def home(at: datetime) -> str:
        return page_with(NAMED, *paths(at, 3), also='<a href="/town/">Town</a>')

    def feed(at: datetime) -> ServedContent:
        return rss(paths(min(at, hour(feed_until))), min(at, hour(feed_until)))

    return ScriptedSite({"/": home, "/town/": lambda at: front(*paths(at)), "/news.rss": feed, **stories(60)})


def test_sections_that_a_good_feed_covers_are_visited_rarely(tmp_path: Path) -> None:
    site = lively()

    site.crawl(tmp_path, snapshots=14, settings=FEEDS)

    assert in_store(tmp_path)["/news.rss"] == "good"
    assert sections(tmp_path) == {"": 1.0, "town/": 24.0}
    assert len(site.hours("/")) == len(site.hours("/news.rss")) == 14
    assert len(site.hours("/town/")) < 10
    assert archived(tmp_path) >= set(published(hour(13)))


def test_while_a_source_is_explored_its_sections_are_visited_whatever_feeds_list(tmp_path: Path) -> None:
    site = lively()

    # Its pages never fall into two clusters, so it is never explored.
    site.crawl(tmp_path, snapshots=14, settings=replace(FEEDS, switch="silhouette"))

    assert in_store(tmp_path)["/news.rss"] == "good"
    assert sections(tmp_path) == {"": 1.0, "town/": 1.0}
    assert len(site.hours("/town/")) >= 13


def test_sections_are_visited_as_ever_once_the_feed_is_stale(tmp_path: Path) -> None:
    site = lively(feed_until=11)

    site.crawl(tmp_path, snapshots=20, settings=FEEDS)

    assert in_store(tmp_path)["/news.rss"] == "stale"
    assert sections(tmp_path) == {"": 1.0, "town/": 1.0}
    assert archived(tmp_path) >= set(published(hour(19)))


def test_sections_are_visited_as_ever_once_the_feed_is_gone(tmp_path: Path) -> None:
    site = lively()
    whole = site.pages["/news.rss"]
    assert callable(whole)
    site.pages["/news.rss"] = lambda at: whole(at) if at < hour(11) else served("no", "text/html")

    site.crawl(tmp_path, snapshots=16, settings=FEEDS)

    assert in_store(tmp_path)["/news.rss"] == "useless"
    assert sections(tmp_path) == {"": 1.0, "town/": 1.0}


def test_a_feed_that_lists_what_others_list_is_visited_rarely(tmp_path: Path) -> None:
    site = lively()
    site.pages["/robots.txt"] = robots("/map.xml")
    site.pages["/map.xml"] = lambda at: urlset(published(at), at)

    site.crawl(tmp_path, snapshots=8, settings=FEEDS)

    assert in_store(tmp_path) == {"/map.xml": "redundant", "/news.rss": "good"}
    assert len(site.hours("/map.xml")) == 2


def dated_map(at: datetime, extra: str = "") -> ServedContent:
    """Return a sitemap that says of each article of `lively` when it changed last."""
    dates = {path: hour(max(0, number - 2)) for number, path in enumerate(reversed(published(at)), 1)}
    items = "".join(
        f"<url><loc>{HOME.rstrip('/')}{path}</loc><lastmod>{date.isoformat()}</lastmod>{extra}</url>"
        for path, date in dates.items()
    )
    return served(f"<urlset>{items}</urlset>", "application/xml")


def test_a_sitemap_that_says_when_articles_change_stands_in_for_a_feed_that_does_not(tmp_path: Path) -> None:
    site = lively()
    site.pages["/robots.txt"] = robots("/map.xml")
    site.pages["/map.xml"] = dated_map

    site.crawl(tmp_path, snapshots=8, settings=FEEDS)

    assert in_store(tmp_path) == {"/map.xml": "good", "/news.rss": "redundant"}
    assert len(site.hours("/map.xml")) == 8
    assert len(site.hours("/news.rss")) <= 3
    assert archived(tmp_path) >= set(published(hour(7)))


def test_a_sitemap_that_is_larger_than_the_home_page_is_visited_every_other_time(tmp_path: Path) -> None:
    site = lively()
    del site.pages["/news.rss"]
    site.pages["/robots.txt"] = robots("/map.xml")
    # It does not shrink when it is compressed.
    padding = Random(1).randbytes(2_000).hex()
    site.pages["/map.xml"] = lambda at: dated_map(min(at, hour(3)), extra=f"<!-- {padding} -->")

    site.crawl(tmp_path, snapshots=10, settings=FEEDS)

    # From hour 4 on it answers that it has not changed, which says nothing about its size.
    assert [round(asked) for asked in site.hours("/map.xml")] == [0, 2, 4, 6, 8]
    assert [status for path, status in site.asked if path == "/map.xml"] == [200, 200, 200, 304, 304]


def test_a_feed_of_what_are_not_articles_is_useless(tmp_path: Path) -> None:
    bad = [article_path(number) for number in range(10, 18)]
    site = ScriptedSite({"/": page_with(NAMED, article_path(1)), "/news.rss": lambda at: rss(bad, at), **stories(1)})

    site.crawl(tmp_path, snapshots=6, settings=FEEDS)

    assert in_store(tmp_path)["/news.rss"] == "useless"
    assert len(site.hours("/news.rss")) == 2


def test_a_resumed_crawl_keeps_the_pace_of_each_feed(tmp_path: Path) -> None:
    old = rss([article_path(2)], START - timedelta(days=9))
    site = ScriptedSite({"/": page_with(NAMED, article_path(1)), "/news.rss": old, **stories(2)})

    site.crawl(tmp_path, snapshots=3, settings=FEEDS)
    site.crawl(tmp_path, snapshots=2, start=hour(4), settings=FEEDS)
    with Store.open(tmp_path) as archive:
        every = {item.entry.page: item.entry.every for item in archive.agenda(HOME)}

    assert every == {"gazette.example": 3600.0, "gazette.example/news.rss": 24 * 3600.0}


def test_a_response_that_is_not_a_feed_is_told_apart(tmp_path: Path) -> None:
    site = feed_site("/map.xml", b"<html><body>Sign in</body></html>", "text/html")

    site.crawl(tmp_path, snapshots=2, settings=FEEDS)

    assert in_store(tmp_path)["/map.xml"] == "useless"
    assert counted(tmp_path)["not a feed"] == 1
    assert site.hours("/map.xml") == [0.0]


# Feeds, and the rest of the archive.


def test_a_forgotten_feed_is_not_found_again(tmp_path: Path) -> None:
    site = ScriptedSite({"/": page_with(NAMED, article_path(1)), "/news.rss": rss([article_path(2)]), **stories(2)})
    site.crawl(tmp_path, snapshots=1, settings=FEEDS)
    with Store.open(tmp_path) as archive, archive.writer() as writer:
        writer.forget(archive.plan_forgetting(f"{HOME}news.rss"))
    site.pages["/"] = page_with(NAMED, article_path(2))

    site.crawl(tmp_path, snapshots=1, settings=FEEDS)

    assert "/news.rss" not in in_store(tmp_path)
    assert counted(tmp_path)["forgotten"] == 1
    with Store.open(tmp_path) as archive:
        assert list(archive.check()) == []


def test_what_is_known_of_a_listed_page_can_be_told(tmp_path: Path) -> None:
    site = ScriptedSite({"/": page_with(NAMED, article_path(1)), "/news.rss": rss([article_path(2)]), **stories(2)})
    site.crawl(tmp_path, snapshots=1, settings=FEEDS)

    with Store.open(tmp_path) as archive:
        listed = json.loads(json.dumps(archive.why(f"{HOME.rstrip('/')}{article_path(2)}").to_dict()))
        feed = archive.why(f"{HOME}news.rss")
        [status] = archive.status().sources

    assert listed["members"][0]["listed"]["feed"] == "gazette.example/news.rss"
    assert "it is a feed, which is visited every 1 h" in str(feed)
    # The home page; the feed is not a section.
    assert status.sections == 1
