"""Who is asking, and what it can take: the headers of every request."""

import scrapy
from scrapy.crawler import Crawler

from broadsheet._version import __version__
from broadsheet.base.manners import Manners
from broadsheet.crawling.encodings import accepted
from broadsheet.crawling.spider import job_of

#: The name that a robots.txt addresses us by.
TOKEN = "Broadsheet"  # noqa: S105 - it is no secret


def user_agent(manners: Manners) -> str:
    """Return the name, the version and how to reach whoever runs the crawler."""
    contact = manners.contact.strip()
    return f"{TOKEN}/{__version__} (+{contact})" if contact else f"{TOKEN}/{__version__}"


class IdentityMiddleware:
    """Puts the same headers on every request; no cookie and no referrer is among them."""

    def __init__(self, manners: Manners) -> None:
        """Write the headers down once."""
        self._headers = {
            "User-Agent": user_agent(manners),
            "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
            "Accept-Encoding": accepted(),
        }

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "IdentityMiddleware":
        """Make the middleware of a crawler."""
        return cls(job_of(crawler).manners)

    def process_request(self, request: scrapy.Request) -> None:
        """Put the headers on."""
        request.headers.update(self._headers)
