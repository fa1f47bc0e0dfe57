"""What a page's own address shows."""

from typing import NamedTuple

from broadsheet.document import Document
from broadsheet.pages.url_features import FEATURES, measure

#: What the address would show where it is not known.
UNKNOWN = -1.0


class Location(NamedTuple):
    """A page's address in numbers, all `UNKNOWN` where neither the caller nor the page tells it."""

    url_depth: float
    url_slash: float
    url_slug_words: float
    url_date: float
    url_longest_number: float
    url_path_length: float
    url_last_words: float
    url_last_length: float
    url_listing: float
    url_service: float
    url_media: float
    url_parameters: float


_COLUMNS = [FEATURES.index(name.removeprefix("url_")) for name in Location._fields]
_NOWHERE = Location(*(UNKNOWN,) * len(_COLUMNS))


def location(document: Document) -> Location:
    """Return the features of the address that the page was found at or, if none is known, that it gives itself."""
    canonical = document.metadata.canonical
    url = document.url or (canonical[0].value if canonical else None)
    return Location(*measure([url])[0, _COLUMNS].tolist()) if url else _NOWHERE
