"""Translate manners into Scrapy settings, with all of Scrapy's default components turned off."""

import sys
from typing import Any

from broadsheet.base.manners import Manners
from broadsheet.crawling._identity import IdentityMiddleware, user_agent
from broadsheet.crawling._lookups import MAX_LOOKUPS
from broadsheet.crawling._pauses import PausesMiddleware
from broadsheet.crawling._redirects import RedirectsMiddleware
from broadsheet.crawling._retries import RetriesMiddleware
from broadsheet.crawling._robots import RobotsMiddleware
from broadsheet.crawling._scheduler import Scheduler
from broadsheet.crawling._schemes import SchemesMiddleware
from broadsheet.crawling._validators import ValidatorsMiddleware
from broadsheet.crawling.capture import CaptureMiddleware

#: Ordered from the engine to the downloader; responses pass in reverse order.
MIDDLEWARES: dict[Any, int] = {
    SchemesMiddleware: 100,
    RobotsMiddleware: 200,
    PausesMiddleware: 250,
    RedirectsMiddleware: 300,
    RetriesMiddleware: 400,
    ValidatorsMiddleware: 500,
    IdentityMiddleware: 600,
    CaptureMiddleware: 700,
}


def scrapy_settings(manners: Manners) -> dict[str, Any]:
    """Return the settings that live and simulated crawls share."""
    return {
        "DOWNLOADER_MIDDLEWARES_BASE": {},
        "DOWNLOADER_MIDDLEWARES": MIDDLEWARES,
        "SPIDER_MIDDLEWARES_BASE": {},
        "EXTENSIONS_BASE": {},
        "SCHEDULER": Scheduler,
        "STATS_CLASS": "scrapy.statscollectors.DummyStatsCollector",
        "DOWNLOAD_HANDLERS_BASE": {},
        "USER_AGENT": user_agent(manners),
        # Unlimited here: the scheduler limits concurrency per source.
        "CONCURRENT_REQUESTS": 0,
        "CONCURRENT_REQUESTS_PER_DOMAIN": manners.per_host,
        # Scrapy starts this many tasks for every response, and we produce no items.
        "CONCURRENT_ITEMS": 1,
        "DOWNLOAD_DELAY": manners.delay,
        # The delay is a minimum; Scrapy's jitter could halve it.
        "DOWNLOAD_DELAY_JITTER": 0,
        "DOWNLOAD_TIMEOUT": manners.timeout,
        "DOWNLOAD_MAXSIZE": manners.max_bytes,
        "DOWNLOAD_WARNSIZE": 0,
        # Scrapy pauses downloads while more bytes than this are being processed, but counts bodies as received;
        # the scheduler pauses by their decoded size instead (see `_decisions`).
        "SCRAPER_SLOT_MAX_ACTIVE_SIZE": sys.maxsize,
        "REACTOR_THREADPOOL_MAXSIZE": MAX_LOOKUPS,
        "WARN_ON_GENERATOR_RETURN_VALUE": False,
    }
