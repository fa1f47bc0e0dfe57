"""One crawler run to its end, in whichever loop; live and simulated crawls share all of it."""

import asyncio
import contextlib
import logging
from collections.abc import Coroutine
from typing import Any, cast

from scrapy.crawler import Crawler

from broadsheet.crawling.fetch_job import FetchJob
from broadsheet.crawling.spider import Courier
from broadsheet.crawling.stop import Ending

#: Libraries that would write to standard error where nobody has set up logging.
_TALKATIVE = ("scrapy", "twisted", "protego", "filelock")
_END_SECONDS = 5.0


async def run(settings: dict[str, Any], job: FetchJob) -> None:
    """Crawl until nothing is left to do, or until the job is broken off."""
    loop = asyncio.get_running_loop()
    broken_off = asyncio.Event()
    job.abort = broken_off.set
    crawler = Crawler(Courier, settings)

    def end(ending: Ending) -> None:
        # A signal handler or another thread may be the one that calls.
        if ending is Ending.NOW:
            loop.call_soon_threadsafe(broken_off.set)
        else:
            loop.call_soon_threadsafe(_finish, crawler)

    crawling = asyncio.ensure_future(crawler.crawl_async(job))
    job.stop.listen(end)
    try:
        await _first(crawling, asyncio.ensure_future(broken_off.wait()))
    finally:
        job.stop.forget(end)
    if job.error is not None:
        raise job.error
    if crawling.done():
        crawling.result()


async def end_tasks() -> None:
    """Cancel what a crawl that was broken off has left behind; what it then says is of no interest."""
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(cast("Any", tasks), timeout=_END_SECONDS)


def keep_quiet() -> None:
    """Leave what libraries log to whoever has set up logging, instead of to standard error."""
    for name in _TALKATIVE:
        logger = logging.getLogger(name)
        if not logger.handlers:
            logger.addHandler(logging.NullHandler())


def _finish(crawler: Crawler) -> None:
    if crawler.spider is not None:
        cast("Courier", crawler.spider).finish()


async def _first(crawling: asyncio.Future[None], broken_off: asyncio.Future[Any]) -> None:
    try:
        await asyncio.wait((crawling, broken_off), return_when=asyncio.FIRST_COMPLETED)
    finally:
        broken_off.cancel()


def run_in(loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, None]) -> None:
    """Run work in a loop of its own, and leave no task behind."""
    try:
        loop.run_until_complete(work)
    finally:
        with contextlib.suppress(RuntimeError):
            loop.run_until_complete(end_tasks())
        loop.close()
