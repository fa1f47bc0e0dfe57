"""What CoreEx and the maximum scoring subsequence find on a page, and its longest text without a tag in between."""

from typing import NamedTuple

import numpy as np

from broadsheet.document import Document
from broadsheet.reading import coreex, subsequence


class Findings(NamedTuple):
    """What the readers found, in their own terms."""

    #: The value of the best run of text: its characters, less those between that are no text.
    mss: int
    #: The same, as a share of the page's characters.
    mss_share: float
    coreex: coreex.CoreExResult


def find(document: Document) -> Findings:
    """Run both readers as published: what a page is shows in its furniture, too."""
    run = subsequence.run(document, exact=True)
    total = run.best.total if run.best else 0
    characters = int(run.segments.length.sum())
    return Findings(int(total), total / characters if characters else 0.0, coreex.run(document, exact=True))


def longest_text(document: Document) -> int:
    """Return the number of words in the longest text without a tag in between."""
    return int(np.diff(document.sums.words).max(initial=0))
