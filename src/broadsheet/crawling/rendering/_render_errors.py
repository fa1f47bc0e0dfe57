"""Errors of rendering: those of a page are `InputError`s, those of the browser are not."""

from broadsheet.base import reasons
from broadsheet.base.errors import BroadsheetError, InputError, LimitError


class RenderError(BroadsheetError):
    """A page could not be rendered."""


class BrowserMissing(RenderError):
    """Playwright or Chromium is not installed; the message tells how to install it."""


class BrowserFailed(RenderError):
    """The browser is installed but does not start."""


class RenderRefused(RenderError, InputError):
    """The page is at an address that the renderer may not fetch."""

    reason = reasons.ADDRESS


class RenderFailed(RenderError, InputError):
    """The page could not be loaded, or crashed its browser."""


class BrowserGone(RenderFailed):
    """The browser exited before it received the page, so the page is not to blame."""


class RenderTimeout(RenderError, InputError):
    """The page was not rendered in time; its browser was killed."""

    reason = reasons.TOO_SLOW


class RenderTooLarge(RenderError, LimitError):
    """The page, or the DOM that its scripts produced, exceeds the cap."""

    what = "length in bytes, rendered,"
    reason = reasons.TOO_LONG


class RenderTooMuchMemory(RenderError, LimitError):
    """The browser exceeded the memory cap on the page; it was killed."""

    what = "memory in bytes, rendered,"
    reason = reasons.TOO_MUCH_MEMORY
