"""Feeds and sitemaps as ways to articles: what is believed of what they list, and what the archive says of it."""

import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest

pytest.importorskip("scrapy")
pytest.importorskip("pyarrow")

from broadsheet.archive import Store
from broadsheet.base.quotas import Quotas
from broadsheet.newsweb.response import ServedContent
from tests.newsroom.feed_sites import (
    FEEDS,
    NAMED,
    archived,
    counted,
    hour,
    in_store,
    page_with,
    robots,
    rss,
    served,
    stories,
    urlset,
)
from tests.newsroom.site import HOME, START, ScriptedSite, article_path, front, story


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
