"""What a crawl has saved, from the visits that an archive has kept."""

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from broadsheet.archive import ArchiveEvent, EventKind, SourceRecord, Store, VisitReason
from broadsheet.newsweb.drawn_sites import draw_site
from broadsheet.newsweb.web import NewsWeb
from broadsheet.simulation.crawl_savings import CrawlSavings, savings
from tests.archive.samples import FETCHED, JUDGED, NOON, SOURCE, article, exchange, member, page

HOME, SPORT, FEED, STORY = "news.example", "news.example/sport", "news.example/news.rss", "news.example/story"
HOUR = timedelta(hours=1)
OLD = "news.example/old"
#: When the articles were published; the crawl began at noon.
PUBLISHED = {STORY: NOON + HOUR / 2, OLD: NOON - HOUR}
#: A visit: the page, why, how many minutes after noon, its status, and how many letters it has.
Visit = tuple[str, VisitReason, int, int, int]
VISITS: tuple[Visit, ...] = (
    (HOME, VisitReason.HOME, 0, 200, 1000),
    (FEED, VisitReason.FEED, 10, 200, 100),
    (SPORT, VisitReason.SECTION, 30, 200, 4000),
    (STORY, VisitReason.CANDIDATE, 40, 200, 9000),
    (HOME, VisitReason.HOME, 60, 304, 0),
    (HOME, VisitReason.HOME, 240, 200, 3000),
)


def saved(folder: Path, visits: Sequence[Visit] = VISITS, events: Sequence[ArchiveEvent] = ()) -> CrawlSavings:
    """Keep some visits, and return what they have saved."""
    site = draw_site(5, 0)
    with Store.open(folder, create=True) as archive:
        with archive.writer() as writer:
            for number, (key, why, minute, status, letters) in enumerate(visits):
                batch = writer.batch()
                batch.source(SOURCE)
                batch.page(page(key, fetch=FETCHED, judged=JUDGED if key in PUBLISHED else None))
                batch.member(member(key))
                body = bytes([65 + number]) * letters
                answer = exchange(body, f"https://{key}", status, minute)
                visit = batch.visit(key, answer.url, (answer,), source=SOURCE.key, why=why)
                if key in PUBLISHED:
                    batch.article(key, SOURCE.key, article(key, published=PUBLISHED[key]), visit=visit)
                writer.commit(batch)
            batch = writer.batch()
            for event in events:
                batch.event(event)
            writer.commit(batch)
        [source] = archive.sources()
        return savings(archive, source, NewsWeb(sites=[site]), site)


def sizes(folder: Path) -> dict[tuple[str, int], int]:
    """Return how many bytes each visit took, by its page and the minutes after noon."""
    with Store.open(folder) as archive:
        rows = archive.visits().to_table().to_pylist()
    return {(row["page"], (row["fetched_at"] - NOON) // timedelta(minutes=1)): row["bytes"] for row in rows}


def switch(hour: float, phase: str, snapshot: int | None = None) -> ArchiveEvent:
    evidence = {} if snapshot is None else {"snapshot": snapshot}
    detail = {"phase": phase, "because": "a test says so", "evidence": evidence}
    return ArchiveEvent(kind=EventKind.PHASE, at=NOON + hour * HOUR, source=HOME, page=HOME, detail=detail)


def test_visits_that_look_for_news_are_compared_with_hourly_ones_of_all_fronts(tmp_path: Path) -> None:
    found = saved(tmp_path)

    # The home page at noon and the four hours after; the section from half past twelve on. No feed.
    assert (found.fronts, found.front_visits, found.hourly_visits) == (2, 5, 5 + 4)
    assert found.saved == pytest.approx(1 - 5 / 9)
    assert list(found.timeline.visits) == [3, 1, 0, 0, 1]
    assert list(found.timeline.hourly) == [2, 2, 2, 2, 1]


def test_hourly_visits_take_the_bytes_of_whole_pages_and_not_of_304s(tmp_path: Path) -> None:
    found = saved(tmp_path)

    took = sizes(tmp_path)
    home = (took[HOME, 0] + took[HOME, 240]) / 2
    assert took[HOME, 60] < took[HOME, 0], "it was answered with 304"
    assert found.hourly_bytes == round(5 * home + 4 * took[SPORT, 30])
    assert found.front_bytes == sum(size for (key, _), size in took.items() if key != STORY)
    assert found.saved_bytes == pytest.approx(1 - found.front_bytes / found.hourly_bytes)


def test_more_visits_than_hourly_ones_are_no_saving_but_a_waste(tmp_path: Path) -> None:
    often = [(HOME, VisitReason.HOME, minute, 200, 1000) for minute in range(0, 61, 10)]

    found = saved(tmp_path, often)

    assert (found.front_visits, found.hourly_visits) == (7, 2)
    assert found.saved == -2.5


def test_an_article_counts_in_the_hour_in_which_it_first_came_unless_it_is_older_than_the_crawl(tmp_path: Path) -> None:
    again = (STORY, VisitReason.REVISION, 200, 200, 9000)
    older = (OLD, VisitReason.CANDIDATE, 130, 200, 5000)

    found = saved(tmp_path, (*VISITS, again, older))

    assert list(found.timeline.archived) == [1, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("events", "hour", "snapshot"),
    [
        ((), None, None),
        ((switch(2, "exploitation", 3),), 2.0, 3),
        ((switch(1, "exploitation", 2), switch(2, "exploration"), switch(3.5, "exploitation", 5)), 3.5, 5),
    ],
)
def test_exploration_was_over_at_the_last_switch(
    tmp_path: Path, events: Sequence[ArchiveEvent], hour: float | None, snapshot: int | None
) -> None:
    found = saved(tmp_path, events=events)

    assert (found.switch_hour, found.switch_snapshot) == (hour, snapshot)
    assert [phase for _, phase in found.timeline.phases] == [event.detail["phase"] for event in events]


def test_a_crawl_that_has_visited_nothing_has_saved_nothing(tmp_path: Path) -> None:
    site = draw_site(5, 0)
    source = SourceRecord(key=HOME, url="https://news.example/", name="News", added_at=NOON)
    with Store.open(tmp_path, create=True) as archive, archive.writer() as writer:
        batch = writer.batch()
        batch.source(source)
        writer.commit(batch)
        found = savings(archive, source, NewsWeb(sites=[site]), site)

    assert (found.saved, found.saved_bytes, found.fronts) == (0.0, 0.0, 0)
    assert found.to_dict()["switch_hour"] is None
