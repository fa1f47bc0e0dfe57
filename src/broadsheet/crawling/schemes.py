"""Only http and https are fetched, on every hop, whatever a redirect says."""

import scrapy
from scrapy.utils.httpobj import urlparse_cached

from broadsheet.base.reasons import SCHEME, URL
from broadsheet.crawling.errand import errand_of
from broadsheet.crawling.refusals import RequestRefused

_SCHEMES = frozenset(("http", "https"))
_LONGEST_LABEL = 63


class SchemesMiddleware:
    """Refuses what is not a page of the web, and notes where an errand has been."""

    def process_request(self, request: scrapy.Request) -> None:
        """Let http and https with a host pass."""
        parts = urlparse_cached(request)
        if parts.scheme not in _SCHEMES:
            raise RequestRefused(SCHEME, f"{request.url} is not an http or https address")
        if not _has_host(request):
            raise RequestRefused(URL, f"{request.url} names no host")
        errand_of(request).visited.add(request.url)


def _has_host(request: scrapy.Request) -> bool:
    parts = urlparse_cached(request)
    try:
        # The port is read only when asked for, and may be none.
        return _is_name(parts.hostname or "") and parts.port != 0
    except ValueError:
        return False


def _is_name(host: str) -> bool:
    """Say whether a host's labels are as long as labels may be; on others Twisted's resolver never answers."""
    return all(0 < len(label) <= _LONGEST_LABEL for label in host.removesuffix(".").split("."))
