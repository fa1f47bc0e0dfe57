"""What can go wrong with rendering: errors of one page are `InputError`s, those of the browser are not."""

from broadsheet.base import reasons
from broadsheet.base.errors import BroadsheetError, InputError, LimitError


class RenderError(BroadsheetError):
    """A page could not be rendered."""


class BrowserMissing(RenderError):
    """Playwright or Chromium is not installed; the text says how to install it."""


class BrowserFailed(RenderError):
    """The browser is there but does not start."""


class RenderRefused(RenderError, InputError):
    """The page lies at an address that the renderer may not go to."""

    reason = reasons.ADDRESS


class RenderFailed(RenderError, InputError):
    """The page could not be loaded, or took its browser down."""


class BrowserGone(RenderFailed):
    """The browser ended before it took the page up, so the page is not to blame."""


class RenderTimeout(RenderError, InputError):
    """The page did not answer before its time was up; its browser was ended."""

    reason = reasons.TOO_SLOW


class RenderTooLarge(RenderError, LimitError):
    """The page, or what its scripts made of it, is longer than the cap."""

    what = "length in bytes, rendered,"
    reason = reasons.TOO_LONG


class RenderTooMuchMemory(RenderError, LimitError):
    """The browser took more memory for the page than the cap; it was ended."""

    what = "memory in bytes, rendered,"
    reason = reasons.TOO_MUCH_MEMORY
