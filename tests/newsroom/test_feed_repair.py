"""Repairs keep what was learned of feeds, or let it be learned again."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

pytest.importorskip("scrapy")
pytest.importorskip("pyarrow")

from broadsheet.archive import FeedRecord, Store, repair
from broadsheet.base.clock import ManualClock
from tests.archive.rereaders import NothingRead
from tests.newsroom.feed_sites import FEEDS, hour, in_store, rss, stories
from tests.newsroom.site import ScriptedSite, article_path, front


@pytest.fixture
def site() -> ScriptedSite:
    """A site with a feed at the third of the well-known places."""
    return ScriptedSite({"/": front(article_path(1)), "/rss.xml": rss([article_path(2)]), **stories(2)})


def feeds(folder: Path) -> list[FeedRecord]:
    with Store.open(folder) as archive:
        assert list(archive.check()) == []
        return archive.feeds()


def test_a_repair_keeps_feeds_and_their_standing(tmp_path: Path, site: ScriptedSite) -> None:
    site.crawl(tmp_path, snapshots=2, settings=FEEDS)
    before = feeds(tmp_path)

    repair(tmp_path, NothingRead(), ManualClock(hour(3)), lambda _: None)

    assert feeds(tmp_path) == before
    assert {feed.standing.value for feed in before} == {"good", "useless"}


@pytest.mark.parametrize("damage", ["DROP TABLE feeds", "ALTER TABLE feeds RENAME COLUMN standing TO stood"])
def test_feeds_whose_rows_are_lost_are_found_by_their_visits(tmp_path: Path, site: ScriptedSite, damage: str) -> None:
    site.crawl(tmp_path, snapshots=2, settings=FEEDS)
    with closing(sqlite3.connect(tmp_path / "catalogue.sqlite")) as connection:
        connection.execute(damage)
        connection.commit()

    repair(tmp_path, NothingRead(), ManualClock(hour(3)), lambda _: None)
    assert in_store(tmp_path) == {"/feed": "useless", "/rss": "useless", "/rss.xml": "new"}
    site.asked.clear()
    site.asked_at.clear()
    site.crawl(tmp_path, snapshots=3, start=hour(4), settings=FEEDS)

    assert in_store(tmp_path) == {"/feed": "useless", "/rss": "useless", "/rss.xml": "good"}
    assert site.hours("/rss.xml") == [4.0, 5.0, 6.0]
    assert [path for path, status in site.asked if status == 404] == []


def test_feeds_of_a_lost_catalogue_are_found_by_their_visits(tmp_path: Path, site: ScriptedSite) -> None:
    site.crawl(tmp_path, snapshots=2, settings=FEEDS)
    (tmp_path / "catalogue.sqlite").unlink()

    repair(tmp_path, NothingRead(), ManualClock(hour(3)), lambda _: None)

    assert in_store(tmp_path) == {"/feed": "useless", "/rss": "useless", "/rss.xml": "new"}
