"""What a page's own address shows."""

from broadsheet.document import Document
from broadsheet.pages.address import split
from broadsheet.pages.page_titles import legal_share, words
from broadsheet.pages.url_features import ADDRESS, HOST, MAX_URL, measure_addresses

#: What the address would show where it is not known.
UNKNOWN = -1.0

#: An address in numbers, all `UNKNOWN` where neither the caller nor the page tells it.
LOCATION = (*(f"url_{name}" for name in (*HOST, *ADDRESS)), "url_legal")

_NOWHERE = (UNKNOWN,) * len(LOCATION)


def location(document: Document) -> tuple[float, ...]:
    """Return the numbers of `LOCATION` for a page."""
    url = address_of(document)
    if not url:
        return _NOWHERE
    address = split(url[:MAX_URL])
    measured = measure_addresses([address])[0, : len(LOCATION) - 1].tolist()
    last = address.path.rstrip("/").rpartition("/")[2]
    return (*measured, legal_share(words(last)))


def address_of(document: Document) -> str | None:
    """Return the address that a page was found at or, if none is known, that it gives itself."""
    canonical = document.metadata.canonical
    return document.url or (canonical[0].value if canonical else None)
