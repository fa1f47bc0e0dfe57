"""Crawl the live web with Scrapy and its reactor, once per process."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Any

from scrapy.utils.reactor import is_reactor_installed
from twisted.internet import asyncioreactor
from twisted.python.log import PythonLoggingObserver

from broadsheet.base.callbacks import do_nothing
from broadsheet.base.clock import Clock
from broadsheet.base.counters import Counters
from broadsheet.base.manners import Manners
from broadsheet.crawling import _running
from broadsheet.crawling._address_guard import AddressGuard
from broadsheet.crawling._fetch_job import FetchJob
from broadsheet.crawling._handler import WebHandler
from broadsheet.crawling._lookups import FairResolver
from broadsheet.crawling._resolver import GuardedResolver
from broadsheet.crawling._scrapy_settings import scrapy_settings
from broadsheet.crawling.crawl_errors import CrawlError
from broadsheet.crawling.fetch_messages import (
    Decide,
    IsLasting,
    IsWanted,
    Request,
    Wake,
    always_wanted,
    never_lasting,
)
from broadsheet.crawling.stop import Stop


def crawl(  # noqa: PLR0913 - all are independent, and most have defaults
    requests: Iterable[Request],
    decide: Decide,
    *,
    manners: Manners,
    clock: Clock,
    idle: Callable[[], None] = do_nothing,
    wake: Wake | None = None,
    every: float = 60.0,
    is_wanted: IsWanted = always_wanted,
    is_lasting: IsLasting = never_lasting,
    stop: Stop | None = None,
    counters: Counters | None = None,
) -> None:
    """Crawl until no request is in flight or waiting.

    `decide` is called with every outcome and `idle` whenever nothing is in flight nor being decided. `wake` is called
    every so many seconds of the clock, and before the crawl ends: it goes on with what that returns. `is_wanted` is
    asked before a request begins, and `is_lasting` whether to go on without any. All are called in this thread, and an
    exception from `decide`, `idle` or `wake` ends the crawl and is raised here. No signal handler is installed; your
    own may use `stop`.
    """
    if is_reactor_installed():
        raise CrawlError("a process can run only one live crawl, and this one has already run: start another process")
    _running.silence_libraries()
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    asyncioreactor.install(loop)  # type: ignore[no-untyped-call]
    # Without an observer Twisted writes to standard error; this one forwards to logging.
    PythonLoggingObserver("twisted").start()  # type: ignore[no-untyped-call]
    job = FetchJob(
        requests,
        decide,
        manners,
        clock,
        idle,
        counters or Counters(),
        stop or Stop(),
        wake,
        every,
        is_wanted,
        is_lasting,
    )
    settings = scrapy_settings(manners) | {
        "TWISTED_REACTOR": "twisted.internet.asyncioreactor.AsyncioSelectorReactor",
        "MANNERS": manners,
        "DOWNLOAD_HANDLERS": {"http": WebHandler, "https": WebHandler},
    }
    _run(loop, job, settings)


def _run(loop: asyncio.AbstractEventLoop, job: FetchJob, settings: dict[str, Any]) -> None:
    # Importing it before ours is installed would install the default reactor.
    from twisted.internet import reactor as installed  # noqa: PLC0415

    reactor: Any = installed
    guard = AddressGuard(job.manners.networks())
    lookups = FairResolver(reactor.nameResolver, job.manners.timeout, loop.time)
    reactor.installNameResolver(GuardedResolver(lookups, guard, job.refused_hosts))
    reactor.suggestThreadPoolSize(settings["REACTOR_THREADPOOL_MAXSIZE"])

    async def work() -> None:
        try:
            await _running.run(settings, job)
        finally:
            await _running.end_tasks()
            reactor.stop()

    working = loop.create_task(work())
    reactor.run(installSignalHandlers=False)
    if working.done():
        working.result()
