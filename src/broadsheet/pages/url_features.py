"""Features of a URL and the text of a link to it, independent of language and domain."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from broadsheet.pages._address_measures import measure_address, measure_anchor
from broadsheet.pages.address import Address, own_labels, split
from broadsheet.pages.reserved import KINDS, LISTING, MEDIA, SERVICE

#: Anchors are truncated to this many characters, as the labelled ones were.
MAX_ANCHOR = 100

#: Longer URLs are truncated: the rest adds cost but no information.
MAX_URL = 2_000

HOST = ("host_labels", "host_service", "host_listing", "host_media", "page_extension")

#: The features that `_address_measures.measure_address` fills, in order.
ADDRESS = tuple(
    """
    depth path_length slash
    last_length last_words last_letters last_digits last_short_words last_longest_word last_number last_ends_in_digit
    last_mixed above_is_number
    slug_words slug_length slug_from_end slug_short_words slug_longest_word
    first_length first_words words digits numbers longest_number longest_mixed date
    parameters query_length query_number
    last_service service last_listing listing above_listing last_media media
    only_segment last_is_number
    """.split()
)

#: The features that `_address_measures.measure_anchor` fills, in order.
ANCHOR = tuple(f"anchor_{name}" for name in "width words short_words longest_word digits upper marks sentence".split())

FEATURES = (*HOST, *ADDRESS, *ANCHOR)

_MARKS = ",:;\"'„“”‚‘’–—«»‹›、，：；「」『』"
_ENDS = ".?!…。？！"

Rows = NDArray[np.float32]


def measure(urls: Sequence[str], anchors: Sequence[str | None] | None = None) -> Rows:
    """Return one row of `FEATURES` per URL; without an anchor, its features are missing (NaN)."""
    return measure_addresses([split(url[:MAX_URL]) for url in urls], anchors)


def measure_addresses(addresses: Sequence[Address], anchors: Sequence[str | None] | None = None) -> Rows:
    """Return one row of `FEATURES` per parsed URL."""
    rows = np.full((len(addresses), len(FEATURES)), np.nan, np.float32)
    anchor_start = len(HOST) + len(ADDRESS)
    for row, address, anchor in zip(rows, addresses, anchors or [None] * len(addresses), strict=True):
        row[:4] = _host(address.host)
        row[4] = address.extension == "page"
        measure_address(address.path, address.query, KINDS, row[len(HOST) : anchor_start])
        if anchor is not None:
            measure_anchor(" ".join(anchor.split())[:MAX_ANCHOR], _MARKS, _ENDS, row[anchor_start:])
    return rows


@lru_cache(maxsize=4096)
def _host(host: str) -> tuple[int, int, int, int]:
    labels = own_labels(host)
    kinds = [KINDS.get(word, 0) for label in labels for word in label.split("-")]
    return (len(labels), *(sum(kind & wanted > 0 for kind in kinds) for wanted in (SERVICE, LISTING, MEDIA)))  # type: ignore[return-value]
