"""Element names that indicate a date, an author or comments. Publishers in all languages use English names."""

from typing import Final

from broadsheet.document import Document

#: Words in `class`, `id` or `itemprop`.
DATE: Final = ("date", "time", "publish", "posted")
UPDATED: Final = ("update", "modif", "revis")
AUTHOR: Final = ("author", "byline", "writer")
COMMENTS: Final = ("comment", "disqus", "respond")

_NAMES: Final = ("class", "id", "itemprop")


def marked_rows(document: Document, names: bytes, words: tuple[str, ...]) -> list[int]:
    """Return the rows of the elements whose names contain one of the words, in document order.

    `names` is the text of the document's tokens in lower case.
    """
    tokens = document.tokens
    offsets = [offset for word in words for offset in _offsets(names, word.encode())]
    if not offsets:
        return []
    rows = tokens.start.searchsorted(offsets, "right") - 1
    return sorted(set(tokens.node[rows].tolist()))


def names_of(document: Document, node: int) -> list[str]:
    """Return the names of an element."""
    return [value for name in _NAMES if (value := document.attribute(node, name))]


def _offsets(text: bytes, word: bytes) -> list[int]:
    offsets, offset = [], text.find(word)
    while offset >= 0:
        offsets.append(offset)
        offset = text.find(word, offset + 1)
    return offsets
