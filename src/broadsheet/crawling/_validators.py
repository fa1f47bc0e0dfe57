"""Make requests conditional, so that an unchanged page is not sent again."""

import scrapy

from broadsheet.crawling._fetch_state import state_of


class ValidatorsMiddleware:
    """Send the validators of a request to its own URL, never to the target of a redirect."""

    def process_request(self, request: scrapy.Request) -> None:
        """Add the validators to the first hop."""
        state = state_of(request)
        if len(state.visited) > 1:
            return
        for name, value in (
            ("If-None-Match", state.request.etag),
            ("If-Modified-Since", state.request.last_modified),
        ):
            if value and (encoded := _encode(value)):
                request.headers[name] = encoded


def _encode(value: str) -> bytes | None:
    """Return the original bytes of a header value, or None if it cannot have come from a header."""
    try:
        # Scrapy would encode it as UTF-8, and the server would not recognise its validator.
        return value.encode("latin-1")
    except UnicodeEncodeError:
        return None
