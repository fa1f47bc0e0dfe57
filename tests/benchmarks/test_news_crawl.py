"""The benchmark of news crawling: its rules, and its crawlers on a made-up site."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("scrapy")

from benchmarks.news_crawl import entrants
from benchmarks.news_crawl.engine import Finds, Wish, crawl
from benchmarks.news_crawl.entrants import ENTRANTS
from benchmarks.news_crawl.grounds import Answer, on_grain
from benchmarks.news_crawl.measures import Cell, Total, cell, percentile, total
from benchmarks.news_crawl.places import Extent, news_web_places
from benchmarks.news_crawl.planned_ground import daily_articles, judging_sites
from benchmarks.news_crawl.report import at_budget, compare, lay_out

from tests.benchmarks.made_up_ground import ABOUT, HOME, HOUR, NEW, OLD, SECTION, START, MadeUpGround, MadeUpPage

REPOSITORY = Path(__file__).resolve().parents[2]
NEWS_CRAWL = REPOSITORY / "docs/explanation/news-crawl.md"


def measured(name: str, minutes: float = 60) -> Cell:
    ground, every = MadeUpGround(), timedelta(minutes=minutes)
    finds, effort = ENTRANTS[name].run(ground, every)
    return cell(name, every, ground, finds, effort)


@pytest.mark.parametrize(
    ("name", "found", "stored", "wrong", "sections"),
    [
        ("generic", 2, 3, 0, 1),
        ("home page", 1, 2, 0, 0),
        # All that a feed lists is taken for an article.
        ("feeds", 2, 4, 1, 0),
        ("sitemaps", 0, 0, 0, 0),
        ("feeds + sitemaps", 2, 4, 1, 0),
        ("broadsheet, fixed", 2, 3, 0, 1),
        ("fronts, adaptive", 2, 3, 0, 1),
    ],
)
def test_each_crawler_finds_what_its_idea_lets_it_find(
    name: str, found: int, stored: int, wrong: int, sections: int
) -> None:
    got = measured(name)

    assert (got.found, got.stored, got.wrong, got.sections_found) == (found, stored, wrong, sections)


class ChainedGround(MadeUpGround):
    """A site whose home page leads to one section, that one to the next, and so on."""

    def fetch(self, address: str, at: datetime, *, again: bool) -> Answer:
        del again
        number = 0 if address == HOME else int(address)
        return Answer(address, at, 200, MadeUpPage("section", (str(number + 1),)))


def test_sections_are_followed_up_to_two_links_from_the_home_page() -> None:
    finds, _ = ENTRANTS["broadsheet, fixed"].run(ChainedGround(feeds=()), HOUR)

    assert finds.sections == {"1", "2"}


def test_every_crawler_can_run_at_any_interval() -> None:
    for name in ENTRANTS:
        often, rarely = measured(name, 15), measured(name, 120)

        assert often.requests >= rarely.requests, name


def test_the_crawler_of_the_documentation_finds_what_the_home_page_shows() -> None:
    [example] = re.findall(r"^```python\n(.*?)^```", NEWS_CRAWL.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {}
    exec(example, names)  # noqa: S102 - our own example
    ground, crawler = MadeUpGround(end=START + 10 * HOUR), names["NightAndDay"](HOUR)

    crawl(crawler, ground)

    assert crawler.finds.stored == {OLD: START, NEW: START + 2 * HOUR}
    at_home = [(at - START) / HOUR for address, at, _ in ground.asked if address == HOME]
    assert at_home == [0, 2, 4, 6, 7, 8, 9], "half as often before six"


def test_a_policy_of_another_package_takes_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entrants, "registered", lambda _: dict.fromkeys(("fixed", "nightly")))

    assert list(entrants.installed_policies()) == ["broadsheet, nightly"]


def test_an_article_that_was_missed_is_late_until_the_end() -> None:
    # In the order of their addresses: the late one, then the new one.
    assert measured("home page").delays == [4 * 60, 0]


def test_the_generic_crawler_asks_for_everything_within_two_links_at_each_interval() -> None:
    ground = MadeUpGround()

    ENTRANTS["generic"].run(ground, HOUR)

    assert sorted(address for address, at, _ in ground.asked if at == START) == sorted([HOME, SECTION, ABOUT, OLD])
    assert all(again == (at > START or address != HOME) for address, at, again in ground.asked if address == HOME)


def test_what_was_asked_for_before_counting_began_is_not_counted() -> None:
    ground = MadeUpGround(counted_from=START + 3 * HOUR)
    finds, effort = ENTRANTS["home page"].run(ground, HOUR)

    assert effort.requests == 3
    assert cell("home page", HOUR, ground, finds, effort).hours == 3


def test_visits_begin_on_the_grain() -> None:
    assert on_grain(START) == START
    assert on_grain(START + timedelta(minutes=1)) == START + timedelta(minutes=5)


class FrontPageOnly:
    """A crawler in a few lines, as the documentation shows it."""

    def __init__(self, every: timedelta) -> None:
        self.finds = Finds()
        self.every = every

    def begin(self, ground: Any) -> Iterable[Wish]:
        return [Wish(ground.start, ground.home)]

    def take(self, answer: Answer) -> Iterator[Wish]:
        for link in answer.page.links if answer.page else ():
            self.finds.store(link, answer.at)
        yield Wish(answer.at + self.every, answer.address)


class ChangingItsMind(FrontPageOnly):
    """Asks for a page in three hours, and at once takes that back for one in an hour, and nothing else."""

    def take(self, answer: Answer) -> Iterator[Wish]:
        if answer.at == START:
            yield Wish(answer.at + 3 * HOUR, answer.address)
            yield Wish(answer.at + HOUR, answer.address, is_instead=True)


def test_a_wish_may_replace_those_before_for_its_address() -> None:
    ground = MadeUpGround()

    crawl(ChangingItsMind(HOUR), ground)

    assert [at for _, at, _ in ground.asked] == [START, START + HOUR]


def test_a_crawler_is_a_class_with_two_methods() -> None:
    crawler = FrontPageOnly(HOUR)

    effort = crawl(crawler, MadeUpGround())

    assert effort.requests == 6
    assert crawler.finds.stored[NEW] == START + 2 * HOUR


def figures(requests: float, recall: float, delay: float, crawler: str = "a") -> Total:
    rest: dict[str, Any] = dict.fromkeys(("precision", "requests_per_article", "bytes_per_article"))
    return Total(
        crawler=crawler,
        family="news web",
        tier="links",
        every=60,
        sites=1,
        articles=10,
        recall=recall,
        mean_delay=delay,
        median_delay=delay,
        p95_delay=7.0,
        requests=requests + 1,
        looking=requests,
        size=0,
        finding_size=None,
        full_size=0,
        sections=1.0,
        **rest,
    )


def test_figures_at_a_budget_are_those_of_the_best_interval_within_it() -> None:
    often, usual, rarely = figures(16, 1.0, 1.0), figures(4, 0.5, 2.0), figures(5, 0.75, 3.0)
    curve = [often, rarely, usual]

    assert at_budget(curve, 100) == often
    assert at_budget(curve, 8) == usual
    assert at_budget(curve, 3) is None
    assert "| a       | \N{EN DASH} | 0.5000 2.00 2.00 7.00 |" in compare(curve, (3, 8))


def test_an_interval_that_was_not_measured_on_all_sites_is_not_compared() -> None:
    curve = [replace(figures(4, 1.0, 1.0), sites=2), figures(2, 1.0, 0.1)]

    assert "| a       | 1.0000 1.00 1.00 7.00 |" in compare(curve, (8,))
    assert "news web, links: 2 sites" in lay_out(curve)
    assert "1 rows are left out" in lay_out(curve)
    assert "0.10" not in lay_out(curve)


def test_the_bytes_of_finding_are_those_that_are_not_of_articles() -> None:
    together = total([measured("home page")])

    # Six times the home page, the section, and a page that is not an article.
    assert (together.size, together.finding_size) == (10 * 100, 8 * 100)


class NumberedGround(MadeUpGround):
    """A site whose home page has a second page, and whose section has one, too."""

    def fetch(self, address: str, at: datetime, *, again: bool) -> Answer:
        del again
        links = {HOME: (SECTION, f"{HOME}/page/2"), SECTION: (f"{SECTION}/page/2",)}.get(address, ())
        return Answer(address, at, 200, MadeUpPage("section", links))


def test_the_further_pages_of_a_section_are_not_followed() -> None:
    finds, _ = ENTRANTS["broadsheet, fixed"].run(NumberedGround(feeds=()), HOUR)

    assert finds.sections == {SECTION, f"{HOME}/page/2"}


def test_percentiles_are_nearest_ranks() -> None:
    assert percentile(range(1, 101), 0.95) == 95
    assert percentile([7], 0.95) == 7


def test_sites_of_several_seeds_are_told_apart_and_chosen_by_name_and_by_articles_a_day() -> None:
    extent = Extent(sites=2, days=1.0)

    all_names = [place.site for place in news_web_places("links", extent, (4, 7))]
    named = [place.site for place in news_web_places("links", extent, (4, 7), all_names[1:2])]
    rates = {f"{seed}/{site.slug}": daily_articles(site) for seed in (4, 7) for site in judging_sites(2, seed)}
    least = sorted(rates.values())[2]
    busy = [place.site for place in news_web_places("links", replace(extent, articles=(least, 1e9)), (4, 7))]

    assert [name.split("/")[0] for name in all_names] == ["4", "4", "7", "7"]
    assert named == all_names[1:2]
    assert busy == [name for name, rate in rates.items() if rate >= least]
