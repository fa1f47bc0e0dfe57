"""The shapes of a site's addresses: what varies from page to page is left out, what the site's addresses share is kept.

`/markets/gold-eases-from-a-peak/articleshow/762` and `/tech/a-phone-for-every-budget/articleshow/98` have one shape,
`/*/words/articleshow/number`, if nothing but `articleshow` is common to addresses of the site.
"""

import re
from collections import Counter
from collections.abc import Sequence

from broadsheet.pages.address import split

#: A segment is part of a shape as it stands if this many addresses of its host have it above their last one.
COMMON = 3
#: A segment of this many words is a title.
TITLE_WORDS = 4
#: The segments above the last one that tell shapes apart.
KEPT = 2

_ENDING = re.compile(r"\.[a-z]{2,5}$")
_BETWEEN_WORDS = re.compile(r"[-_+,.]+")

Shape = tuple[str, tuple[str, ...], int, str, bool]


def address_shapes(urls: Sequence[str]) -> list[Shape]:
    """Return the shape of each address: host, segments above the last, depth, the last one's class, and any query."""
    addresses = [split(url) for url in urls]
    paths = [[segment for segment in address.path.split("/") if segment] for address in addresses]
    common = Counter(
        place
        for address, path in zip(addresses, paths, strict=True)
        for place in {(address.host, segment) for segment in path[:-1]}
    )
    shapes = []
    for address, path in zip(addresses, paths, strict=True):
        above = [part if common[address.host, part] >= COMMON else segment_class(part) for part in path[:-1]]
        last = segment_class(path[-1]) if path else ""
        shapes.append((address.host, tuple(above[-KEPT:]), len(path), last, bool(address.query)))
    return shapes


def segment_class(segment: str) -> str:
    """Return what kind of segment it is: a number, a title, a name with digits, or a name."""
    stem = _ENDING.sub("", segment)
    if stem.isdigit():
        return "number"
    if len([word for word in _BETWEEN_WORDS.split(stem) if word]) >= TITLE_WORDS:
        return "words"
    return "name with digits" if any(sign.isdigit() for sign in stem) else "name"
