"""Versions of one page: further pages of an article or a list, and versions for print or phones, by their addresses.

Links to them say little: their texts are numbers or symbols, and they never move. But a version is what its original
is: on fifty real sites that was so for all 165 versions whose kind and whose original's kind are known for certain.
"""

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from broadsheet.pages.address import split

#: A path with more queries than this is a program that shows different pages, not one page in several versions.
MAX_QUERIES = 3
_VERSION = re.compile(
    r"(?:[-_~/,.](?:seite|teil|page|pagina|part|p|s)?[-_~]?\d{1,2}|/(?:print|drucken|amp|all|komplettansicht))$"
)


def originals_of(urls: Sequence[str]) -> NDArray[np.intp]:
    """Return for each address the place of the one that it is a version of, or its own place."""
    addresses = [split(url) for url in urls]
    paths = [(address.host, address.path.rstrip("/")) for address in addresses]
    queries = Counter(path for path, address in zip(paths, addresses, strict=True) if address.query)
    # The query of a home page can ask for anything.
    plain = {path: place for place, path in enumerate(paths) if path[1] and not addresses[place].query}
    found = np.arange(len(urls), dtype=np.intp)
    for place, (host, path) in enumerate(paths):
        if addresses[place].query:
            is_version = queries[host, path] <= MAX_QUERIES
            found[place] = plain.get((host, path), place) if is_version else place
        else:
            found[place] = plain.get((host, _VERSION.sub("", path)), place)
    return found
