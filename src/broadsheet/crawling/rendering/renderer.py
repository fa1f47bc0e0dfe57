"""Rendering: a page in, the DOM that its scripts made of it out, under caps that no page can break."""

import threading
from pathlib import Path
from types import TracebackType
from typing import Self

from broadsheet.base import urls
from broadsheet.base.clock import Clock, SystemClock
from broadsheet.base.errors import InputError
from broadsheet.base.frozen import FrozenMapping
from broadsheet.crawling.rendering.browser import Browser
from broadsheet.crawling.rendering.executable import find_browser
from broadsheet.crawling.rendering.loopback import loopback_addresses
from broadsheet.crawling.rendering.render_errors import (
    BrowserGone,
    RenderError,
    RenderFailed,
    RenderRefused,
    RenderTimeout,
    RenderTooLarge,
)
from broadsheet.crawling.rendering.render_limits import RenderLimits
from broadsheet.crawling.rendering.render_messages import RenderAnswer, RenderJob, RenderOutcome
from broadsheet.crawling.rendering.rendered import RenderedPage
from broadsheet.document.decoding import decode

DEFAULT_LIMITS = RenderLimits()
#: Browsers grow with use, so one is replaced after this many pages.
PAGES_PER_BROWSER = 100

#: Where a page without an address is put: a name that can never exist (RFC 2606).
_NOWHERE = "https://page.invalid/"
_NO_ADDRESS = "about:blank"


class Renderer:
    """Headless Chromium for one page at a time; threads may share it and then wait for each other.

    The browser starts with the first page, and is replaced after `pages_per_browser` of them and after every
    page that did not answer. Nothing outlives `close`, which leaving a `with` block calls, nor the program.

    By default a page reaches nothing at all. With `allow_loopback` it reaches whatever listens on the loopback of
    this machine, databases included: that is for pages that you trust.
    """

    def __init__(
        self,
        limits: RenderLimits = DEFAULT_LIMITS,
        *,
        allow_loopback: bool = False,
        executable: str | Path | None = None,
        pages_per_browser: int = PAGES_PER_BROWSER,
        clock: Clock | None = None,
    ) -> None:
        """Find the browser, the system's unless `executable` names another."""
        self._limits = limits
        self._allow_loopback = allow_loopback
        self._executable = find_browser(executable)
        self._pages_per_browser = pages_per_browser
        self._clock = clock or SystemClock()
        self._lock = threading.Lock()
        self._browser: Browser | None = None
        self._is_closed = False

    def render(
        self,
        page: bytes | str,
        url: str | None = None,
        *,
        encoding: str | None = None,
        content_type: str | None = None,
    ) -> RenderedPage:
        """Run a page's scripts as if it had come from `url`; bytes are decoded as by `broadsheet.parse`."""
        address = _NOWHERE if url is None else urls.resolve(url, None)
        if address is None:
            raise InputError(f"{url!r} is not an http or https address")
        if len(page) > self._limits.max_bytes:
            raise RenderTooLarge(len(page), self._limits.max_bytes)
        data = decode(page, encoding=encoding, content_type=content_type, url=url).data
        return self._rendered(self._job(address, data.decode("utf-8", "replace")))

    def render_url(self, url: str) -> RenderedPage:
        """Load a page from this machine's loopback and run its scripts."""
        address = urls.resolve(url, None)
        if address is None:
            raise InputError(f"{url!r} is not an http or https address")
        if not loopback_addresses(urls.host(address)):
            raise RenderRefused(f"{url} is not on this machine's loopback; render the HTML of a saved page")
        if not self._allow_loopback:
            raise RenderRefused(f"{url} is on the loopback, which takes a Renderer(allow_loopback=True)")
        return self._rendered(self._job(address, None))

    def close(self) -> None:
        """End the browser; closing twice does no harm."""
        with self._lock:
            self._is_closed = True
            self._end_browser()

    def __enter__(self) -> Self:
        """Return the renderer."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the renderer."""
        self.close()

    def _job(self, url: str, html: str | None) -> RenderJob:
        return RenderJob(
            url=url,
            html=html,
            loopback=self._allow_loopback,
            settle_seconds=self._limits.settle_seconds,
            quiet_seconds=self._limits.quiet_seconds,
            max_bytes=self._limits.max_bytes,
            max_requests=self._limits.max_requests,
        )

    def _rendered(self, job: RenderJob) -> RenderedPage:
        with self._lock:
            if self._is_closed:
                raise RenderError("the renderer is closed")
            try:
                answer, elapsed = self._ask(job)
            except BrowserGone:
                # It was ending already when the page came, which nobody can see from outside.
                answer, elapsed = self._ask(job)
        return RenderedPage(
            html=self._checked(answer),
            url=_NO_ADDRESS if answer.url == _NOWHERE else answer.url,
            settled=answer.settled,
            requests=answer.requests,
            blocked=FrozenMapping(answer.blocked),
            elapsed=elapsed,
        )

    def _ask(self, job: RenderJob) -> tuple[RenderAnswer, float]:
        """Return the browser's answer and the seconds it took."""
        browser = self._ready_browser()
        start = self._clock.monotonic()
        try:
            answer = browser.render(job)
        except BaseException:
            # Also for a Ctrl-C: an answer that nobody waits for must not become that of the next page.
            self._end_browser()
            raise
        return answer, self._clock.monotonic() - start

    def _ready_browser(self) -> Browser:
        browser = self._browser
        if browser and (browser.pages >= self._pages_per_browser or not browser.is_alive):
            self._end_browser()
            browser = None
        if browser is None:
            browser = self._browser = Browser(self._executable, self._limits, self._clock)
        return browser

    def _end_browser(self) -> None:
        if self._browser:
            self._browser.end()
            self._browser = None

    def _checked(self, answer: RenderAnswer) -> str:
        """Return the page of an answer, or raise what it says went wrong."""
        match answer.outcome:
            case RenderOutcome.TOO_LARGE:
                raise RenderTooLarge(answer.length, self._limits.max_bytes)
            case RenderOutcome.TIMEOUT:
                seconds = self._limits.settle_seconds
                raise RenderTimeout(f"nothing of the page came within {seconds:g} seconds")
            case RenderOutcome.REFUSED:
                raise RenderRefused(answer.message)
            case RenderOutcome.FAILED:
                raise RenderFailed(answer.message)
        # Scripts may write halves of characters, which UTF-8 cannot hold.
        data = answer.html.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()
        if len(data) > self._limits.max_bytes:
            raise RenderTooLarge(len(data), self._limits.max_bytes)
        return data.decode()
