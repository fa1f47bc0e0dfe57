"""Pages over HTTP without sockets: conditional requests, redirects, and what identification makes of a page."""

import gzip
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urljoin

import broadsheet
from benchmarks.news_crawl.grounds import Addresses, Answer
from broadsheet.base import statuses
from broadsheet.base.errors import BroadsheetError
from broadsheet.base.limits import Limits
from broadsheet.base.records import Kind
from broadsheet.document.feeds import read_listing
from broadsheet.newsweb.response import Response

#: Answers a request: the URL, the time, and the headers.
Serve = Callable[[str, datetime, Mapping[str, str]], Response]
_MAX_REDIRECTS = 3
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A page that was parsed: what `broadsheet.identify` says that it is, and its links to its own site."""

    kind: Kind
    links: tuple[str, ...]


class PageReader:
    """Reads pages and files; equal ones at one address once."""

    def __init__(self) -> None:
        """Begin without any."""
        self._read: dict[bytes, ReadPage] = {}

    def read(self, addresses: Addresses, url: str, at: datetime, response: Response) -> ReadPage:
        """Return what a page is and links to."""
        digest = hashlib.blake2b(url.encode() + b"\0" + response.body, digest_size=16).digest()
        if digest not in self._read:
            self._read[digest] = _read(addresses, url, at, response)
        return self._read[digest]


def _read(addresses: Addresses, url: str, at: datetime, response: Response) -> ReadPage:
    content_type = response.headers.get("Content-Type", "")
    body = gzip.decompress(response.body) if response.body.startswith(_GZIP) else response.body
    try:
        if "html" not in content_type:
            listing = read_listing(body, url, at, content_type=content_type, limits=Limits())
            return ReadPage("other", addresses.own([item.url for item in listing.items]))
        document = broadsheet.parse(body, url)
        verdict = broadsheet.identify(document, url)
    except BroadsheetError:
        # A page that cannot be parsed is not an article and has no links.
        return ReadPage("other", ())
    return ReadPage(verdict.kind, addresses.own(list(document.links.urls)))


@dataclass(frozen=True, slots=True)
class ServedPage:
    """A page that is read when somebody wants to know what it is."""

    reader: PageReader
    addresses: Addresses
    url: str
    at: datetime
    response: Response

    @property
    def kind(self) -> Kind:
        """What it is."""
        return self._page.kind

    @property
    def links(self) -> tuple[str, ...]:
        """Where it leads."""
        return self._page.links

    @property
    def _page(self) -> ReadPage:
        return self.reader.read(self.addresses, self.url, self.at, self.response)


class ServedPages:
    """Answers requests with what a server sends, and keeps its validators."""

    def __init__(self, addresses: Addresses, serve: Serve, reader: PageReader) -> None:
        """Take the server."""
        self._addresses = addresses
        self._serve = serve
        self._reader = reader
        self._validators: dict[str, tuple[Mapping[str, str], int]] = {}

    def forget(self) -> None:
        """Forget all validators."""
        self._validators.clear()

    def fetch(self, address: str, at: datetime, *, again: bool) -> Answer:
        """Ask for a page, follow redirects, and count bytes."""
        url, requests, size = self._addresses.url(address), 0, 0
        headers, known = self._validators.get(address, ({}, 0)) if again else ({}, 0)
        while True:
            response = self._serve(url, at, headers)
            requests, size = requests + 1, size + len(response.body)
            location = response.headers.get("Location")
            if location is None or requests > _MAX_REDIRECTS:
                break
            url, headers = urljoin(url, location), {}
        if response.status == statuses.NOT_MODIFIED:
            return Answer(address, at, response.status, None, requests, size, size + known)
        if response.status != statuses.OK:
            return Answer(address, at, response.status, None, requests, size, size)
        self._validators[address] = _conditions(response), len(response.body)
        page = ServedPage(self._reader, self._addresses, url, at, response)
        return Answer(address, at, response.status, page, requests, size, size)


def _conditions(response: Response) -> Mapping[str, str]:
    pairs = (("If-None-Match", "ETag"), ("If-Modified-Since", "Last-Modified"))
    return {name: response.headers[header] for name, header in pairs if header in response.headers}
