"""Visits that find nothing of the visit before: something in between may have been missed, and an event says so."""

from collections.abc import Callable
from datetime import datetime
from itertools import pairwise
from pathlib import Path

import pytest

from broadsheet.archive import ArchiveEvent, EventKind, Store
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsroom.progress import Progress
from broadsheet.newsweb.response import failure
from broadsheet.simulation.simulated_crawl import simulate
from tests.newsroom.feed_sites import FEEDS, NAMED, page_with, published, robots, rss, stories, urlset
from tests.newsroom.site import HOME, HOUR, ONCE, START, ScriptedSite, article_path, front, story
from tests.newsroom.steered import Killed
from tests.newsroom.test_further_pages import PER_PAGE, make_site
from tests.newsroom.test_further_pages import published as newest

MENU = '<a href="/sport">Sport</a>'
TWO_SNAPSHOTS = Assignment((HOME,), every=3600.0, snapshots=2)
SPORT, FEED = "gazette.example/sport", "gazette.example/news.rss"


def gaps(folder: Path) -> list[ArchiveEvent]:
    with Store.open(folder) as archive:
        return archive.events(kinds=[EventKind.GAP])


def visits(event: ArchiveEvent) -> tuple[float, float]:
    """Return when the two visits of a gap were, in hours since the start."""
    since, until = (datetime.fromisoformat(event.detail[name]) for name in ("since", "until"))
    return round((since - START) / HOUR, 2), round((until - START) / HOUR, 2)


def counted(folder: Path, page: str) -> tuple[int, datetime | None]:
    with Store.open(folder) as archive:
        [front] = [front for front in archive.front_records() if front.page == page]
    return front.gaps, front.last_gap


def with_section(sport: Callable[[datetime], str], articles: int) -> ScriptedSite:
    """Return a site whose home page never changes, with one section."""
    home = front(*map(article_path, range(900, 908)), also=MENU)
    pages = {article_path(number): story(f"Story {number}") for number in (*range(articles), *range(900, 908))}
    return ScriptedSite({"/": home, "/sport": sport, **pages})


def with_feed(hourly: int, listed: int) -> ScriptedSite:
    """Return a site whose feed lists its newest articles, of which some come every hour."""
    return ScriptedSite(
        {
            "/": page_with(NAMED, article_path(1)),
            "/news.rss": lambda at: rss(published(at, number_at_start=10, hourly=hourly)[:listed]),
            **stories(60),
        }
    )


def test_a_section_of_four_slots_that_are_all_replaced_has_a_gap_at_each_visit(tmp_path: Path) -> None:
    def sport(now: datetime) -> str:
        hour = int((now - START) / HOUR)
        return front(*map(article_path, range(4 * hour, 4 * hour + 4)), also=MENU)

    site = with_section(sport, 40)

    site.crawl(tmp_path, snapshots=7)

    asked = site.hours("/sport")
    assert [(event.page, *visits(event)) for event in gaps(tmp_path)] == [(SPORT, *two) for two in pairwise(asked)]
    number, last = counted(tmp_path, SPORT)
    assert number == len(asked) - 1
    assert last is not None
    assert last >= START + 6 * HOUR


def test_a_section_on_which_one_article_stays_has_no_gap(tmp_path: Path) -> None:
    def sport(now: datetime) -> str:
        hour = int((now - START) / HOUR)
        return front(*map(article_path, range(3 * hour, 3 * hour + 4)), also=MENU)

    with_section(sport, 40).crawl(tmp_path, snapshots=7)

    assert gaps(tmp_path) == []


def test_a_section_that_shows_no_article_for_a_while_has_no_gap(tmp_path: Path) -> None:
    def sport(now: datetime) -> str:
        is_empty = 2.5 < (now - START) / HOUR < 4.5
        return front(*(() if is_empty else map(article_path, range(8))), also=MENU + '<a href="/help">Help</a>')

    with_section(sport, 8).crawl(tmp_path, snapshots=7)

    assert gaps(tmp_path) == []


def test_a_list_that_is_open_where_the_look_ends_has_a_gap(tmp_path: Path) -> None:
    site = make_site(newest(150))

    site.crawl(tmp_path, snapshots=2)

    [gap] = gaps(tmp_path)
    assert (gap.page, visits(gap)) == ("gazette.example", (0.0, 1.0))
    assert counted(tmp_path, "gazette.example") == (1, START + HOUR)


def test_a_list_that_ends_before_anything_known_has_a_gap(tmp_path: Path) -> None:
    def until(page: int, last: int) -> Callable[[datetime], str]:
        """Return a page of a list that has no more than so many pages."""

        def listed(now: datetime) -> str:
            first = 100 * int((now - START) / HOUR) + page * PER_PAGE
            links = "".join(f'<a href="/?page={other}">{other}</a> ' for other in range(1, last + 1) if other != page)
            paths = map(article_path, range(first, first + PER_PAGE))
            return front(*paths).replace("</main>", f'</main><nav class="pages">{links}</nav>')

        return listed

    pages = {"/" if page == 1 else f"/?page={page}": until(page, 3) for page in (1, 2, 3)}
    site = ScriptedSite(pages | {article_path(number): story(f"story {number}") for number in range(220)})

    site.crawl(tmp_path, snapshots=2)

    assert [path for path, _ in site.asked if "page=" in path] == ["/?page=2", "/?page=3"]
    assert [visits(gap) for gap in gaps(tmp_path)] == [(0.0, 1.0)]


