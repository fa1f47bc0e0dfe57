"""What each feed is worth: how often it is visited, and the sections that it covers."""

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("scrapy")
pytest.importorskip("pyarrow")

from broadsheet.archive import Store
from broadsheet.newsweb.response import ServedContent
from tests.newsroom.feed_sites import (
    FEEDS,
    NAMED,
    archived,
    counted,
    feed_site,
    hour,
    in_store,
    page_with,
    published,
    robots,
    rss,
    served,
    stories,
    urlset,
)
from tests.newsroom.site import HOME, START, ScriptedSite, article_path, front


def sections(folder: Path) -> dict[str, float]:
    """Return the hours between two visits of each section."""
    with Store.open(folder) as archive:
        return {item.url.removeprefix(HOME): (item.entry.every or 0) / 3600 for item in archive.sections()}


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
