"""Errors of the downloader in words: no name of a class that only programmers know."""

import pytest
from OpenSSL import SSL
from scrapy.exceptions import DownloadConnectionRefusedError, DownloadTimeoutError
from twisted.internet.error import ConnectionDone, ConnectionLost
from twisted.web._newclient import ParseError

from broadsheet.base.reasons import CONNECTION, TIMEOUT, UNEXPECTED, Reason
from broadsheet.crawling._refusals import refusal


class WrappedError(ConnectionError):
    """An error as Twisted gives it: what went wrong is among the reasons of its cause."""

    def __init__(self, cause: Exception) -> None:
        super().__init__("[<twisted.python.failure.Failure>]")
        self.__cause__ = _Reasons(cause)


class _Reasons(Exception):  # noqa: N818 - stands for a class of that shape
    def __init__(self, cause: Exception) -> None:
        super().__init__()
        self.reasons = [_Held(cause)]


class _Held:
    def __init__(self, value: Exception) -> None:
        self.value = value


@pytest.mark.parametrize(
    ("error", "reason", "detail"),
    [
        (DownloadConnectionRefusedError("111: refused."), CONNECTION, "the server refused the connection"),
        (DownloadTimeoutError("Getting x took longer than 3 seconds."), TIMEOUT, "the server took too long to answer"),
        (
            WrappedError(ConnectionLost()),
            CONNECTION,
            "the server closed the connection before it had answered completely",
        ),
        (
            WrappedError(ConnectionDone()),
            CONNECTION,
            "the server closed the connection before it had answered completely",
        ),
        (WrappedError(ParseError("wrong number of parts", b"SSH")), CONNECTION, "the server does not answer in HTTP"),  # type: ignore[no-untyped-call]  # of Twisted
        (
            WrappedError(SSL.Error([("SSL routines", "", "wrong version number")])),
            CONNECTION,
            "no secure connection could be made: wrong version number",
        ),
        (WrappedError(SSL.Error([])), CONNECTION, "no secure connection could be made: the server ended it"),
        (KeyError("odd."), UNEXPECTED, "KeyError: 'odd.'"),
        (RuntimeError("It broke."), UNEXPECTED, "RuntimeError: It broke"),
    ],
)
def test_errors_are_told_in_words(error: Exception, reason: Reason, detail: str) -> None:
    refused = refusal(error)

    assert (refused.reason, refused.detail) == (reason, detail)
