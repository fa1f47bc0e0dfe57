"""Sources that overlap: each gets all its articles, and no page is fetched or archived twice."""

from collections import Counter
from pathlib import Path

import pytest

from broadsheet.archive import Store
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsroom.progress import Progress
from broadsheet.newsroom.sightings import lies_within
from broadsheet.simulation.simulated_crawl import simulate
from tests.newsroom.site import HOME, HOUR, ONCE, START, ScriptedSite, article_path, front, service, story

SPORT = HOME + "sport/"
#: The home page shows the first two, the section all but the first.
ALL, OF_HOME, OF_SPORT = range(1, 13), range(1, 3), range(2, 13)


def make_site() -> ScriptedSite:
    """Return a site with a section."""
    return ScriptedSite(
        {
            "/": front(*map(article_path, OF_HOME), also='<a href="/sport/">Sport</a>'),
            "/sport/": front(*map(article_path, OF_SPORT)),
            **{article_path(number): story(str(number)) for number in ALL},
        }
    )


def crawl(folder: Path, site: ScriptedSite, *sites: str, hour: int = 0, every: float = 3600.0) -> Progress:
    """Follow some sources of a site for one snapshot."""
    assignment = Assignment(sites, every=every, snapshots=1)
    return simulate(folder, site.fetch, START + hour * HOUR, assignment, settings=ONCE)


def titles(folder: Path, source: str) -> set[str]:
    """Return the titles of a source's articles."""
    with Store.open(folder) as archive:
        assert list(archive.check()) == []
        found = [stored.article.title or "" for stored in archive.articles(source=source)]
    assert len(found) == len(set(found))
    return set(found)


def names(numbers: range) -> set[str]:
    """Return the titles of articles by their numbers."""
    return set(map(str, numbers))


def assert_no_article_was_fetched_twice(site: ScriptedSite) -> None:
    asked = Counter(path for path, _ in site.asked)
    assert {path: asked[path] for path in map(article_path, ALL)} == dict.fromkeys(map(article_path, ALL), 1)


@pytest.mark.parametrize("sites", [(HOME, SPORT), (SPORT, HOME)])
def test_a_site_and_its_section_in_one_crawl_each_get_their_articles(tmp_path: Path, sites: tuple[str, str]) -> None:
    site = make_site()

    progress = crawl(tmp_path, site, *sites)

    assert titles(tmp_path, HOME) == names(ALL)
    assert titles(tmp_path, SPORT) == names(OF_SPORT)
    assert_no_article_was_fetched_twice(site)
    assert [path for path, _ in site.asked].count("/sport/") == 1
    assert progress.articles == len(ALL)


def test_a_section_that_becomes_a_source_of_its_own_gets_what_it_leads_to(tmp_path: Path) -> None:
    site = make_site()
    crawl(tmp_path, site, HOME)

    progress = crawl(tmp_path, site, SPORT, hour=1)

    assert [entry for entry in site.asked if entry[0] == "/sport/"] == [("/sport/", 200), ("/sport/", 304)]
    assert titles(tmp_path, SPORT) == names(OF_SPORT)
    assert titles(tmp_path, HOME) == names(ALL)
    assert_no_article_was_fetched_twice(site)
    assert progress.articles == 0


def test_a_site_that_is_added_after_its_section_follows_the_section_at_once(tmp_path: Path) -> None:
    site = make_site()
    crawl(tmp_path, site, SPORT)

    crawl(tmp_path, site, HOME, hour=1)

    assert titles(tmp_path, HOME) == names(ALL)
    assert titles(tmp_path, SPORT) == names(OF_SPORT)
    assert_no_article_was_fetched_twice(site)
    with Store.open(tmp_path) as archive:
        assert {page.url for page in archive.sections(HOME)} == {HOME, SPORT}


def test_what_a_section_publishes_later_reaches_both_sources(tmp_path: Path) -> None:
    site = make_site()
    site.pages["/sport/"] = lambda at: front(*map(article_path, range(2, 13 if at > START + 2 * HOUR else 8)))

    simulate(tmp_path, site.fetch, START, Assignment((HOME, SPORT), every=3600.0, snapshots=4), settings=ONCE)

    assert titles(tmp_path, HOME) == names(ALL)
    assert titles(tmp_path, SPORT) == names(OF_SPORT)
    assert_no_article_was_fetched_twice(site)
    assert site.hours("/sport/") == [0.0, 1.0, 2.0, 3.0]


def test_a_page_that_was_neither_article_nor_section_becomes_a_source_and_is_fetched_whole(tmp_path: Path) -> None:
    site = make_site()
    site.pages["/"] = front(*map(article_path, OF_HOME), also='<a href="/world">World</a>')
    site.pages["/world"] = service(article_path(9))
    crawl(tmp_path, site, HOME)
    assert titles(tmp_path, HOME) == names(OF_HOME)

    crawl(tmp_path, site, HOME + "world", hour=1)

    assert [entry for entry in site.asked if entry[0] == "/world"] == [("/world", 200)] * 2
    assert titles(tmp_path, HOME + "world") == {"9"}


def test_sister_sites_on_one_domain_share_what_both_link_to(tmp_path: Path) -> None:
    sister = "http://local.gazette.example/"
    site = make_site()
    shared = [HOME.rstrip("/") + article_path(number) for number in range(5, 9)]
    site.pages[sister] = front(*shared, also=f'<a href="{SPORT}">Sport</a>')

    crawl(tmp_path, site, HOME, sister)

    assert titles(tmp_path, HOME) == names(ALL)
    # The sections of the site that it links to are not its own.
    assert titles(tmp_path, sister) == names(range(5, 9))
    assert_no_article_was_fetched_twice(site)


@pytest.mark.parametrize(("slow", "fast"), [(HOME, SPORT), (SPORT, HOME)])
def test_each_source_keeps_its_own_pace_on_a_page_that_both_follow(tmp_path: Path, slow: str, fast: str) -> None:
    site = make_site()
    crawl(tmp_path, site, slow, every=6 * 3600.0)
    crawl(tmp_path, site, fast)
    site.asked_at.clear()

    progress = simulate(tmp_path, site.fetch, START, Assignment(span=12 * 3600.0), settings=ONCE)

    assert site.hours("/sport/") == [float(hour) for hour in range(12)]
    assert site.hours("/") == [float(hour) for hour in range(0, 12, 6 if slow == HOME else 1)]
    # A visit for the quicker source counts for the slower one if it comes near enough to when that one is due.
    assert progress.snapshots == 12 + (2 if slow == HOME else 3)


def test_a_source_that_is_a_section_does_not_follow_the_rest_of_its_site() -> None:
    section, host = "gazette.example/sport", "sport.gazette.example"

    assert lies_within(section, "gazette.example/sport/football")
    assert not any(lies_within(section, key) for key in ("gazette.example", "gazette.example/sports-car"))
    assert lies_within(host, "sport.gazette.example/football")
    assert not lies_within(host, "gazette.example/politics")
    assert lies_within("gazette.example", "sport.gazette.example/football")
