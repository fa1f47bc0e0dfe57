"""Scrapy's HTTP client with caps on headers and chunks, which it has none on, and certificates that are verified."""

from collections.abc import Callable
from typing import Any, cast

import scrapy
from scrapy.core.downloader.handlers import http11
from scrapy.crawler import Crawler
from scrapy.http import Response
from twisted.internet.defer import Deferred
from twisted.web.http import _ChunkedTransferDecoder

from broadsheet.crawling.certificates import Certificates
from broadsheet.crawling.errand import errand_of
from broadsheet.crawling.lookups import ASKING

#: Header lines of one answer, in bytes, and how many they are; real answers have fewer than a hundred.
MOST_HEADER_BYTES = 262_144
MOST_HEADER_LINES = 1_000
#: Chunks of one answer. Each costs as much as the work on some hundred bytes, so after the first ones they must
#: hold some bytes on average.
MOST_CHUNKS = 50_000
FEW_CHUNKS, LEAST_CHUNK = 2_000, 16


class FramingTooLarge(Exception):  # noqa: N818 - it says what is wrong
    """An answer is cut into too many pieces, or its headers do not end."""


class _CappedChunks(_ChunkedTransferDecoder):
    """Reads chunks up to a number, and passes on together those that came together."""

    def __init__(self, data: Callable[[bytes], None], finish: Callable[[bytes], None]) -> None:
        super().__init__(self._collect, self._finish)
        self._pass_on = data
        self._end = finish
        self._pieces: list[bytes] = []
        self._chunks = 0
        self._payload = 0

    def dataReceived(self, data: bytes) -> None:  # noqa: N802 - Twisted names it so
        super().dataReceived(data)
        self._flush()

    def _dataReceived_CHUNK_LENGTH(self) -> bool:  # noqa: N802 - Twisted names it so
        self._chunks += 1
        if self._chunks > MOST_CHUNKS or (
            self._chunks > FEW_CHUNKS and self._payload < LEAST_CHUNK * (self._chunks - 1)
        ):
            raise FramingTooLarge(f"the body came in {self._chunks:,} chunks of {self._payload:,} bytes together")
        return super()._dataReceived_CHUNK_LENGTH()

    def _collect(self, data: bytes) -> None:
        self._payload += len(data)
        self._pieces.append(data)

    def _finish(self, rest: bytes) -> None:
        self._flush()
        self._end(rest)

    def _flush(self) -> None:
        if self._pieces:
            pieces, self._pieces = self._pieces, []
            self._pass_on(b"".join(pieces))


class _CappedParser(http11._LenientHTTPClientParser):  # noqa: SLF001 - Scrapy gives no other way in
    """Reads an answer whose headers and chunks have an end."""

    _transferDecoders = {b"chunked": _CappedChunks}  # type: ignore[dict-item] # noqa: N815, RUF012 - Twisted names it so
    _header_bytes = 0
    _header_lines = 0

    def lineReceived(self, line: bytes) -> None:  # noqa: N802 - Twisted names it so
        self._header_bytes += len(line)
        self._header_lines += 1
        if self._header_bytes > MOST_HEADER_BYTES:
            raise FramingTooLarge(f"the headers are more than {MOST_HEADER_BYTES:,} bytes")
        if self._header_lines > MOST_HEADER_LINES:
            raise FramingTooLarge(f"the headers are more than {MOST_HEADER_LINES:,} lines")
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
        self._contextFactory = cast("Any", Certificates(crawler.settings["MANNERS"]))

    async def download_request(self, request: scrapy.Request) -> Response:
        """Return the answer; a name that has to be looked up is looked up on behalf of the request's source."""
        ASKING.set(errand_of(request).source)
        return await super().download_request(request)
