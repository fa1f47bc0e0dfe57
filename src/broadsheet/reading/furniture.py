"""What no article consists of, in any language: navigation, controls, what is hidden, and what its class says it is.

Publishers all over the world name their classes and ids in English, so the words below are about markup, not text.
"""

import re
from functools import lru_cache

import numpy as np

from broadsheet.document import Document
from broadsheet.document.columns import Tokens
from broadsheet.document.tags import BLOCKS
from broadsheet.reading.subtrees import Longs, Mask, Rows, subtree_nodes, tag_mask

#: An element with more than this share of the page's text that is no link is kept, whatever it is called.
MOST_TEXT = 0.3

_TAGS = tag_mask(frozenset("nav footer aside noscript button label dialog svg template figure figcaption".split()))
_BLOCKS = tag_mask(BLOCKS)
_KINDS = np.isin(Tokens.KINDS, ("class", "id"))
_WORDS = re.compile(
    rb"(?:^|[-_])(?:comments?|disqus\w*|respond|replies|reply|share|sharing|shares|social\w*|addthis\w*|related\w*|"
    rb"sidebar\w*|footer\w*|nav\w*|menus?|breadcrumbs?|promos?|newsletter\w*|subscribe|subscription|recommend\w+|"
    rb"popular|trending|outbrain|taboola|advert\w*|ads?|sponsor\w*|cookies?|consent|banner|(?<!elementor-)widgets?|"
    rb"tags?|bio|copyright|popup|modal|toolbar|pagination|pager|hidden|login|signup|donate)(?:$|[-_0-9])"
)
_ROOT = np.zeros(1, np.intp)
_HUMP = re.compile(rb"(?<=[a-z])(?=[A-Z])")
_HIDING = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)


def furniture(document: Document) -> Mask:
    """Return which nodes lie in something that no article consists of; what holds much text never does."""
    found = _TAGS.take(document.nodes.tag)
    for named in (_hidden(document), _named(document)):
        found[named] = True
    rows = np.flatnonzero(found)
    text = _text(document, rows)
    return subtree_nodes(document, rows[text <= MOST_TEXT * _text(document, _ROOT)])


def _text(document: Document, rows: Rows) -> Longs:
    """Return the characters outside links below some nodes."""
    sums = document.sums
    start, end = document.nodes.piece_start.take(rows), document.nodes.piece_end.take(rows)
    return (
        sums.characters.take(end)
        - sums.characters.take(start)
        - (sums.link_characters.take(end) - sums.link_characters.take(start))
    )


def _hidden(document: Document) -> Mask:
    """Return which nodes their own attributes hide."""
    numbers, sets = document.attribute_sets(("style",), ("hidden",))
    hidden: Mask = np.array([_hides(attributes) for attributes in sets], np.bool_).take(numbers)
    return hidden


def _hides(attributes: tuple[str, ...]) -> bool:
    """Tell whether attributes, as names and values in turn, hide their element."""
    for name, value in zip(attributes[::2], attributes[1::2], strict=True):
        if name == "hidden" or _HIDING.search(value):
            return True
    return False


def _named(document: Document) -> list[int]:
    """Return the blocks whose class or id says that they are furniture."""
    tokens, nodes = document.tokens, document.nodes
    # Most elements with classes hold no text or are part of a line, and need no judging.
    worth = _BLOCKS.take(nodes.tag) & (nodes.piece_end > nodes.piece_start)
    rows = np.flatnonzero(worth.take(tokens.node) & _KINDS.take(tokens.kind))
    text = tokens.text
    columns = (column.take(rows).tolist() for column in (tokens.node, tokens.start, tokens.end))
    return [node for node, start, end in zip(*columns, strict=True) if _is_furniture(text[start:end])]


# The pages of a site share their classes, and few words make most classes of all.
@lru_cache(maxsize=65_536)
def _is_furniture(token: bytes) -> bool:
    return _WORDS.search(_HUMP.sub(b"-", token).lower()) is not None
