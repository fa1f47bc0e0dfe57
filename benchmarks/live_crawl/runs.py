"""One crawl in a process of its own: `python -m benchmarks.live_crawl.runs NAME FOLDER HOME…`.

Prints a `CrawlEnd` as JSON.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.crawl.work import Work
from benchmarks.pages import Page
from benchmarks.peers import load as load_peer
from benchmarks.process_tree import children
from benchmarks.quiet import quiet
from broadsheet.base.manners import Manners
from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsroom.crawl import Crawl
from broadsheet.newsroom.crawl_job import CrawlJob

#: Requests at once in total, and to one host.
CONCURRENCY, PER_HOST = 16, 8


@dataclass(frozen=True, slots=True)
class CrawlEnd:
    """The process that crawled, when it was done on the monotonic clock, and what it read, unless an archive tells."""

    crawler: int
    ended: float
    articles: int | None


#: Does the work on a page and returns whether it is an article with a text.
Read = Callable[[str, bytes], bool]


def ours(folder: Path, homes: Sequence[str]) -> CrawlEnd:
    """Crawl one snapshot into a new archive."""
    manners = Manners(
        delay=0.0,
        per_host=PER_HOST,
        per_site=PER_HOST,
        per_source=PER_HOST,
        concurrency=CONCURRENCY,
        allow_networks="127.0.0.0/8",
        contact="https://benchmark.example/",
    )
    # The Scrapy spiders beside it have no browser, either.
    settings = NewsroomSettings(render="never")
    with Crawl(CrawlJob(str(folder), Assignment(tuple(homes), snapshots=1), manners, settings=settings)) as crawl:
        crawler = next(children(os.getpid()))
        for _ in crawl:
            pass
    return CrawlEnd(crawler, time.monotonic(), articles=None)


def spider(load: Callable[[Path], Read], folder: Path, homes: Sequence[str]) -> CrawlEnd:
    """Crawl with a Scrapy spider that works on the pages in its callback."""
    import scrapy  # noqa: PLC0415 - our own crawl does not need it in this process
    from scrapy.crawler import CrawlerProcess  # noqa: PLC0415
    from scrapy.http import Response  # noqa: PLC0415

    read = load(folder)
    found = 0

    class Reading(scrapy.Spider):
        name = "reading"
        start_urls = list(homes)  # noqa: RUF012 - as Scrapy's documentation shows it

        def parse(self, response: Response, **_: Any) -> Iterator[scrapy.Request]:  # noqa: ANN401 - the base class's
            """Follow the links of a home page."""
            for link in response.xpath("//a/@href").getall():
                yield response.follow(link, self.parse_article)

        def parse_article(self, response: Response) -> None:
            """Work on an article."""
            nonlocal found
            found += read(response.url, response.body)

    process = CrawlerProcess(
        {
            "LOG_ENABLED": False,
            "TELNETCONSOLE_ENABLED": False,
            "HTTPCACHE_ENABLED": False,
            "ROBOTSTXT_OBEY": True,
            "CONCURRENT_REQUESTS": CONCURRENCY,
            "CONCURRENT_REQUESTS_PER_DOMAIN": PER_HOST,
            # In the spider's favour: by default Scrapy starts a hundred tasks for every response.
            "CONCURRENT_ITEMS": 1,
        }
    )
    process.crawl(Reading)
    process.start()
    return CrawlEnd(os.getpid(), time.monotonic(), found)


def trafilatura(_: Path) -> Read:
    """Load the peer as it is timed elsewhere: text and metadata."""
    read_page = load_peer("trafilatura")
    # As text, so that a charset which the page wrongly declares costs it nothing.
    return lambda url, body: bool(read_page(Page.decode(url, body)))


def parsing(folder: Path) -> Read:
    """Load the least that any archiving crawler does: parse the page, and write it to a compressed file."""
    work = Work(folder / "pages.warc.gz")

    def read(url: str, body: bytes) -> bool:
        work.take(url, 200, (), body, body)
        return True

    return read


CRAWLERS: dict[str, Callable[[Path, Sequence[str]], CrawlEnd]] = {
    "broadsheet": ours,
    "scrapy + trafilatura": partial(spider, trafilatura),
    "scrapy + lxml + gzip": partial(spider, parsing),
}


def main(arguments: list[str]) -> None:
    """Run one crawler and print what it did."""
    name, folder, *homes = arguments
    quiet()
    print(json.dumps(asdict(CRAWLERS[name](Path(folder), homes))))


if __name__ == "__main__":
    main(sys.argv[1:])
