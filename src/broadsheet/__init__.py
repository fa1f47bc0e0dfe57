"""Broadsheet archives the news: it finds sections, follows them, identifies pages and reads articles.

Names are loaded when they are first asked for, so that whoever wants only one of them waits for no other.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from broadsheet._version import __version__
from broadsheet.base.extras import needing

if TYPE_CHECKING:
    from broadsheet.base.errors import BroadsheetError, ConfigError, InputError, LimitError
    from broadsheet.base.fetched_page import FetchedPage
    from broadsheet.base.limits import Limits
    from broadsheet.base.manners import Manners
    from broadsheet.base.quotas import Quotas
    from broadsheet.base.records import Article, Verdict
    from broadsheet.crawling.crawl_errors import FetchError
    from broadsheet.crawling.one_page import fetch
    from broadsheet.document import Document, parse
    from broadsheet.newsroom.archiving import Archive
    from broadsheet.pages.analysis import Page, analyse
    from broadsheet.pages.extraction import extract
    from broadsheet.pages.identify import identify
    from broadsheet.pages.url_verdicts import identify_url

_HOMES = {
    "Archive": "broadsheet.newsroom.archiving",
    "Article": "broadsheet.base.records",
    "BroadsheetError": "broadsheet.base.errors",
    "ConfigError": "broadsheet.base.errors",
    "Document": "broadsheet.document",
    "FetchError": "broadsheet.crawling.crawl_errors",
    "FetchedPage": "broadsheet.base.fetched_page",
    "InputError": "broadsheet.base.errors",
    "LimitError": "broadsheet.base.errors",
    "Limits": "broadsheet.base.limits",
    "Manners": "broadsheet.base.manners",
    "Page": "broadsheet.pages.analysis",
    "Quotas": "broadsheet.base.quotas",
    "Verdict": "broadsheet.base.records",
    "analyse": "broadsheet.pages.analysis",
    "extract": "broadsheet.pages.extraction",
    "fetch": "broadsheet.crawling.one_page",
    "identify": "broadsheet.pages.identify",
    "identify_url": "broadsheet.pages.url_verdicts",
    "parse": "broadsheet.document",
}

__all__ = [
    "Archive",
    "Article",
    "BroadsheetError",
    "ConfigError",
    "Document",
    "FetchError",
    "FetchedPage",
    "InputError",
    "LimitError",
    "Limits",
    "Manners",
    "Page",
    "Quotas",
    "Verdict",
    "__version__",
    "analyse",
    "extract",
    "fetch",
    "identify",
    "identify_url",
    "parse",
]


def __getattr__(name: str) -> object:
    """Load a public name from the room it lives in."""
    if name not in _HOMES:
        raise AttributeError(f"broadsheet has no {name}")
    with needing("crawl", f"broadsheet.{name}"):
        found: object = getattr(import_module(_HOMES[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """List what is public."""
    return __all__
