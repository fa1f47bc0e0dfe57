"""Page furniture, the boilerplate around an article: navigation, controls, hidden elements, and telling class names.

Publishers all over the world name classes and ids in English, so the words below do not depend on the page's language.
"""

import re
from functools import lru_cache

import numpy as np

from broadsheet.document import Document
from broadsheet.document.columns import Tokens
from broadsheet.document.tags import BLOCKS
from broadsheet.reading._subtrees import Longs, Mask, Rows, subtree_nodes, tag_mask

#: An element with more than this share of the page's text outside links is never furniture, whatever its class.
MAX_TEXT = 0.3

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
    """Return a mask of the nodes in page furniture; elements with much of the page's text are exempt."""
    is_furniture = _TAGS.take(document.nodes.tag)
    for nodes in (_hidden(document), _named(document)):
        is_furniture[nodes] = True
    rows = np.flatnonzero(is_furniture)
    text = _text(document, rows)
    return subtree_nodes(document, rows[text <= MAX_TEXT * _text(document, _ROOT)])


def _text(document: Document, rows: Rows) -> Longs:
    """Return the number of characters outside links below each node."""
    sums = document.sums
    start, end = document.nodes.piece_start.take(rows), document.nodes.piece_end.take(rows)
    return (
        sums.characters.take(end)
        - sums.characters.take(start)
        - (sums.link_characters.take(end) - sums.link_characters.take(start))
    )


def _hidden(document: Document) -> Mask:
    """Return a mask of the nodes hidden by their own attributes."""
    numbers, sets = document.attribute_sets(("style",), ("hidden",))
    hidden: Mask = np.array([_hides(attributes) for attributes in sets], np.bool_).take(numbers)
    return hidden


def _hides(attributes: tuple[str, ...]) -> bool:
    """Tell whether attributes, given as alternating names and values, hide their element."""
    for name, value in zip(attributes[::2], attributes[1::2], strict=True):
        if name == "hidden" or _HIDING.search(value):
            return True
    return False


def _named(document: Document) -> list[int]:
    """Return the blocks whose class or id names furniture."""
    tokens, nodes = document.tokens, document.nodes
    # Most elements with classes have no text or are inline, and need not be checked.
    is_candidate = _BLOCKS.take(nodes.tag) & (nodes.piece_end > nodes.piece_start)
    rows = np.flatnonzero(is_candidate.take(tokens.node) & _KINDS.take(tokens.kind))
    text = tokens.text
    columns = (column.take(rows).tolist() for column in (tokens.node, tokens.start, tokens.end))
    return [node for node, start, end in zip(*columns, strict=True) if _is_furniture(text[start:end])]


# Cached because the pages of a site share their classes.
@lru_cache(maxsize=65_536)
def _is_furniture(token: bytes) -> bool:
    return _WORDS.search(_HUMP.sub(b"-", token).lower()) is not None
