"""Translate errors of the downloader into a reason to count by and a line for people."""

from OpenSSL import SSL
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
from twisted.web._newclient import ParseError

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
from broadsheet.crawling._certificates import UntrustedCertificate
from broadsheet.crawling._handler import FramingTooLarge

_REASONS: tuple[tuple[type[BaseException] | tuple[type[BaseException], ...], Reason], ...] = (
    (DownloadTimeoutError, TIMEOUT),
    (CannotResolveHostError, NAME),
    (DownloadCancelledError, TOO_LARGE),
    (UnsupportedURLSchemeError, SCHEME),
    ((DownloadConnectionRefusedError, DownloadFailedError, ResponseDataLossError), CONNECTION),
    ((ConnectError, ConnectionClosed, OSError), CONNECTION),
)
#: Errors whose own text says little to those who do not know the libraries.
_IN_WORDS: tuple[tuple[type[BaseException], str], ...] = (
    (DownloadConnectionRefusedError, "the server refused the connection"),
    (DownloadTimeoutError, "the server took too long to answer"),
    (ConnectionClosed, "the server closed the connection before it had answered completely"),
    (ParseError, "the server does not answer in HTTP"),
)


class RequestRefused(Exception):  # noqa: N818 - raised by middlewares to end a request
    """A request is refused or has failed, for a reason."""

    def __init__(self, reason: Reason, detail: str) -> None:
        """Take a reason to count by and a line for people."""
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


def refusal(error: BaseException) -> RequestRefused:
    """Translate an error of the downloader."""
    if isinstance(error, RequestRefused):
        return error
    for cause in _causes(error):
        if isinstance(cause, FramingTooLarge):
            return RequestRefused(TOO_LARGE, str(cause))
        if isinstance(cause, UntrustedCertificate):
            return RequestRefused(CERTIFICATE, str(cause))
    for kinds, reason in _REASONS:
        if isinstance(error, kinds):
            return RequestRefused(reason, _format_error(error))
    return unexpected(error)


def unexpected(error: BaseException) -> RequestRefused:
    """Wrap an error that has no reason of its own."""
    return RequestRefused(UNEXPECTED, _format_error(error))


def _causes(error: BaseException) -> list[BaseException]:
    """Return the errors that Twisted wrapped into one."""
    return [failure.value for failure in getattr(error.__cause__, "reasons", ())]


def _format_error(error: BaseException) -> str:
    cause = next(iter(_causes(error)), error)
    for kind, words in _IN_WORDS:
        if isinstance(cause, kind):
            return words
    if isinstance(cause, SSL.Error):
        return f"no secure connection could be made: {_tls_reason(cause)}"
    text = " ".join(str(cause).split()).removesuffix(".")
    return f"{type(cause).__name__.lstrip('_')}: {text}" if text else type(cause).__name__.lstrip("_")


def _tls_reason(error: SSL.Error) -> str:
    """Return what OpenSSL says went wrong; an error holds tuples of library, function and reason."""
    entries = error.args[0] if error.args and isinstance(error.args[0], list) else []
    return ", ".join(dict.fromkeys(str(entry[-1]) for entry in entries if entry)) or "the server ended it"
