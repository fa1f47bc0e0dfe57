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
        if errand.request.etag:
            request.headers["If-None-Match"] = errand.request.etag
        if errand.request.last_modified:
            request.headers["If-Modified-Since"] = errand.request.last_modified
