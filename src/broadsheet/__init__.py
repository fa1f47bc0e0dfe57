"""Broadsheet archives the news: it finds sections, follows them, identifies pages and reads articles."""

from broadsheet._version import __version__
from broadsheet.base.errors import BroadsheetError, ConfigError, InputError, LimitError
from broadsheet.base.limits import Limits
from broadsheet.document import Document, parse

__all__ = [
    "BroadsheetError",
    "ConfigError",
    "Document",
    "InputError",
    "LimitError",
    "Limits",
    "__version__",
    "parse",
]
