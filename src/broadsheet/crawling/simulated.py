"""Crawl a simulated web in virtual time, without sockets but with the same spider and middlewares.

Scrapy measures its delays with the machine's clock. This is the only place that patches that clock.
"""

import asyncio
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from socket import gaierror
from types import SimpleNamespace
from typing import Any, cast

import scrapy
import scrapy.core.downloader
import scrapy.utils.asyncio
from scrapy.core.downloader.handlers.base import BaseDownloadHandler
from scrapy.core.engine import ExecutionEngine
from scrapy.exceptions import CannotResolveHostError, DownloadCancelledError, DownloadFailedError, DownloadTimeoutError
from scrapy.http import Response
from scrapy.utils.reactor import is_reactor_installed

from broadsheet.base.callbacks import do_nothing
from broadsheet.base.counters import Counters
from broadsheet.base.manners import Manners
from broadsheet.crawling import _running
from broadsheet.crawling._fetch_job import Fetch, FetchJob, SimulatedAnswer, SlowAnswer
from broadsheet.crawling._scrapy_settings import scrapy_settings
from broadsheet.crawling._spider import job_of
from broadsheet.crawling._virtual import VirtualClock, VirtualLoop
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

__all__ = ["Fetch", "SimulatedAnswer", "SlowAnswer", "VirtualClock", "crawl"]

#: An offset to the clock: Scrapy records a slot that was never used as last used at 0, which must be long ago.
_CLOCK_OFFSET = 1e6
#: Scrapy polls for work every few seconds and collects unused slots every minute, which adds up over a simulated
#: month. A simulation never needs polling, and once a day is often enough to collect slots.
_HEARTBEAT_SECONDS = 1e8
_SLOT_GC_SECONDS = 86_400.0
_patch_lock = threading.Lock()


def crawl(  # noqa: PLR0913 - all are independent, and most have defaults
    requests: Iterable[Request],
    decide: Decide,
    *,
    manners: Manners,
    clock: VirtualClock,
    fetch: Fetch,
    idle: Callable[[], None] = do_nothing,
    wake: Wake | None = None,
    every: float = 60.0,
    is_wanted: IsWanted = always_wanted,
    is_lasting: IsLasting = never_lasting,
    stop: Stop | None = None,
    counters: Counters | None = None,
) -> None:
    """Crawl a simulated web until no request is in flight or waiting; it can be called any number of times.

    The parameters are those of `live_crawl.crawl`. Time stands still while an asynchronous `decide` is awaited.
    """
    if is_reactor_installed():
        raise CrawlError("a simulated crawl cannot run in a process that has run a live crawl: start another process")
    _running.silence_libraries()
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
        fetch=fetch,
    )
    settings = scrapy_settings(manners) | {
        "TWISTED_REACTOR_ENABLED": False,
        "DOWNLOAD_HANDLERS": {"http": SimulatedWebHandler, "https": SimulatedWebHandler},
    }
    with _patch_lock, _patched_scrapy(clock):
        _running.run_in(VirtualLoop(clock, job.decisions.tasks), _running.run(settings, job))


class SimulatedWebHandler(BaseDownloadHandler):
    """Download by calling a function, under the same caps as over sockets."""

    lazy = False

    async def download_request(self, request: scrapy.Request) -> Response:
        """Return the response of the simulated web."""
        job = job_of(self.crawler)
        headers = {name.decode(): b", ".join(values).decode("latin-1") for name, values in request.headers.items()}
        try:
            answer = cast("Fetch", job.fetch)(request.url, job.clock.now(), headers)
        except TimeoutError as error:
            raise DownloadTimeoutError(str(error)) from error
        except gaierror as error:
            raise CannotResolveHostError(str(error)) from error
        except OSError as error:
            raise DownloadFailedError(str(error)) from error
        except BaseException as error:
            job.fail(error)
            raise
        if isinstance(answer, SlowAnswer):
            await _pass_time(answer.seconds, request.meta.get("download_timeout", job.manners.timeout))
        max_bytes = request.meta.get("download_maxsize", job.manners.max_bytes)
        if max_bytes and len(answer.body) > max_bytes:
            raise DownloadCancelledError(f"received {len(answer.body):,} bytes; {max_bytes:,} are allowed")
        return Response(request.url, answer.status, headers=_encode_headers(answer.headers), body=answer.body)


async def _pass_time(seconds: float, timeout: float) -> None:
    """Let virtual time pass until an answer is there, or the crawler stops waiting for it."""
    await asyncio.sleep(min(seconds, timeout))
    if seconds > timeout:
        raise DownloadTimeoutError(f"the response took longer than {timeout:g} seconds")


def _encode_headers(headers: Mapping[str, str]) -> dict[bytes, bytes]:
    """Encode headers as a server would: in Latin-1 if possible, else in UTF-8."""
    return {_encode(name): _encode(value) for name, value in headers.items()}


def _encode(text: str) -> bytes:
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError:
        return text.encode("utf-8")


@contextmanager
def _patched_scrapy(clock: VirtualClock) -> Iterator[None]:
    """Make Scrapy measure its delays with a virtual clock."""

    def monotonic() -> float:
        return clock.monotonic() + _CLOCK_OFFSET

    patches: tuple[tuple[Any, str, Any], ...] = (
        (scrapy.core.downloader, "monotonic", monotonic),
        (scrapy.utils.asyncio, "time", SimpleNamespace(monotonic=monotonic)),
        (ExecutionEngine, "_SLOT_HEARTBEAT_INTERVAL", _HEARTBEAT_SECONDS),
        (scrapy.core.downloader.Downloader, "_SLOT_GC_INTERVAL", _SLOT_GC_SECONDS),
    )
    originals = [getattr(owner, name) for owner, name, _ in patches]
    for owner, name, value in patches:
        setattr(owner, name, value)
    try:
        yield
    finally:
        for (owner, name, _), value in zip(patches, originals, strict=True):
            setattr(owner, name, value)
