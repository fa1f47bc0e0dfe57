"""Run one crawler to its end; live and simulated crawls share this code."""

import asyncio
import contextlib
import logging
from collections.abc import Coroutine
from typing import Any, cast

from scrapy.crawler import Crawler

from broadsheet.crawling._fetch_job import FetchJob
from broadsheet.crawling._spider import FetchSpider
from broadsheet.crawling.stop import Ending

#: Loggers that would write to standard error if logging is not configured.
_NOISY_LOGGERS = ("scrapy", "twisted", "protego", "filelock")
_END_SECONDS = 5.0


async def run(settings: dict[str, Any], job: FetchJob) -> None:
    """Crawl until nothing is left to do, or until the job is aborted."""
    loop = asyncio.get_running_loop()
    aborted = asyncio.Event()
    job.abort = aborted.set
    crawler = Crawler(FetchSpider, settings)

    def end(ending: Ending) -> None:
        # This may be called from a signal handler or another thread.
        if ending is Ending.NOW:
            loop.call_soon_threadsafe(aborted.set)
        else:
            loop.call_soon_threadsafe(_finish, crawler)

    crawling = asyncio.ensure_future(crawler.crawl_async(job))
    job.stop.add_listener(end)
    try:
        await _wait_for_first(crawling, asyncio.ensure_future(aborted.wait()))
    finally:
        job.stop.remove_listener(end)
        job.decisions.forget()
    if job.error is not None:
        raise job.error
    if crawling.done():
        crawling.result()


async def end_tasks() -> None:
    """Cancel the tasks that an aborted crawl has left behind, and ignore their errors."""
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(cast("Any", tasks), timeout=_END_SECONDS)


def silence_libraries() -> None:
    """Keep libraries from logging to standard error if logging is not configured."""
    for name in _NOISY_LOGGERS:
        logger = logging.getLogger(name)
        if not logger.handlers:
            logger.addHandler(logging.NullHandler())


def _finish(crawler: Crawler) -> None:
    if crawler.spider is not None:
        cast("FetchSpider", crawler.spider).finish()


async def _wait_for_first(crawling: asyncio.Future[None], aborted: asyncio.Future[Any]) -> None:
    try:
        await asyncio.wait((crawling, aborted), return_when=asyncio.FIRST_COMPLETED)
    finally:
        aborted.cancel()


def run_in(loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine in its own loop, and leave no tasks behind."""
    try:
        loop.run_until_complete(work)
    finally:
        with contextlib.suppress(RuntimeError):
            loop.run_until_complete(end_tasks())
        loop.close()
