"""Scrapy's HTTP client, extended with caps on headers and chunks and with certificate verification."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

import scrapy
from scrapy.core.downloader.handlers import http11
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.utils.httpobj import urlparse_cached
from twisted.internet.defer import Deferred
from twisted.web.http import _ChunkedTransferDecoder

from broadsheet.base.manners import Manners
from broadsheet.crawling._certificates import Certificates
from broadsheet.crawling._fetch_state import state_of
from broadsheet.crawling._lookups import CURRENT_SOURCE

#: Bytes and lines of the headers of one response; real responses have fewer than a hundred lines.
MAX_HEADER_BYTES = 262_144
MAX_HEADER_LINES = 1_000
#: Chunks of one response. Each costs as much as processing some hundred bytes, so beyond the first ones their mean
#: size must reach a minimum.
MAX_CHUNKS = 50_000
FREE_CHUNKS, MIN_MEAN_CHUNK = 2_000, 16


class FramingTooLarge(Exception):  # noqa: N818 - named after what is wrong
    """A response has too many chunks or too many headers."""


class _CappedChunks(_ChunkedTransferDecoder):
    """Decode a limited number of chunks; chunks that arrive together are passed on together."""

    def __init__(self, data: Callable[[bytes], None], finish: Callable[[bytes], None]) -> None:
        super().__init__(self._collect, self._finish)
        self._on_data = data
        self._on_finish = finish
        self._pieces: list[bytes] = []
        self._chunks = 0
        self._payload = 0

    def dataReceived(self, data: bytes) -> None:  # noqa: N802 - Twisted's name
        super().dataReceived(data)
        self._flush()

    def _dataReceived_CHUNK_LENGTH(self) -> bool:  # noqa: N802 - Twisted's name
        self._chunks += 1
        if self._chunks > MAX_CHUNKS or (
            self._chunks > FREE_CHUNKS and self._payload < MIN_MEAN_CHUNK * (self._chunks - 1)
        ):
            raise FramingTooLarge(f"the body has too many chunks: {self._chunks:,} for {self._payload:,} bytes")
        return super()._dataReceived_CHUNK_LENGTH()

    def _collect(self, data: bytes) -> None:
        self._payload += len(data)
        self._pieces.append(data)

    def _finish(self, rest: bytes) -> None:
        self._flush()
        self._on_finish(rest)

    def _flush(self) -> None:
        if self._pieces:
            pieces, self._pieces = self._pieces, []
            self._on_data(b"".join(pieces))


class _CappedParser(http11._LenientHTTPClientParser):  # noqa: SLF001 - Scrapy offers no hook
    """Parse a response with caps on its headers and chunks."""

    _transferDecoders = {b"chunked": _CappedChunks}  # type: ignore[dict-item] # noqa: N815, RUF012 - Twisted's name
    _header_bytes = 0
    _header_lines = 0

    def lineReceived(self, line: bytes) -> None:  # noqa: N802 - Twisted's name
        self._header_bytes += len(line)
        self._header_lines += 1
        if self._header_bytes > MAX_HEADER_BYTES:
            raise FramingTooLarge(f"the headers are longer than {MAX_HEADER_BYTES:,} bytes")
        if self._header_lines > MAX_HEADER_LINES:
            raise FramingTooLarge(f"the response has more than {MAX_HEADER_LINES:,} header lines")
        super().lineReceived(line)


class _CappedProtocol(http11._LenientHTTP11ClientProtocol):  # noqa: SLF001
    """Use the capped parser."""

    def request(self, request: Any) -> Deferred[Any]:  # noqa: ANN401 - Twisted's own request
        answer: Deferred[Any] = super().request(request)
        # Twisted creates the parser itself and offers no hook; both classes have the same instance state.
        self._parser.__class__ = _CappedParser
        return answer


class _CappedFactory(http11._LenientHTTP11ClientFactory):  # noqa: SLF001
    """Create capped protocols."""

    def buildProtocol(self, addr: Any) -> _CappedProtocol:  # noqa: ANN401, N802 - Twisted's name
        del addr
        return _CappedProtocol(self._quiescentCallback)  # type: ignore[no-untyped-call]


class _WebClient(http11.HTTP11DownloadHandler):
    """Download over HTTP/1.1 with certificates verified as some manners say."""

    def __init__(self, crawler: Crawler, manners: Manners) -> None:
        super().__init__(crawler)
        self._pool._factory = _CappedFactory  # noqa: SLF001 - Scrapy offers no hook
        self._contextFactory = cast("Any", Certificates(manners))


class WebHandler(_WebClient):
    """Download over HTTP/1.1.

    Requests whose certificates need not be valid have a client of their own, since a connection that was opened
    without verification must not serve other requests.
    """

    def __init__(self, crawler: Crawler) -> None:
        """Create both clients for a crawler."""
        manners: Manners = crawler.settings["MANNERS"]
        super().__init__(crawler, manners)
        self._unverified = _WebClient(crawler, replace(manners, verify_tls=False))

    async def download_request(self, request: scrapy.Request) -> Response:
        """Return the response; a name lookup counts against the source of the request."""
        state = state_of(request)
        CURRENT_SOURCE.set(state.source)
        if state.verifies(urlparse_cached(request).hostname or ""):
            return await super().download_request(request)
        return await self._unverified.download_request(request)

    async def close(self) -> None:
        """Close the connections of both clients."""
        await self._unverified.close()
        await super().close()
