"""Render pages: return the DOM that their scripts produce, within strict limits."""

import threading
from collections.abc import Iterable
from pathlib import Path

from broadsheet.base import urls
from broadsheet.base.clock import Clock, SystemClock
from broadsheet.base.closable import Closable
from broadsheet.base.errors import InputError
from broadsheet.base.frozen import FrozenMapping
from broadsheet.crawling.rendering._browser import Browser
from broadsheet.crawling.rendering._executable import find_browser
from broadsheet.crawling.rendering._loopback import loopback_addresses
from broadsheet.crawling.rendering._render_errors import (
    BrowserGone,
    RenderError,
    RenderFailed,
    RenderRefused,
    RenderTimeout,
    RenderTooLarge,
)
from broadsheet.crawling.rendering._render_limits import RenderLimits
from broadsheet.crawling.rendering._render_messages import RenderAnswer, RenderJob, RenderOutcome
from broadsheet.crawling.rendering._rendered import RenderedPage
from broadsheet.document.decoding import decode

DEFAULT_LIMITS = RenderLimits()
#: Browsers grow with use, so they are replaced after this many pages.
PAGES_PER_BROWSER = 100

#: The URL of a page without one, on a domain that can never exist (RFC 2606).
_PLACEHOLDER_URL = "https://page.invalid/"
_BLANK_URL = "about:blank"


class Renderer(Closable):
    """Headless Chromium, rendering one page at a time; threads may share a renderer and wait for each other.

    The browser starts with the first page, and is replaced after `pages_per_browser` pages and after every page that
    timed out. Its processes end with `close`, which leaving a `with` block calls, or with the program.

    By default a page has no network access at all. With `allow_loopback` it can reach everything that listens on the
    loopback of this machine, databases included: use that for trusted pages only. With `public` its scripts can load
    what they need from the public web and from the networks named there; pictures, films and fonts are not loaded.
    """

    def __init__(  # noqa: PLR0913 - each by its name
        self,
        limits: RenderLimits = DEFAULT_LIMITS,
        *,
        allow_loopback: bool = False,
        public: Iterable[str] | None = None,
        executable: str | Path | None = None,
        pages_per_browser: int = PAGES_PER_BROWSER,
        clock: Clock | None = None,
    ) -> None:
        """Find the browser: `executable`, or the system's Chromium."""
        self._limits = limits
        self._allow_loopback = allow_loopback
        self._public = None if public is None else list(public)
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
        """Run the scripts of a page as if it had come from `url`; bytes are decoded as by `broadsheet.parse`."""
        address = _PLACEHOLDER_URL if url is None else urls.resolve(url, None)
        if address is None:
            raise InputError(f"{url!r} is not an http or https URL")
        if len(page) > self._limits.max_bytes:
            raise RenderTooLarge(len(page), self._limits.max_bytes)
        data = decode(page, encoding=encoding, content_type=content_type, url=url).data
        return self._render(self._job(address, data.decode("utf-8", "replace")))

    def render_url(self, url: str) -> RenderedPage:
        """Load a page from this machine's loopback and run its scripts."""
        address = urls.resolve(url, None)
        if address is None:
            raise InputError(f"{url!r} is not an http or https URL")
        if not loopback_addresses(urls.host(address)):
            raise RenderRefused(f"{url} is not on this machine's loopback: fetch the page and render its HTML instead")
        if not self._allow_loopback:
            raise RenderRefused(f"{url} is on the loopback, which needs Renderer(allow_loopback=True)")
        return self._render(self._job(address, None))

    def close(self) -> None:
        """End the browser; closing twice is harmless."""
        with self._lock:
            self._is_closed = True
            self._end_browser()

    def _job(self, url: str, html: str | None) -> RenderJob:
        return RenderJob(
            url=url,
            html=html,
            loopback=self._allow_loopback,
            public=self._public,
            settle_seconds=self._limits.settle_seconds,
            quiet_seconds=self._limits.quiet_seconds,
            max_bytes=self._limits.max_bytes,
            max_requests=self._limits.max_requests,
            max_received=self._limits.max_received,
        )

    def _render(self, job: RenderJob) -> RenderedPage:
        with self._lock:
            if self._is_closed:
                raise RenderError("the renderer is closed")
            try:
                answer, elapsed = self._ask(job)
            except BrowserGone:
                # The browser was exiting when it was sent the page, which cannot be detected beforehand.
                answer, elapsed = self._ask(job)
        return RenderedPage(
            html=self._checked_html(answer),
            url=_BLANK_URL if answer.url == _PLACEHOLDER_URL else answer.url,
            settled=answer.settled,
            requests=answer.requests,
            received=answer.received,
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
            # Also on Ctrl-C: a late answer must not be taken for that of the next page.
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

    def _checked_html(self, answer: RenderAnswer) -> str:
        """Return the HTML of an answer, or raise its error."""
        match answer.outcome:
            case RenderOutcome.TOO_LARGE:
                raise RenderTooLarge(answer.length, self._limits.max_bytes)
            case RenderOutcome.TIMEOUT:
                seconds = self._limits.settle_seconds
                raise RenderTimeout(f"the page did not start to load within {seconds:g} seconds")
            case RenderOutcome.REFUSED:
                raise RenderRefused(answer.message)
            case RenderOutcome.FAILED:
                raise RenderFailed(answer.message)
        # Scripts may write lone surrogates, which UTF-8 cannot encode.
        data = answer.html.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()
        if len(data) > self._limits.max_bytes:
            raise RenderTooLarge(len(data), self._limits.max_bytes)
        return data.decode()
