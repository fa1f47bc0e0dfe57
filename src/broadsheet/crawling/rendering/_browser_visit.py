"""Render one page in the browser: load it, wait until it settles, and read its DOM."""

import asyncio
import re

from playwright.async_api import Browser, BrowserContext, Dialog, Error, Page, Request, Route
from playwright.async_api import TimeoutError as PlaywrightTimeout

from broadsheet.crawling.rendering._gate import DIALOG, NAVIGATION, POPUP, Gate
from broadsheet.crawling.rendering._probe import Probe
from broadsheet.crawling.rendering._render_messages import RenderAnswer, RenderJob, RenderOutcome
from broadsheet.crawling.rendering._stillness import Stillness

_POLL_SECONDS = 0.1
_ERROR_CODE = re.compile(r"net::(ERR_\w+)")


async def visit(browser: Browser, gate: Gate, job: RenderJob) -> RenderAnswer:
    """Render one page in a fresh browser context, isolated from all other pages."""
    context = await browser.new_context(
        accept_downloads=False,
        service_workers="block",
        # Dates that a script writes must not depend on the machine.
        locale="en-US",
        timezone_id="UTC",
    )
    try:
        return await _Visit(context, gate, job).answer()
    except Error as error:
        return RenderAnswer(RenderOutcome.FAILED, _reason(error))
    finally:
        await context.close()


class _Visit:
    """The state of one visit, updated by browser events."""

    def __init__(self, context: BrowserContext, gate: Gate, job: RenderJob) -> None:
        self._context = context
        self._gate = gate
        self._job = job
        self._opened = False
        self._hop = job.url
        self._stillness = Stillness(job.quiet_seconds, self._now())
        self._end = self._now() + job.settle_seconds

    async def answer(self) -> RenderAnswer:
        """Render the page and return the result or the failure."""
        page = await self._prepare()
        failure = await self._open(page)
        if failure:
            return failure
        probe = await Probe.attach(page)
        settled = await self._settle(probe)
        length = await probe.length()
        if length > self._job.max_bytes:
            return RenderAnswer(RenderOutcome.TOO_LARGE, length=length)
        return RenderAnswer(
            RenderOutcome.DONE,
            html=await probe.html(),
            url=page.url,
            settled=settled,
            requests=self._gate.requests,
            received=self._gate.received,
            blocked=dict(self._gate.blocked),
        )

    async def _prepare(self) -> Page:
        await self._context.route("**/*", self._route)
        page = await self._context.new_page()
        self._context.on("page", self._close_popup)
        self._context.on("dialog", self._dismiss)
        self._context.on("request", self._request_began)
        for event in ("requestfinished", "requestfailed"):
            self._context.on(event, self._request_ended)
        return page

    async def _open(self, page: Page) -> RenderAnswer | None:
        """Navigate to the page; return None once it starts to load, or the failure."""
        try:
            await page.goto(self._job.url, wait_until="commit", timeout=(self._end - self._now()) * 1000)
        except PlaywrightTimeout:
            return RenderAnswer(RenderOutcome.TIMEOUT)
        except Error as error:
            if self._job.html is None and self._gate.objection(self._hop):
                return RenderAnswer(
                    RenderOutcome.REFUSED, f"{self._job.url} redirects to {self._hop}, which the renderer may not fetch"
                )
            return RenderAnswer(RenderOutcome.FAILED, f"{self._hop} could not be loaded: {_reason(error)}")
        return None

    async def _settle(self, probe: Probe) -> bool:
        """Wait until the page is still or its time is up; return whether it became still."""
        while self._now() < self._end:
            shape = await probe.shape()
            self._stillness.update_dom(shape, self._now())
            # Text that exceeds the cap already would only cost more memory.
            if self._stillness.is_reached(self._now()) or shape.text > self._job.max_bytes:
                return True
            await asyncio.sleep(_POLL_SECONDS)
        return False

    async def _route(self, route: Route) -> None:
        request = route.request
        is_top = request.is_navigation_request() and _is_top(request)
        if is_top and not self._opened:
            self._opened = True
            if self._job.html is not None:
                body = self._job.html.encode("utf-8", "replace")
                await route.fulfill(body=body, content_type="text/html; charset=utf-8")
                return
        elif is_top:
            self._gate.refuse(NAVIGATION)
            # With any other error code, Chromium would replace the page with an error page.
            await route.abort("aborted")
            return
        if self._gate.admit(request.url, request.resource_type):
            await route.continue_()
        else:
            await route.abort("blockedbyclient")

    async def _close_popup(self, page: Page) -> None:
        self._gate.refuse(POPUP)
        await page.close()

    async def _dismiss(self, dialog: Dialog) -> None:
        self._gate.refuse(DIALOG)
        await dialog.dismiss()

    def _request_began(self, request: Request) -> None:
        self._stillness.request_began(request, self._now())
        if request.is_navigation_request() and _is_top(request):
            self._hop = request.url

    def _request_ended(self, request: Request) -> None:
        self._stillness.request_ended(request, self._now())

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()


def _is_top(request: Request) -> bool:
    try:
        return request.frame.parent_frame is None
    except Error:
        # Playwright has no frame yet, which only happens for a page that is being opened.
        return True


def _reason(error: Error) -> str:
    code = _ERROR_CODE.search(error.message)
    return code[1] if code else error.message.partition("\n")[0]
