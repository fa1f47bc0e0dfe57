"""What the two readers of seed 000 find on a page, and its longest text without a tag in between."""

from typing import NamedTuple

import numpy as np

from broadsheet.document import Document
from broadsheet.reading import coreex, subsequence


class Content(NamedTuple):
    """The readers' findings as numbers; the tags are told one by one, because a tree of numbers cannot hold a name."""

    #: The value of the best run of text: its characters, less those between that are no text.
    mss: float
    #: The same, as a share of the page's characters.
    mss_share: float
    coreex_score: float
    #: The words under the main content node's set.
    coreex_words: float
    #: What share that is of the words of the page that stand in no link.
    coreex_share: float
    main_is_body: float
    main_is_p: float
    set_is_p: float
    set_is_text: float
    #: Words of the longest text with no tag in between.
    longest_text: float


class Findings(NamedTuple):
    """What the readers found, in their own terms."""

    mss: int
    mss_share: float
    coreex: coreex.CoreExResult


def find(document: Document) -> Findings:
    """Run both readers as published: what a page is shows in its furniture, too."""
    run = subsequence.run(document, exact=True)
    total = run.best.total if run.best else 0
    characters = int(run.segments.length.sum())
    return Findings(int(total), total / characters if characters else 0.0, coreex.run(document, exact=True))


def content(document: Document) -> Content:
    """Return the features of a page's content."""
    found = find(document)
    words = np.diff(document.sums.words)
    free = int(words[document.pieces.link < 0].sum())
    taken = int(words[found.coreex.pieces].sum())
    return Content(
        found.mss,
        found.mss_share,
        found.coreex.score,
        taken,
        taken / free if free else 0.0,
        found.coreex.tag == "body",
        found.coreex.tag == "p",
        found.coreex.set_tag == "p",
        found.coreex.set_tag == coreex.TEXT_TAG,
        longest_text(document),
    )


def longest_text(document: Document) -> int:
    """Return the number of words in the longest text without a tag in between (seed 001)."""
    return int(np.diff(document.sums.words).max(initial=0))
