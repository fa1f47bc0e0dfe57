"""Text between the lines of the body that is not part of it: captions of pictures, and links to other stories.

Corpora disagree about both, so the nets learn little from their labels. By the annotation guide they are not body.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.domains import registrable_domain
from broadsheet.base.urls import key, resolve
from broadsheet.document import Document
from broadsheet.document.tags import CODES
from broadsheet.reading._captions import find_captions
from broadsheet.reading._subtrees import Mask, subtree_pieces
from broadsheet.reading.lines.lines import Lines

Floats = NDArray[np.float32]

#: The highest probability that such a line can have.
LOWERED: Final = np.float32(0.05)
#: If captions have a larger share than this of the words that are expected in the body, they are the story.
MAX_SHARE: Final = 0.5
#: The least share of a line's characters in links: "Read more:" may stand before one; with more words it is a sentence.
MIN_LINKS: Final = 0.85
#: No more lines than this are looked at; each link that is resolved takes time.
MAX_LINES: Final = 200

_PARAGRAPH, _ITEM = CODES["p"], CODES["li"]


def lower_interruptions(document: Document, lines: Lines, probabilities: Floats) -> Floats:
    """Lower the probability of captions, and of paragraphs and items that only link to other pages of the site."""
    lowered = probabilities.copy()
    captions = find_captions(document)
    if len(captions):
        is_caption = subtree_pieces(document, captions)[lines.first]
        expected = probabilities * lines.words
        if expected[is_caption].sum() <= MAX_SHARE * expected.sum():
            lowered[is_caption] = LOWERED
    if document.url:
        lowered[_links_within_site(document, lines, document.url, probabilities > LOWERED)] = LOWERED
    return np.minimum(lowered, probabilities)


def _links_within_site(document: Document, lines: Lines, url: str, is_likely: Mask) -> list[int]:
    found = (is_likely & (lines.link_characters >= MIN_LINKS * lines.characters)).nonzero()[0]
    if not len(found):
        return []
    tag, parent, blocks = document.nodes.tag, document.nodes.parent, lines.block.take(found)
    block = tag.take(blocks)
    is_own = (block == _PARAGRAPH) | (block == _ITEM) | (tag.take(parent.take(blocks)) == _ITEM)
    own: list[int] = found[is_own].tolist()
    site, page = registrable_domain(url), key(url)
    return [line for line in own[:MAX_LINES] if _leads_within(document, lines, line, site, page)]


def _leads_within(document: Document, lines: Lines, line: int, site: str, page: str) -> bool:
    """Tell whether the first link of a line leads to another page of the site."""
    inside = document.pieces.link[lines.first[line] : lines.end[line]]
    link = int(document.hrefs.node.searchsorted(inside[inside >= 0][0]))
    target = resolve(document.href(link), document.base_url)
    return target is not None and registrable_domain(target) == site and key(target) != page
