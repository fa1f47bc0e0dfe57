"""Lists whose items were all replaced between two visits are followed to their further pages, as far as that goes."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest

from broadsheet.archive import USUAL_DEPTH, Store, VisitReason
from broadsheet.base.config import Configuration, Settings
from broadsheet.cli.source_parameters import parameter_rows
from broadsheet.newsroom.front_turnover import SourceTurnover
from broadsheet.newsroom.pace_policies import PACES
from tests.newsroom.feed_sites import FEEDS, NAMED, page_with, rss, stories
from tests.newsroom.feed_sites import published as all_of
from tests.newsroom.site import HOUR, ONCE, START, ScriptedSite, article_path, front, story

PER_PAGE = 6
MENU = '<a href="/sport">Sport</a>'


def listing(number: int, last: Callable[[datetime], int]) -> Callable[[datetime], str]:
    """Return a page of a list that has the newest articles first."""

    def page(at: datetime) -> str:
        newest = last(at) - (number - 1) * PER_PAGE
        paths = [article_path(item) for item in range(newest, max(0, newest - PER_PAGE), -1)]
        links = "".join(f'<a href="/?page={other}">{other}</a> ' for other in range(1, 30) if other != number)
        return front(*paths).replace("</main>", f'</main><nav class="pages">{links}</nav>')

    return page


def make_site(last: Callable[[datetime], int], stories: int = 200) -> ScriptedSite:
    pages = {"/" if number == 1 else f"/?page={number}": listing(number, last) for number in range(1, 30)}
    return ScriptedSite(pages | {article_path(number): story(f"story {number}") for number in range(1, stories)})


def published(hourly: int) -> Callable[[datetime], int]:
    """Return how many articles there are at a time, with a dozen at the start."""
    return lambda at: 12 + hourly * int((at - START) / HOUR)


def archived(folder: Path) -> set[str]:
    with Store.open(folder) as archive:
        assert list(archive.check()) == []
        return {stored.article.title or "" for stored in archive.articles()}


def further(site: ScriptedSite) -> list[str]:
    return sorted(path for path, _ in site.asked if path.startswith("/?page="))


def test_a_list_that_overlaps_with_what_was_known_is_not_followed_further(tmp_path: Path) -> None:
    site = make_site(published(5))

    site.crawl(tmp_path, snapshots=4)

    assert further(site) == []
    assert archived(tmp_path) == {f"story {number}" for number in range(7, 28)}


def test_items_that_left_a_list_between_two_visits_are_found_on_its_further_pages(tmp_path: Path) -> None:
    site = make_site(published(16))

    site.crawl(tmp_path, snapshots=3)

    # 16 new articles are two pages and a part of the third, where the list overlaps with what was known.
    assert further(site) == ["/?page=2"] * 2 + ["/?page=3"] * 2
    assert archived(tmp_path) == {f"story {number}" for number in range(7, 45)}
    with Store.open(tmp_path) as archive:
        whys = [row["why"] for row in archive.visits().to_table().to_pylist() if "page=" in row["page"]]
        assert [planned.page.key for planned in archive.sections()] == ["gazette.example"]
    assert set(whys) == {VisitReason.FURTHER_PAGE}


def test_what_was_published_before_a_source_was_followed_is_not_asked_for(tmp_path: Path) -> None:
    site = make_site(published(0))

    site.crawl(tmp_path, snapshots=2)

    assert further(site) == []


def test_the_depth_is_capped(tmp_path: Path) -> None:
    site = make_site(published(150))

    progress = site.crawl(tmp_path, snapshots=2)

    assert len(further(site)) == USUAL_DEPTH - 1
    assert progress.skips["too many further pages"] == 1


def test_what_another_front_has_shown_does_not_end_the_look(tmp_path: Path) -> None:
    """The home page shows the newest two of each hour's eleven; the list of the section has six on a page."""

    def home(now: datetime) -> str:
        newest = published(11)(now)
        return front(*map(article_path, (newest, newest - 1)), also='<a href="/sport">Sport</a>')

    pages = {f"/sport{f'?page={number}' if number > 1 else ''}": sport_page(number) for number in range(1, 10)}
    stories = {article_path(number): story(f"story {number}") for number in range(1, 80)}
    site = ScriptedSite({"/": home, **pages, **stories})

    site.crawl(tmp_path, snapshots=4)

    # The first visit of the section shows what was there before.
    assert {f"story {number}" for number in range(7, 46)} <= archived(tmp_path)


def sport_page(number: int) -> Callable[[datetime], str]:
    whole = listing(number, published(11))
    return lambda now: whole(now).replace('href="/?page', 'href="/sport?page')


