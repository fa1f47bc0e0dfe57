"""Refuse anything but http and https, on every hop."""

import scrapy
from scrapy.utils.httpobj import urlparse_cached

from broadsheet.base.reasons import SCHEME, URL
from broadsheet.crawling._fetch_state import state_of
from broadsheet.crawling._refusals import RequestRefused

_SCHEMES = frozenset(("http", "https"))
_MAX_LABEL = 63


class SchemesMiddleware:
    """Refuse URLs that are not http or https or have no valid host, and record the visited URLs of a request."""

    def process_request(self, request: scrapy.Request) -> None:
        """Check the scheme and the host."""
        state = state_of(request)
        if state.invalid:
            raise RequestRefused(URL, state.invalid)
        parts = urlparse_cached(request)
        if parts.scheme not in _SCHEMES:
            raise RequestRefused(SCHEME, f"{request.url} is not an http or https URL")
        if not _has_valid_host(request):
            raise RequestRefused(URL, f"{request.url} has no valid host")
        state.visited.add(request.url)


def _has_valid_host(request: scrapy.Request) -> bool:
    parts = urlparse_cached(request)
    try:
        # The port is parsed on access and may be invalid.
        return _has_valid_labels(parts.hostname or "") and parts.port != 0
    except ValueError:
        return False


def _has_valid_labels(host: str) -> bool:
    """Return whether all labels of a host have a valid length; Twisted's resolver never answers for others."""
    return all(0 < len(label) <= _MAX_LABEL for label in host.removesuffix(".").split("."))
