"""What errors of the downloader mean: a reason of the table to count by, and a line to read."""

from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    ResponseDataLossError,
    UnsupportedURLSchemeError,
)
from twisted.internet.error import ConnectError, ConnectionClosed

from broadsheet.base.reasons import (
    CERTIFICATE,
    CONNECTION,
    NAME,
    SCHEME,
    TIMEOUT,
    TOO_LARGE,
    UNEXPECTED,
    Reason,
)
from broadsheet.crawling.certificates import Untrusted
from broadsheet.crawling.handler import FramingTooLarge

_REASONS: tuple[tuple[type[BaseException] | tuple[type[BaseException], ...], Reason], ...] = (
    (DownloadTimeoutError, TIMEOUT),
    (CannotResolveHostError, NAME),
    (DownloadCancelledError, TOO_LARGE),
    (UnsupportedURLSchemeError, SCHEME),
    ((DownloadConnectionRefusedError, DownloadFailedError, ResponseDataLossError), CONNECTION),
    ((ConnectError, ConnectionClosed, OSError), CONNECTION),
)


class RequestRefused(Exception):  # noqa: N818 - it is no error: it is how a middleware says no
    """A request ends here, for a reason."""

    def __init__(self, reason: Reason, detail: str) -> None:
        """Keep the reason to count by and the line to read."""
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


def refusal(error: BaseException) -> RequestRefused:
    """Return what an error of the downloader means."""
    if isinstance(error, RequestRefused):
        return error
    for cause in _causes(error):
        if isinstance(cause, FramingTooLarge):
            return RequestRefused(TOO_LARGE, str(cause))
        if isinstance(cause, Untrusted):
            return RequestRefused(CERTIFICATE, str(cause))
    for kinds, reason in _REASONS:
        if isinstance(error, kinds):
            return RequestRefused(reason, _line(error))
    return unexpected(error)


def unexpected(error: BaseException) -> RequestRefused:
    """Return what an error means that nobody has thought of."""
    return RequestRefused(UNEXPECTED, _line(error))


def _causes(error: BaseException) -> list[BaseException]:
    """Return what Twisted says went wrong with an answer, which it wraps several times."""
    return [failure.value for failure in getattr(error.__cause__, "reasons", ())]


def _line(error: BaseException) -> str:
    cause = next(iter(_causes(error)), error)
    text = " ".join(str(cause).split())
    return f"{type(cause).__name__.lstrip('_')}: {text}" if text else type(cause).__name__.lstrip("_")
