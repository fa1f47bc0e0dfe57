"""Crawls in virtual time, without sockets: the same spider and middlewares, and a month in seconds.

Scrapy measures its delays with the machine's clock. This is the one place where that clock is rebound.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any, cast

import scrapy
import scrapy.core.downloader
import scrapy.utils.asyncio
from scrapy.core.downloader.handlers.base import BaseDownloadHandler
from scrapy.core.engine import ExecutionEngine
from scrapy.exceptions import DownloadCancelledError, DownloadFailedError, DownloadTimeoutError
from scrapy.http import Response
from scrapy.utils.reactor import is_reactor_installed

from broadsheet.base.counters import Counters
from broadsheet.base.manners import Manners
from broadsheet.crawling import running
from broadsheet.crawling.crawl_errors import CrawlError
from broadsheet.crawling.fetch_job import Fetch, FetchJob, SimulatedAnswer, nothing
from broadsheet.crawling.fetch_messages import Decide, Request
from broadsheet.crawling.scrapy_settings import scrapy_settings
from broadsheet.crawling.spider import job_of
from broadsheet.crawling.stop import Stop
from broadsheet.crawling.virtual import VirtualClock, VirtualLoop

__all__ = ["Fetch", "SimulatedAnswer", "VirtualClock", "crawl"]

#: A slot that was never used was last used at 0: that must be long ago.
_LONG_AGO = 1e6
#: Scrapy looks every few seconds for work and every minute for slots to drop, and a month has many of both. In a
#: simulation no work turns up unseen, and a day is soon enough to tidy up.
_HEARTBEAT_SECONDS = 1e8
_TIDYING_SECONDS = 86_400.0
_one_at_a_time = threading.Lock()


def crawl(  # noqa: PLR0913 - each has a meaning of its own, and all but four a default
    requests: Iterable[Request],
    decide: Decide,
    *,
    manners: Manners,
    clock: VirtualClock,
    fetch: Fetch,
    idle: Callable[[], None] = nothing,
    stop: Stop | None = None,
    counters: Counters | None = None,
) -> None:
    """Crawl an invented web until nothing is in flight or waiting; it can be called as often as one likes."""
    if is_reactor_installed():
        raise CrawlError("a simulated crawl needs a process of its own: this one has run a live crawl")
    running.keep_quiet()
    job = FetchJob(requests, decide, manners, clock, idle, counters or Counters(), stop or Stop(), fetch=fetch)
    settings = scrapy_settings(manners) | {
        "TWISTED_REACTOR_ENABLED": False,
        "DOWNLOAD_HANDLERS": {"http": InventedWebHandler, "https": InventedWebHandler},
    }
    with _one_at_a_time, _scrapy_on(clock):
        running.run_in(VirtualLoop(clock), running.run(settings, job))


class InventedWebHandler(BaseDownloadHandler):
    """Downloads by asking a function, under the caps that sockets would have."""

    lazy = False

    async def download_request(self, request: scrapy.Request) -> Response:
        """Return the web's answer."""
        job = job_of(self.crawler)
        headers = {name.decode(): b", ".join(values).decode("latin-1") for name, values in request.headers.items()}
        try:
            answer = cast("Fetch", job.fetch)(request.url, job.clock.now(), headers)
        except TimeoutError as error:
            raise DownloadTimeoutError(str(error)) from error
        except OSError as error:
            raise DownloadFailedError(str(error)) from error
        except BaseException as error:
            job.fail(error)
            raise
        most = request.meta.get("download_maxsize", job.manners.max_bytes)
        if most and len(answer.body) > most:
            raise DownloadCancelledError(f"received {len(answer.body):,} bytes; {most:,} are allowed")
        return Response(request.url, answer.status, headers=_as_sent(answer.headers), body=answer.body)


def _as_sent(headers: Mapping[str, str]) -> dict[bytes, bytes]:
    """Return headers as a server would send them: a byte for a character, and UTF-8 where that cannot be."""
    return {_bytes(name): _bytes(value) for name, value in headers.items()}


def _bytes(text: str) -> bytes:
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError:
        return text.encode("utf-8")


@contextmanager
def _scrapy_on(clock: VirtualClock) -> Iterator[None]:
    """Let Scrapy's delays go by a clock."""

    def monotonic() -> float:
        return clock.monotonic() + _LONG_AGO

    rebound: tuple[tuple[Any, str, Any], ...] = (
        (scrapy.core.downloader, "monotonic", monotonic),
        (scrapy.utils.asyncio, "time", SimpleNamespace(monotonic=monotonic)),
        (ExecutionEngine, "_SLOT_HEARTBEAT_INTERVAL", _HEARTBEAT_SECONDS),
        (scrapy.core.downloader.Downloader, "_SLOT_GC_INTERVAL", _TIDYING_SECONDS),
    )
    before = [getattr(owner, name) for owner, name, _ in rebound]
    for owner, name, value in rebound:
        setattr(owner, name, value)
    try:
        yield
    finally:
        for (owner, name, _), value in zip(rebound, before, strict=True):
            setattr(owner, name, value)
