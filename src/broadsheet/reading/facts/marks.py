"""What elements are called: for a date, an author, comments. Publishers of all languages name in English."""

from typing import Final

import numpy as np

from broadsheet.document import Document

#: The words in a `class`, `id`, `role` or `itemprop` that mark an element.
DATE: Final = ("date", "time", "publish", "posted")
UPDATED: Final = ("update", "modif", "revis")
AUTHOR: Final = ("author", "byline", "writer")
COMMENTS: Final = ("comment", "disqus", "respond")

_NAMES: Final = ("class", "id", "itemprop")


def marked_rows(document: Document, names: bytes, words: tuple[str, ...]) -> list[int]:
    """Return the rows of the elements whose names hold one of some words, in document order.

    `names` is the text of the document's tokens in lower case.
    """
    tokens = document.tokens
    places = [place for word in words for place in _places(names, word.encode())]
    if not places:
        return []
    rows = np.searchsorted(tokens.start, places, "right") - 1
    return sorted(set(tokens.node[rows].tolist()))


def names_of(document: Document, node: int) -> list[str]:
    """Return what an element is called."""
    called = document.element(node).get
    return [str(value) for name in _NAMES if (value := called(name))]


def _places(text: bytes, word: bytes) -> list[int]:
    found, place = [], text.find(word)
    while place >= 0:
        found.append(place)
        place = text.find(word, place + 1)
    return found
