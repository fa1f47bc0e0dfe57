"""Which elements lines stand in: by tag and by the words in the elements' names, for all lines at once."""

import numpy as np
from numpy.typing import NDArray

from broadsheet.document import Document
from broadsheet.document.tags import CODES, NAMES
from broadsheet.reading.blocks.elements import Elements, Longs
from broadsheet.reading.blocks.lines import Lines
from broadsheet.reading.blocks.names import NameScores
from broadsheet.reading.blocks.table import Column
from broadsheet.reading.blocks.words import AttributeWords, code_of

_TAGS = (
    "main article form li dl figcaption figure tr table a section footer center ul p strong noscript aside nav header "
    "blockquote select pre font"
).split()
_NUMBER_OF_TAG = np.full(len(NAMES), -1, np.int64)
_NUMBER_OF_TAG[[CODES[name] for name in _TAGS]] = range(len(_TAGS))

#: Words in names whose presence around a line is told one by one; what the others say is added up.
_WORDS = sorted(
    "comments comment post entry left section box text wrapper body no modal widget share search sidebar image item "
    "footer posts wrap rich video hide hidden bio caption content article story related author".split(),
    key=code_of,
)
_CODES = np.array([code_of(word) for word in _WORDS], np.uint64)


def tag_columns(document: Document, lines: Lines, elements: Elements) -> dict[str, Column]:
    """Return how many elements with each of the telling tags each line stands in."""
    kinds = _NUMBER_OF_TAG[document.nodes.tag]
    nodes = np.flatnonzero(kinds >= 0)
    counts = _counts(elements, nodes, kinds[nodes], len(_TAGS), len(lines))
    return {f"in {tag}": column for tag, column in zip(_TAGS, counts, strict=True)}


def word_columns(words: AttributeWords, lines: Lines, elements: Elements) -> dict[str, Column]:
    """Return how many elements called by each of the telling words each line stands in."""
    place = np.minimum(np.searchsorted(_CODES, words.code), len(_CODES) - 1)
    known = np.flatnonzero(_CODES[place] == words.code)
    counts = _counts(elements, words.node[known].astype(np.int64), place[known], len(_CODES), len(lines))
    return {f"in .{word}": column for word, column in zip(_WORDS, counts, strict=True)}


def name_columns(words: AttributeWords, lines: Lines, elements: Elements, scores: NameScores) -> dict[str, Column]:
    """Return what the names around each line say together: for it, against it, and those next to it alone."""
    known, values = scores.of(words.code)
    nodes, size = words.node[known], len(lines) + 1
    first, end = elements.first[nodes], elements.end[nodes]
    found: dict[str, Column] = {}
    for name, part in (("good", np.maximum(values, 0)), ("bad", np.minimum(values, 0))):
        change = np.bincount(first, part, size) - np.bincount(end, part, size)
        found[f"names: {name}"] = np.cumsum(change)[: len(lines)]
    own = np.bincount(nodes, values, len(elements.parent))
    found["names: block"] = own[lines.block]
    found["names: parent"] = own[elements.parent[lines.block]]
    return found


def _counts(elements: Elements, nodes: Longs, kinds: Longs, width: int, count: int) -> NDArray[np.int64]:
    """Return how many of some elements of each kind each line stands in: a row per kind."""
    places, base = (count + 1) * width, kinds * (count + 1)
    change = np.bincount(base + elements.first[nodes], minlength=places)
    change -= np.bincount(base + elements.end[nodes], minlength=places)
    found: NDArray[np.int64] = np.cumsum(change.reshape(width, count + 1)[:, :count], axis=1)
    return found
