"""Follow redirects, up to a limit and never in a loop."""

import scrapy
from scrapy.http import Response

from broadsheet.base import statuses, urls
from broadsheet.base.reasons import REDIRECTS, SCHEME, URL
from broadsheet.crawling._fetch_state import state_of
from broadsheet.crawling._refusals import RequestRefused
from broadsheet.crawling._spider import host_of


class RedirectsMiddleware:
    """Turn a redirect into a request for its target, which is queued like any other request of its source."""

    def process_response(self, request: scrapy.Request, response: Response) -> Response | scrapy.Request:
        """Return the next hop; a redirect without a `Location` is treated as a page."""
        if state_of(request).is_robots:
            # RobotsMiddleware follows these itself, because a page in flight waits for them.
            return response
        return next_hop(request, response) or response


def next_hop(request: scrapy.Request, response: Response) -> scrapy.Request | None:
    """Return the request for the target of a redirect, or None if the response is not one."""
    location = response.headers.get("Location")
    if response.status not in statuses.REDIRECTS or not location:
        return None
    state = state_of(request)
    target = urls.resolve(location.decode("utf-8", "replace"), response.url)
    if target is None:
        raise RequestRefused(
            SCHEME, f"{response.url} redirects to {_quote(location)}, which is not an http or https URL"
        )
    if len(target) > urls.MAX_LENGTH:
        raise RequestRefused(URL, f"{response.url} redirects to a URL longer than {urls.MAX_LENGTH:,} characters")
    try:
        hop = request.replace(url=target, headers={}, priority=request.priority)
        # If the scheduler could not parse the host, the request would be lost silently.
        host_of(hop)
    except ValueError as error:
        raise RequestRefused(
            URL, f"{response.url} redirects to {_quote(location)}, which is not a valid URL"
        ) from error
    if hop.url in state.visited:
        raise RequestRefused(REDIRECTS, f"{response.url} redirects in a loop, back to {hop.url}")
    if len(state.visited) > state.max_redirects:
        raise RequestRefused(REDIRECTS, f"{state.request.url} redirects more than {state.max_redirects} times")
    # The slot belongs to the host that redirects.
    hop.meta.pop("download_slot", None)
    return hop


def _quote(location: bytes) -> str:
    return ascii(location[:200].decode("latin-1"))
