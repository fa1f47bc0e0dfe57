"""Scrapy's HTTP client with a cap on headers, which it has none on."""

from typing import Any

from scrapy.core.downloader.handlers import http11
from scrapy.crawler import Crawler
from twisted.internet.defer import Deferred

#: Header lines of one answer, in bytes.
MOST_HEADER_BYTES = 262_144


class HeadersTooLarge(Exception):  # noqa: N818 - it says what is wrong
    """The headers of an answer do not end."""


class _CappedParser(http11._LenientHTTPClientParser):  # noqa: SLF001 - Scrapy gives no other way in
    """Reads an answer whose headers have an end."""

    _header_bytes = 0

    def lineReceived(self, line: bytes) -> None:  # noqa: N802 - Twisted names it so
        self._header_bytes += len(line)
        if self._header_bytes > MOST_HEADER_BYTES:
            raise HeadersTooLarge(f"the headers are more than {MOST_HEADER_BYTES:,} bytes")
        super().lineReceived(line)


class _CappedProtocol(http11._LenientHTTP11ClientProtocol):  # noqa: SLF001
    """Reads answers with the capped parser."""

    def request(self, request: Any) -> Deferred[Any]:  # noqa: ANN401 - Twisted's own request
        answer: Deferred[Any] = super().request(request)
        # Twisted makes the parser itself; it has no state beyond that of the class it is made of.
        self._parser.__class__ = _CappedParser
        return answer


class _CappedFactory(http11._LenientHTTP11ClientFactory):  # noqa: SLF001
    """Makes capped protocols."""

    def buildProtocol(self, addr: Any) -> _CappedProtocol:  # noqa: ANN401, N802 - Twisted names it so
        del addr
        return _CappedProtocol(self._quiescentCallback)  # type: ignore[no-untyped-call]


class WebHandler(http11.HTTP11DownloadHandler):
    """Downloads over HTTP/1.1."""

    def __init__(self, crawler: Crawler) -> None:
        """Make the client of a crawler."""
        super().__init__(crawler)
        self._pool._factory = _CappedFactory  # noqa: SLF001 - Scrapy gives no other way in
