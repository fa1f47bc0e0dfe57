"""The crawler of the benchmark that visits fronts at the pace of a policy."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import pytest

pytest.importorskip("scrapy")

from benchmarks.news_crawl.engine import Wish, crawl
from benchmarks.news_crawl.grounds import Answer
from benchmarks.news_crawl.paced_crawler import PacedCrawler

from broadsheet.newsroom.front_turnover import FrontTurnover, SourceTurnover
from tests.benchmarks.made_up_ground import FEED, HOME, HOUR, SECTION, START, MadeUpGround, MadeUpPage


@dataclass
class NotedPace:
    """Visits every front every hour, and keeps what it was told about them."""

    fronts: dict[str, FrontTurnover] = field(default_factory=dict)

    def next_interval(self, source: SourceTurnover, page: str, least: timedelta, now: datetime) -> timedelta:
        del now
        self.fronts[page] = source.front(page)
        return least


def test_a_paced_crawler_tells_its_policy_how_long_articles_stayed() -> None:
    pace = NotedPace()

    crawl(PacedCrawler(pace, HOUR), MadeUpGround())

    assert len(pace.fronts[SECTION].stays) == 1, "the late article left after an hour"
    assert pace.fronts[SECTION].gaps == 0, "an old article stayed"


def test_a_paced_crawler_notes_a_front_on_which_nothing_stayed() -> None:
    pace = NotedPace()
    crawler = PacedCrawler(pace, HOUR)
    list(crawler.begin(MadeUpGround()))

    for hour, links in enumerate((("a", "b"), ("b", "c"), ("d", "e"))):
        list(crawler.take(Answer(FEED, START + hour * HOUR, 200, MadeUpPage("other", links))))

    assert pace.fronts[FEED].gaps == 1


@dataclass
class LeavingPace:
    """Visits every front every two hours, and sections once a day while a file leads, which is visited every hour."""

    heeds_leader: bool = True

    def next_interval(self, source: SourceTurnover, page: str, least: timedelta, now: datetime) -> timedelta:
        del now
        if page == source.leading.page:
            return least
        return 24 * least if source.leading.page and page == SECTION else 2 * least


def test_a_paced_crawler_plans_anew_when_a_file_begins_to_lead_or_ceases_to() -> None:
    crawler, wishes = PacedCrawler(LeavingPace(), HOUR), dict[int, list[Wish]]()
    list(crawler.begin(MadeUpGround()))
    list(crawler.take(Answer(HOME, START, 200, MadeUpPage("section", (SECTION,)))))
    list(crawler.take(Answer(SECTION, START, 200, MadeUpPage("section"))))

    def take(hour: int, address: str, numbers: Iterable[int]) -> list[Wish]:
        links = (SECTION, *(f"article {number}" for number in numbers))
        answer = Answer(address, START + hour * HOUR, 200, MadeUpPage("section", links))
        return [wish for wish in crawler.take(answer) if wish.is_instead]

    for hour in range(40):
        listed = take(hour, FEED, range(min(hour, 20)))
        wishes[hour] = [*listed, *take(hour, HOME, range(hour))]

    changes = [(hour, wish.at) for hour, each in wishes.items() for wish in each]
    (_, left), (lost, soon) = changes
    assert left == START + 24 * HOUR, "a day after the last visit"
    assert soon == min(left, START + (lost + 1) * HOUR)
