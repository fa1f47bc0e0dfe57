"""Broadsheet archives the news: it finds sections, follows them, identifies pages and reads articles.

Names are loaded when they are first asked for, so that whoever wants only one of them waits for no other.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from broadsheet._version import __version__

if TYPE_CHECKING:
    from broadsheet.base.errors import BroadsheetError, ConfigError, InputError, LimitError
    from broadsheet.base.limits import Limits
    from broadsheet.base.records import Article
    from broadsheet.document import Document, parse
    from broadsheet.newsroom.archive import Archive
    from broadsheet.pages.analysis import Page, analyse
    from broadsheet.pages.extraction import extract
    from broadsheet.pages.identify import identify
    from broadsheet.pages.urls import identify_url

_HOMES = {
    "Archive": "broadsheet.newsroom.archive",
    "Article": "broadsheet.base.records",
    "BroadsheetError": "broadsheet.base.errors",
    "ConfigError": "broadsheet.base.errors",
    "Document": "broadsheet.document",
    "InputError": "broadsheet.base.errors",
    "LimitError": "broadsheet.base.errors",
    "Limits": "broadsheet.base.limits",
    "Page": "broadsheet.pages.analysis",
    "analyse": "broadsheet.pages.analysis",
    "extract": "broadsheet.pages.extraction",
    "identify": "broadsheet.pages.identify",
    "identify_url": "broadsheet.pages.urls",
    "parse": "broadsheet.document",
}

__all__ = [
    "Archive",
    "Article",
    "BroadsheetError",
    "ConfigError",
    "Document",
    "InputError",
    "LimitError",
    "Limits",
    "Page",
    "__version__",
    "analyse",
    "extract",
    "identify",
    "identify_url",
    "parse",
]


def __getattr__(name: str) -> object:
    """Load a public name from the room it lives in."""
    if name not in _HOMES:
        raise AttributeError(f"broadsheet has no {name}")
    found: object = getattr(import_module(_HOMES[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """List what is public."""
    return __all__