def test_a_list_whose_next_page_does_not_come_has_a_gap_once_that_is_certain(tmp_path: Path) -> None:
    site = make_site(lambda at: newest(16)(min(at, START + HOUR)))
    del site.pages["/?page=2"]

    site.crawl(tmp_path, snapshots=6)

    assert [visits(gap) for gap in gaps(tmp_path)] == [(0.0, 1.0)]


def test_a_look_that_a_restart_interrupts_goes_on(tmp_path: Path) -> None:
    site, second = make_site(newest(16)), "/?page=2"
    listed = site.pages[second]
    site.pages[second] = lambda at: failure(503, b"try again", at)

    def stop(_: Progress) -> None:
        if second in (path for path, _ in site.asked):
            raise Killed

    with pytest.raises(Killed):
        simulate(tmp_path, site.fetch, START, TWO_SNAPSHOTS, report=stop, settings=ONCE)
    site.pages[second] = listed
    simulate(tmp_path, site.fetch, START + 1.2 * HOUR, TWO_SNAPSHOTS, settings=ONCE)

    assert site.asked[-1][0].startswith("/2026/")
    assert "/?page=3" in {path for path, _ in site.asked}
    assert gaps(tmp_path) == []


def test_a_look_that_a_restart_interrupts_has_a_gap_if_its_next_page_does_not_come(tmp_path: Path) -> None:
    site = make_site(lambda at: newest(16)(min(at, START + HOUR)))
    del site.pages["/?page=2"]
    site.crawl(tmp_path, snapshots=2)
    before = gaps(tmp_path)

    site.crawl(tmp_path, snapshots=2, start=START + 2 * HOUR)

    assert before == []
    assert [visits(gap) for gap in gaps(tmp_path)] == [(0.0, 1.0)]
    with Store.open(tmp_path) as archive:
        assert [front.looks for front in archive.front_records()] == [()]


def test_a_list_whose_further_pages_show_something_known_has_no_gap(tmp_path: Path) -> None:
    site = make_site(newest(16))

    site.crawl(tmp_path, snapshots=3)

    assert {path for path, _ in site.asked} >= {"/?page=2", "/?page=3"}
    assert gaps(tmp_path) == []


def test_a_feed_that_lists_nothing_of_the_visit_before_has_a_gap(tmp_path: Path) -> None:
    site = with_feed(hourly=6, listed=5)

    site.crawl(tmp_path, snapshots=4, settings=FEEDS)

    changes = [(one, other) for one, other in pairwise(site.hours("/news.rss")) if int(one) < int(other)]
    assert [(gap.page, visits(gap)) for gap in gaps(tmp_path)] == [(FEED, change) for change in changes]
    assert len(changes) == 3


def test_a_feed_that_still_lists_something_has_no_gap(tmp_path: Path) -> None:
    with_feed(hourly=4, listed=5).crawl(tmp_path, snapshots=4, settings=FEEDS)

    assert gaps(tmp_path) == []


def test_a_short_feed_has_no_gap_once_another_file_has_everything(tmp_path: Path) -> None:
    site = with_feed(hourly=1, listed=1)
    site.pages |= {"/robots.txt": robots("/map.xml"), "/map.xml": lambda at: urlset(published(at, 10))}

    site.crawl(tmp_path, snapshots=30, settings=FEEDS)

    first, *others = (two for two in pairwise(site.hours("/news.rss")) if int(two[0]) < int(two[1]))
    assert [visits(gap) for gap in gaps(tmp_path)] == [first], "too few articles had been compared"
    assert others


def test_the_time_between_two_crawls_may_be_a_gap_of_fronts_and_feeds(tmp_path: Path) -> None:
    def sport(now: datetime) -> str:
        hour = int((now - START) / HOUR)
        return front(*map(article_path, range(30 + hour, 36 + hour)), also=MENU)

    site = with_feed(hourly=1, listed=5)
    site.pages |= {"/": page_with(NAMED, article_path(1), also=MENU), "/sport": sport}

    for start in (0, 10):
        site.crawl(tmp_path, snapshots=3, start=START + start * HOUR, settings=FEEDS)

    assert sorted((gap.page, *visits(gap)) for gap in gaps(tmp_path)) == [(FEED, 2.0, 10.0), (SPORT, 2.0, 10.0)]


def test_a_section_whose_articles_a_feed_lists_has_no_gap(tmp_path: Path) -> None:
    def sport(now: datetime) -> str:
        return front(*published(now, number_at_start=20)[:6], also=MENU)

    site = ScriptedSite(
        {
            "/": page_with(NAMED, article_path(1), also=MENU),
            "/sport": sport,
            "/news.rss": lambda at: rss(published(at, number_at_start=20)[:20]),
            **stories(120),
        }
    )

    simulate(tmp_path, site.fetch, START, Assignment((HOME,), every=3600.0, snapshots=40), settings=FEEDS)

    assert max(later - earlier for earlier, later in pairwise(site.hours("/sport"))) > 12, "all of it was replaced"
    assert gaps(tmp_path) == []
