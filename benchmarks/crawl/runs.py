"""The two crawlers, each run in a process of its own: `python -m benchmarks.crawl.runs NAME PORT WARC FILES PAGES`."""

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

#: Requests under way at once, all to one host.
AT_ONCE = 16


def ours(urls: list[str], work: Work) -> None:
    """Crawl with our engine."""

    def decide(outcome: Outcome) -> list[Request]:
        if isinstance(outcome, FetchAnswer):
            last = outcome.exchanges[-1]
            work.take(last.url, last.status, last.headers, last.body, outcome.content)
        return []

    manners = Manners(delay=0.0, per_host=AT_ONCE, concurrency=AT_ONCE, allow_networks="127.0.0.0/8")
    live_crawl.crawl([Request(url) for url in urls], decide, manners=manners, clock=SystemClock())


def bare(urls: list[str], work: Work, **settings: object) -> None:
    """Crawl with a spider as anybody would write it."""

    class Bare(scrapy.Spider):
        name = "bare"
        start_urls = urls

        def parse(self, response: Response, **_: Any) -> None:  # noqa: ANN401 - as the base class has it
            headers = [(name.decode(), b", ".join(values).decode()) for name, values in response.headers.items()]
            work.take(response.url, response.status, headers, response.body, response.body)

    process = CrawlerProcess(
        {
            "LOG_ENABLED": False,
            "TELNETCONSOLE_ENABLED": False,
            "CONCURRENT_REQUESTS": AT_ONCE,
            "CONCURRENT_REQUESTS_PER_DOMAIN": AT_ONCE,
            **settings,
        }
    )
    process.crawl(Bare)
    process.start()


#: By default Scrapy starts a hundred tasks for every answer; the lean spider does without.
CRAWLERS: dict[str, Callable[[list[str], Work], None]] = {
    "broadsheet": ours,
    "scrapy": bare,
    "lean scrapy": partial(bare, CONCURRENT_ITEMS=1),
}


def main(arguments: list[str]) -> None:
    """Run one crawler and write what it took."""
    name, port, warc, files, pages = arguments
    work = Work(Path(warc))
    urls = [f"http://127.0.0.1:{port}/{number}/{number % int(files)}.html" for number in range(int(pages))]
    began, cpu = time.monotonic(), time.process_time()
    CRAWLERS[name](urls, work)
    took = {"seconds": time.monotonic() - began, "cpu": time.process_time() - cpu, "work": work.seconds}
    work.close()
    print(json.dumps({"pages": work.pages, **took}))


if __name__ == "__main__":
    main(sys.argv[1:])
