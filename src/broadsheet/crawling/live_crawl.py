"""Crawls of the web itself: Scrapy with its reactor, once in a process."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Any

from scrapy.utils.reactor import is_reactor_installed
from twisted.internet import asyncioreactor
from twisted.python.log import PythonLoggingObserver

from broadsheet.base.clock import Clock
from broadsheet.base.counters import Counters
from broadsheet.base.manners import Manners
from broadsheet.crawling import running
from broadsheet.crawling.address_guard import Addresses
from broadsheet.crawling.crawl_errors import CrawlError
from broadsheet.crawling.fetch_job import FetchJob, nothing
from broadsheet.crawling.fetch_messages import Decide, Request
from broadsheet.crawling.handler import WebHandler
from broadsheet.crawling.lookups import FairResolver
from broadsheet.crawling.resolver import GuardedResolver
from broadsheet.crawling.scrapy_settings import scrapy_settings
from broadsheet.crawling.stop import Stop


def crawl(  # noqa: PLR0913 - each has a meaning of its own, and all but four a default
    requests: Iterable[Request],
    decide: Decide,
    *,
    manners: Manners,
    clock: Clock,
    idle: Callable[[], None] = nothing,
    stop: Stop | None = None,
    counters: Counters | None = None,
) -> None:
    """Crawl until nothing is in flight or waiting.

    `decide` is told every outcome and `idle` whenever nothing is in flight, both in this thread; what they raise
    ends the crawl and is raised here. No signal handler is installed: one may call `stop`.
    """
    if is_reactor_installed():
        raise CrawlError("a process can run one live crawl, and this one has run it: start another process")
    running.keep_quiet()
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    asyncioreactor.install(loop)  # type: ignore[no-untyped-call]
    # Without an observer Twisted writes to standard error; this one passes on to logging.
    PythonLoggingObserver("twisted").start()  # type: ignore[no-untyped-call]
    job = FetchJob(requests, decide, manners, clock, idle, counters or Counters(), stop or Stop())
    settings = scrapy_settings(manners) | {
        "TWISTED_REACTOR": "twisted.internet.asyncioreactor.AsyncioSelectorReactor",
        "MANNERS": manners,
        "DOWNLOAD_HANDLERS": {"http": WebHandler, "https": WebHandler},
    }
    _run(loop, job, settings)


def _run(loop: asyncio.AbstractEventLoop, job: FetchJob, settings: dict[str, Any]) -> None:
    # It exists only once it is installed, and importing it earlier would install another.
    from twisted.internet import reactor as found  # noqa: PLC0415

    reactor: Any = found
    addresses = Addresses(job.manners.networks())
    lookups = FairResolver(reactor.nameResolver, job.manners.timeout, loop.time)
    reactor.installNameResolver(GuardedResolver(lookups, addresses, job.refused_hosts))
    reactor.suggestThreadPoolSize(settings["REACTOR_THREADPOOL_MAXSIZE"])

    async def work() -> None:
        try:
            await running.run(settings, job)
        finally:
            await running.end_tasks()
            reactor.stop()

    working = loop.create_task(work())
    reactor.run(installSignalHandlers=False)
    if working.done():
        working.result()
