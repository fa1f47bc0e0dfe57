"""One run of a crawler in its own process: `python -m benchmarks.crawl.runs NAME PORT WARC FILES PAGES`."""

import json
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.http import Response

from benchmarks.crawl.work import Work
from broadsheet.base.clock import SystemClock
from broadsheet.base.manners import Manners
from broadsheet.crawling import live_crawl
from broadsheet.crawling.fetch_messages import FetchAnswer, Outcome, Request

#: Concurrent requests, all to one host.
CONCURRENCY = 16


def ours(urls: list[str], work: Work) -> None:
    """Crawl with our engine."""

    def decide(outcome: Outcome) -> list[Request]:
        if isinstance(outcome, FetchAnswer):
            last = outcome.exchanges[-1]
            work.take(last.url, last.status, last.headers, last.body, outcome.content)
        return []

    manners = Manners(delay=0.0, per_host=CONCURRENCY, concurrency=CONCURRENCY, allow_networks="127.0.0.0/8")
    live_crawl.crawl([Request(url) for url in urls], decide, manners=manners, clock=SystemClock())


def bare(urls: list[str], work: Work, **settings: object) -> None:
    """Crawl with a plain Scrapy spider."""

    class Bare(scrapy.Spider):
        name = "bare"
        start_urls = urls

        def parse(self, response: Response, **_: Any) -> None:  # noqa: ANN401 - the signature of the base class
            headers = [(name.decode(), b", ".join(values).decode()) for name, values in response.headers.items()]
            work.take(response.url, response.status, headers, response.body, response.body)

    process = CrawlerProcess(
        {
            "LOG_ENABLED": False,
            "TELNETCONSOLE_ENABLED": False,
            "CONCURRENT_REQUESTS": CONCURRENCY,
            "CONCURRENT_REQUESTS_PER_DOMAIN": CONCURRENCY,
            **settings,
        }
    )
    process.crawl(Bare)
    process.start()


#: By default Scrapy starts a hundred tasks per response; the lean spider starts one.
CRAWLERS: dict[str, Callable[[list[str], Work], None]] = {
    "broadsheet": ours,
    "scrapy": bare,
    "lean scrapy": partial(bare, CONCURRENT_ITEMS=1),
}


def main(arguments: list[str]) -> None:
    """Run one crawler and print its times."""
    name, port, warc, files, pages = arguments
    work = Work(Path(warc))
    urls = [f"http://127.0.0.1:{port}/{number}/{number % int(files)}.html" for number in range(int(pages))]
    start, cpu = time.monotonic(), time.process_time()
    CRAWLERS[name](urls, work)
    times = {"seconds": time.monotonic() - start, "cpu": time.process_time() - cpu, "work": work.seconds}
    work.close()
    print(json.dumps({"pages": work.pages, **times}))


if __name__ == "__main__":
    main(sys.argv[1:])