def boxes(main: range, box: range) -> str:
    """Return the page of a section with a list of its own, one that all pages show, and a link to its next page."""
    listed = front(*map(article_path, main)).replace("</main>", '<a rel="next" href="/sport?page=2">Next</a></main>')
    items = "".join(f'<li><a href="{article_path(number)}">The headline of {number} in full</a></li>' for number in box)
    return listed.replace("</main>", f'</main><aside class="latest"><ol>{items}</ol></aside>')


class HomeFirst:
    """Visits the home page every half an hour, and sections every hour."""

    def next_interval(self, source: SourceTurnover, page: str, least: timedelta, now: datetime) -> timedelta:
        del now
        return least / 2 if page == source.home else least


@pytest.mark.parametrize("is_own", [True, False])
def test_a_list_of_which_the_home_page_has_shown_all_begins_a_look_unless_a_longer_one_has_stayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_own: bool
) -> None:
    monkeypatch.setitem(PACES, "home first", HomeFirst)

    def newest(now: datetime) -> range:
        """Return what has come at a quarter to the hour."""
        hour = int((now - START + 0.25 * HOUR) / HOUR)
        return range(100 + 6 * hour, 106 + 6 * hour)

    def sport(now: datetime) -> str:
        return boxes(newest(now) if is_own else range(10, 20), newest(now))

    site = ScriptedSite(
        {
            "/": lambda now: front(*map(article_path, newest(now)), also='<a href="/sport">Sport</a>'),
            "/sport": sport,
            "/sport?page=2": front(*map(article_path, range(20, 30))),
            **{article_path(number): story(f"story {number}") for number in (*range(10, 30), *range(100, 150))},
        }
    )

    site.crawl(tmp_path, snapshots=5, settings=replace(ONCE, pace="home first"))

    with Store.open(tmp_path) as archive:
        whys = [row["why"] for row in archive.visits().to_table().to_pylist() if "page=" in row["page"]]
    assert (VisitReason.FURTHER_PAGE in whys) == is_own


def test_a_list_of_which_a_feed_has_everything_is_not_followed_further(tmp_path: Path) -> None:
    def listed(now: datetime, page: int) -> str:
        links = "".join(f'<a href="/sport?page={other}">{other}</a> ' for other in range(1, 6) if other != page)
        paths = all_of(now, number_at_start=20)[PER_PAGE * (page - 1) : PER_PAGE * page]
        return front(*paths, also=MENU).replace("</main>", f'</main><nav class="pages">{links}</nav>')

    site = ScriptedSite(
        {
            "/": page_with(NAMED, article_path(1), also=MENU),
            **{f"/sport{f'?page={page}' if page > 1 else ''}": partial(listed, page=page) for page in range(1, 6)},
            "/news.rss": lambda at: rss(all_of(at, number_at_start=20)[:20]),
            **stories(100),
        }
    )

    site.crawl(tmp_path, snapshots=40, settings=FEEDS)

    assert max(later - earlier for earlier, later in pairwise(site.hours("/sport"))) > 12, "all of it was replaced"
    assert not any(path.startswith("/sport?page=") for path, _ in site.asked)


def drawn_at_random(number: int) -> Callable[[datetime], str]:
    """Return a page of a list on which other old articles stand every hour."""

    def page(at: datetime) -> str:
        begin = 1 + 60 * int((at - START) / HOUR) + PER_PAGE * number
        links = "".join(f'<a href="/?page={other}">{other}</a> ' for other in range(1, 30) if other != number)
        paths = map(article_path, range(begin, begin + PER_PAGE))
        return front(*paths).replace("</main>", f'</main><nav class="pages">{links}</nav>')

    return page


def test_a_list_whose_further_pages_lead_to_nothing_known_is_looked_at_less_and_less(tmp_path: Path) -> None:
    pages = {"/" if number == 1 else f"/?page={number}": drawn_at_random(number) for number in range(1, 30)}
    site = ScriptedSite(pages | {article_path(number): story(f"story {number}") for number in range(1, 600)})

    site.crawl(tmp_path, snapshots=6, settings=replace(ONCE, pace="arrivals"))

    # Ten pages at first, the front included, then five, two and one.
    assert len(further(site)) == 9 + 4 + 1
    with Store.open(tmp_path) as archive:
        [home] = archive.front_records()
        [shown] = [
            row
            for row in parameter_rows(archive, "gazette.example", Configuration(Settings(), {}))
            if (row["scope"], row["key"]) == ("section", "depth")
        ]
    assert home.depth == 1
    assert (shown["of"], shown["value"], shown["set_by"]) == ("gazette.example", 1, "updater")


def test_a_policy_that_decides_only_on_intervals_leaves_the_depth_as_it_is(tmp_path: Path) -> None:
    site = make_site(published(150))

    site.crawl(tmp_path, snapshots=2, settings=replace(ONCE, pace="adaptive"))

    with Store.open(tmp_path) as archive:
        [home] = archive.front_records()
    assert home.depth == USUAL_DEPTH
