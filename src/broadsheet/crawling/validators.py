"""Conditional requests: a page that is still as it was need not be sent again."""

import scrapy

from broadsheet.crawling.errand import errand_of


class ValidatorsMiddleware:
    """Sends the validators of a request with its own URL, and never to where that redirects."""

    def process_request(self, request: scrapy.Request) -> None:
        """Put the validators on the first hop."""
        errand = errand_of(request)
        if len(errand.visited) > 1:
            return
        for name, value in (
            ("If-None-Match", errand.request.etag),
            ("If-Modified-Since", errand.request.last_modified),
        ):
            if value and (sent := _as_it_came(value)):
                request.headers[name] = sent


def _as_it_came(value: str) -> bytes | None:
    """Return the bytes of a header's value; None for what no header held, so that the page is asked for anew."""
    try:
        # Scrapy would write UTF-8, and the server would not know its validator again.
        return value.encode("latin-1")
    except UnicodeEncodeError:
        return None
