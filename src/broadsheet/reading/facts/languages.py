"""The language that a page is written in, and what follows from it for the order of a date's numbers."""

import re
from typing import Final

from broadsheet.base.domains import registrable_domain
from broadsheet.document import Document
from broadsheet.document.metadata import Value

_TAG: Final = re.compile(r"([A-Za-z]{2,3})(?:[-_]([A-Za-z0-9]{2,8}))*\Z")
#: Where English is written and the month comes first; everywhere else the day does.
_MONTH_FIRST: Final = frozenset(("us", "ph"))
#: Domains of countries that are used as if they were of none.
_NOWHERE: Final = frozenset(("ai", "cc", "co", "fm", "gg", "io", "is", "ly", "me", "sh", "to", "tv", "us", "vc", "ws"))


def find_language(document: Document) -> Value | None:
    """Return the first statement of a language that is one, as a tag with hyphens."""
    for value in document.metadata.languages:
        written = value.value.strip().partition(",")[0].partition(".")[0]
        if _TAG.fullmatch(written):
            first, *rest = written.replace("_", "-").split("-")
            return Value("-".join((first.lower(), *rest)), value.source, value.node)
    return None


def month_first(document: Document, language: str | None) -> bool:
    """Tell whether 3/2/2026 is the second of March: in the English of the United States and a few others."""
    if language is not None and language != "en":
        return False
    for value in document.metadata.languages:
        first, _, region = value.value.strip().lower().replace("_", "-").partition("-")
        if first == "en" and region:
            return region in _MONTH_FIRST
    suffix = registrable_domain(document.url).rpartition(".")[2] if document.url else ""
    return len(suffix) != 2 or suffix in _NOWHERE
