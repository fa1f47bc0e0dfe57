"""Redirects, followed as far as they may go and never in a circle."""

import scrapy
from scrapy.http import Response

from broadsheet.base import statuses, urls
from broadsheet.base.reasons import REDIRECTS, SCHEME, URL
from broadsheet.crawling.errand import errand_of
from broadsheet.crawling.refusals import RequestRefused
from broadsheet.crawling.spider import host_of


class RedirectsMiddleware:
    """Sends an errand on to where an answer points; the next hop queues as any request of its source does."""

    def process_response(self, request: scrapy.Request, response: Response) -> Response | scrapy.Request:
        """Return the next hop; an answer that only says that it redirects is the page."""
        if errand_of(request).is_robots:
            # A page that is under way waits for it: whoever asked decides how it goes on.
            return response
        return next_hop(request, response) or response


def next_hop(request: scrapy.Request, response: Response) -> scrapy.Request | None:
    """Return the request for where an answer points, if it points anywhere."""
    location = response.headers.get("Location")
    if response.status not in statuses.REDIRECTS or not location:
        return None
    errand = errand_of(request)
    target = urls.resolve(location.decode("utf-8", "replace"), response.url)
    if target is None:
        raise RequestRefused(
            SCHEME, f"{response.url} redirects to {_shown(location)}, which is not an http or https address"
        )
    if len(target) > urls.MAX_LENGTH:
        raise RequestRefused(URL, f"{response.url} redirects to an address of more than {urls.MAX_LENGTH:,} characters")
    try:
        hop = request.replace(url=target, headers={}, priority=request.priority)
        # Where the scheduler could not read the host, the request would be lost without a word.
        host_of(hop)
    except ValueError as error:
        raise RequestRefused(URL, f"{response.url} redirects to {_shown(location)}, which is not an address") from error
    if hop.url in errand.visited:
        raise RequestRefused(REDIRECTS, f"{response.url} redirects to {hop.url} again")
    if len(errand.visited) > errand.max_redirects:
        raise RequestRefused(REDIRECTS, f"there are more than {errand.max_redirects} redirects")
    # The slot is that of the host that the request came from.
    hop.meta.pop("download_slot", None)
    return hop


def _shown(location: bytes) -> str:
    return ascii(location[:200].decode("latin-1"))
