"""A made-up site for the crawlers of the benchmark of news crawling."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from benchmarks.news_crawl.grounds import Answer, Tier, Truth

from broadsheet.base.records import Kind

START = datetime(2026, 3, 2, tzinfo=UTC)
HOUR = timedelta(hours=1)
HOME, SECTION, FEED, OLD, NEW, LATE, ABOUT = "home", "section", "feed", "old", "new", "late", "about"
TRUTH = Truth({NEW: START + 2 * HOUR, LATE: START + 2 * HOUR}, frozenset({SECTION}))


@dataclass(frozen=True)
class MadeUpPage:
    kind: Kind
    links: tuple[str, ...] = ()


@dataclass
class MadeUpGround:
    """A site whose section shows an article for an hour that the home page never shows; the feed has both, and more."""

    site: str = "gazette"
    family: str = "news web"
    tier: Tier = "links"
    home: str = HOME
    feeds: tuple[str, ...] = (FEED,)
    sitemaps: tuple[str, ...] = ()
    start: datetime = START
    end: datetime = START + 6 * HOUR
    counted_from: datetime = START
    truth: Truth = TRUTH
    asked: list[tuple[str, datetime, bool]] = field(default_factory=list)

    def fetch(self, address: str, at: datetime, *, again: bool) -> Answer:
        self.asked.append((address, at, again))
        is_out, is_listed = at >= START + 2 * HOUR, START + 2 * HOUR <= at < START + 3 * HOUR
        pages = {
            HOME: MadeUpPage("section", (SECTION, ABOUT, OLD, *([NEW] if is_out else []))),
            SECTION: MadeUpPage("section", (HOME, OLD, *([LATE] if is_listed else []))),
            FEED: MadeUpPage("other", (OLD, ABOUT, *([NEW, LATE] if is_out else []))),
            ABOUT: MadeUpPage("other", (HOME,)),
        }
        return Answer(address, at, 200, pages.get(address, MadeUpPage("article", (HOME,))), size=100, full_size=100)

    def forget(self) -> None:
        self.asked.clear()

    def article(self, address: str, at: datetime) -> str | bool | None:
        del at
        return address if address in {OLD, NEW, LATE} else False
