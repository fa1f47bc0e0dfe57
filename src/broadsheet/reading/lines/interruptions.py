"""Text between the lines of the body that is not part of it: captions of pictures, and links to other stories.

Corpora disagree about both, so the nets learn little from their labels. By the annotation guide they are not body.
"""

import re
from typing import Final

import numpy as np
from numpy.typing import NDArray

from broadsheet.document import Document
from broadsheet.document.columns import Ints
from broadsheet.document.tags import CODES
from broadsheet.reading._subtrees import Mask, subtree_pieces, tag_mask
from broadsheet.reading.lines.lines import Lines

Floats = NDArray[np.float32]

#: The highest probability that such a line can have.
LOWERED: Final = np.float32(0.05)
#: An element with more words than this is no caption, whatever its name: some pages tell a story below its pictures.
MOST_WORDS: Final = 100
#: The least share of a paragraph's characters in links. One that has other words too is rather a sentence.
LEAST_LINKS: Final = 0.95

#: "Caption" with a small or a capital letter; a name with "captions" is that of something else, such as a player.
_CAPTION: Final = re.compile(rb"aption(?!s)")
_PARAGRAPH: Final = CODES["p"]
#: Paragraphs in these are items of a list or cells of a table, which the guide counts as body.
_LISTS: Final = tag_mask(frozenset({"li", "td", "th", "dd"}))


def lower_interruptions(document: Document, lines: Lines, probabilities: Floats) -> Floats:
    """Lower the probability of captions, and of paragraphs that are nothing but links."""
    interrupts = _is_link(document, lines)
    captions = _captions(document)
    if len(captions):
        interrupts |= subtree_pieces(document, captions)[lines.first]
    return np.where(interrupts, np.minimum(probabilities, LOWERED), probabilities)


def _is_link(document: Document, lines: Lines) -> Mask:
    tag, parent = document.nodes.tag, document.nodes.parent
    in_list = _LISTS[tag.take(parent.take(lines.block))]
    is_link: Mask = lines.link_characters >= LEAST_LINKS * lines.characters
    is_paragraph: Mask = tag.take(lines.block) == _PARAGRAPH
    return is_link & is_paragraph & ~in_list


def _captions(document: Document) -> Ints:
    """Return the elements that are captions by their tag or by a word in their class or id."""
    nodes, tokens, words = document.nodes, document.tokens, document.sums.words
    found = [match.start() for match in _CAPTION.finditer(tokens.text)]
    named = tokens.node.take(tokens.start.searchsorted(found, "right") - 1) if found else tokens.node[:0]
    captions = np.unique(np.concatenate((document.rows("figcaption"), named)))
    length = words.take(nodes.piece_end.take(captions)) - words.take(nodes.piece_start.take(captions))
    return captions[length <= MOST_WORDS]
