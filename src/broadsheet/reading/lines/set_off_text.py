"""Text within the body that is set off from it, code and posts of social networks, and that the nets underestimate."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from broadsheet.document import Document
from broadsheet.document.columns import Ints
from broadsheet.reading._subtrees import Mask, subtree_pieces
from broadsheet.reading.lines.line_choice import choose
from broadsheet.reading.lines.lines import Lines

Floats = NDArray[np.float32]

#: The share of preformatted words between the body's lines that are body, on 47 pages of the train sites. So few pages
#: have any that the nets underestimate it.
CODE: Final = np.float32(0.69)
#: Corpora disagree about embedded posts, so the nets learn nothing from them. By the annotation guide they are body.
POST: Final = np.float32(0.9)
#: The class names that networks give to the quotation which their scripts turn into a post.
POST_NAMES: Final = frozenset({
    "twitter-tweet", "twitter-video", "instagram-media", "tiktok-embed", "bluesky-embed", "text-post-media",
    "fb-xfbml-parse-ignore", "reddit-embed-bq", "reddit-card", "mastodon-embed", "imgur-embed-pub",
})  # fmt: skip
#: An article may end with a post: one belongs to it that begins at most so many lines after the rest of the body.
LINES_BEHIND: Final = 8


def raise_set_off(document: Document, lines: Lines, probabilities: Floats) -> Floats:
    """Raise the probability of code between two lines of the body, and of posts after its first line."""
    code, posts = document.rows("pre"), _posts(document)
    if not len(code) and not len(posts):
        return probabilities
    is_code, is_post = subtree_pieces(document, code)[lines.first], subtree_pieces(document, posts)[lines.first]
    body = np.flatnonzero(choose(probabilities, lines.words) & ~is_code & ~is_post)
    if not len(body):
        return probabilities
    place = np.arange(len(lines))
    raised = _at_least(CODE, probabilities, is_code & (place > body[0]) & (place < body[-1]))
    return _at_least(POST, raised, _following(is_post, int(body[0]), int(body[-1])))


def _at_least(bound: np.float32, probabilities: Floats, chosen: Mask) -> Floats:
    return np.where(chosen, np.maximum(probabilities, bound), probabilities)


def _following(is_post: Mask, first: int, last: int) -> Mask:
    """Return which lines of posts are within the body, or follow it or another such post closely."""
    following = np.zeros_like(is_post)
    for line in np.flatnonzero(is_post).tolist():
        if first < line <= last + LINES_BEHIND:
            following[line] = True
            last = max(last, line)
    return following


def _posts(document: Document) -> Ints:
    """Return the quotations that are embedded posts."""
    quotations = document.rows("blockquote")
    if not len(quotations):
        return quotations
    tokens = document.tokens
    first, end = tokens.node.searchsorted(quotations), tokens.node.searchsorted(quotations, "right")
    is_post = [
        any(tokens.token(row) in POST_NAMES for row in range(*rows))
        for rows in zip(first.tolist(), end.tolist(), strict=True)
    ]
    return quotations[is_post]
