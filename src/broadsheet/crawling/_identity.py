"""The headers that every request has: who is asking, and what is accepted."""

import scrapy
from scrapy.crawler import Crawler

from broadsheet._version import __version__
from broadsheet.base.manners import Manners
from broadsheet.crawling._spider import job_of
from broadsheet.crawling.encodings import accepted_encodings

#: The product token to look for in robots.txt (RFC 9309).
TOKEN = "Broadsheet"  # noqa: S105 - not a secret


def user_agent(manners: Manners) -> str:
    """Return the User-Agent: name, version and the contact of the operator."""
    contact = manners.contact.strip()
    return f"{TOKEN}/{__version__} (+{contact})" if contact else f"{TOKEN}/{__version__}"


class IdentityMiddleware:
    """Set the same headers on every request; no cookies, no referrer."""

    def __init__(self, manners: Manners) -> None:
        """Build the headers once."""
        self._headers = {
            "User-Agent": user_agent(manners),
            "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
            "Accept-Encoding": accepted_encodings(),
        }

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "IdentityMiddleware":
        """Create the middleware for a crawler."""
        return cls(job_of(crawler).manners)

    def process_request(self, request: scrapy.Request) -> None:
        """Set the headers."""
        request.headers.update(self._headers)
