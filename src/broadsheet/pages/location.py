"""Features of a page's own URL."""

from broadsheet.document import Document
from broadsheet.pages._page_titles import legal_share, words
from broadsheet.pages.address import split
from broadsheet.pages.url_features import ADDRESS, HOST, MAX_URL, measure_addresses

#: The value of every feature if the URL is not known.
UNKNOWN = -1.0

#: The feature names; all are `UNKNOWN` if neither the caller nor the page gives a URL.
LOCATION = (*(f"url_{name}" for name in (*HOST, *ADDRESS)), "url_legal")

_MISSING = (UNKNOWN,) * len(LOCATION)


def location(document: Document) -> tuple[float, ...]:
    """Return the features `LOCATION` of a page."""
    url = address_of(document)
    if not url:
        return _MISSING
    address = split(url[:MAX_URL])
    measured = measure_addresses([address])[0, : len(LOCATION) - 1].tolist()
    last = address.path.rstrip("/").rpartition("/")[2]
    return (*measured, legal_share(words(last)))


def address_of(document: Document) -> str | None:
    """Return the URL that a page was fetched from or, failing that, its canonical URL."""
    canonical = document.metadata.canonical
    return document.url or (canonical[0].value if canonical else None)
