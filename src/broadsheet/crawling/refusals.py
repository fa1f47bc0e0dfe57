"""Why a request gets no answer that may be kept: each reason in a word to count, and in a line to read."""

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

from broadsheet.crawling.certificates import Untrusted
from broadsheet.crawling.handler import FramingTooLarge

ADDRESS = "address"
CERTIFICATE = "certificate"
CONNECTION = "connection"
ENCODING = "encoding"
NAME = "name"
REDIRECTS = "redirects"
ROBOTS = "robots"
ROBOTS_UNREACHABLE = "robots unreachable"
SCHEME = "scheme"
STATUS = "status"
TIMEOUT = "timeout"
TOO_LARGE = "too large"
TOO_LARGE_DECOMPRESSED = "too large decompressed"
UNEXPECTED = "unexpected"
URL = "url"

#: What may go better a little later.
TRANSIENT = frozenset((CONNECTION, NAME, TIMEOUT))

_REASONS: tuple[tuple[type[BaseException] | tuple[type[BaseException], ...], str], ...] = (
    (DownloadTimeoutError, TIMEOUT),
    (CannotResolveHostError, NAME),
    (DownloadCancelledError, TOO_LARGE),
    (UnsupportedURLSchemeError, SCHEME),
    ((DownloadConnectionRefusedError, DownloadFailedError, ResponseDataLossError), CONNECTION),
    ((ConnectError, ConnectionClosed, OSError), CONNECTION),
)


class RequestRefused(Exception):  # noqa: N818 - it is no error: it is how a middleware says no
    """A request ends here, for a reason."""

    def __init__(self, reason: str, detail: str) -> None:
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
