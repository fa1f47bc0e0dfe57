"""The language of a page, and the order of day and month that follows from it."""

import re
from typing import Final

from broadsheet.base.domains import registrable_domain
from broadsheet.document import Document
from broadsheet.document.metadata import Value

_TAG: Final = re.compile(r"([A-Za-z]{2,3})(?:[-_]([A-Za-z0-9]{2,8}))*\Z")
#: English-speaking regions where the month comes first; everywhere else the day does.
_MONTH_FIRST: Final = frozenset(("us", "ph"))
#: Country domains that are used as generic ones.
_GENERIC: Final = frozenset(("ai", "cc", "co", "fm", "gg", "io", "is", "ly", "me", "sh", "to", "tv", "us", "vc", "ws"))


def find_language(document: Document) -> Value | None:
    """Return the first valid language in the metadata, as a tag with hyphens."""
    for value in document.metadata.languages:
        tag = value.value.strip().partition(",")[0].partition(".")[0]
        if _TAG.fullmatch(tag):
            first, *rest = tag.replace("_", "-").split("-")
            return Value("-".join((first.lower(), *rest)), value.source, value.node)
    return None


def month_first(document: Document, language: str | None) -> bool:
    """Tell whether 3/2/2026 is the second of March, as in the English of the United States."""
    if language is not None and language != "en":
        return False
    for value in document.metadata.languages:
        first, _, region = value.value.strip().lower().replace("_", "-").partition("-")
        if first == "en" and region:
            return region in _MONTH_FIRST
    suffix = registrable_domain(document.url).rpartition(".")[2] if document.url else ""
    return len(suffix) != 2 or suffix in _GENERIC
