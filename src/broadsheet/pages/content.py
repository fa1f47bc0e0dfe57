"""What CoreEx and the maximum scoring subsequence find on a page, and its longest text without a tag.

These are the content features of Standke's *Identifying Online News Articles* (2019).
"""

from typing import NamedTuple

import numpy as np

from broadsheet.document import Document
from broadsheet.reading import coreex, subsequence


class ReaderFindings(NamedTuple):
    """The results of both readers, in their own terms."""

    #: The score of the maximum subsequence: characters of text minus characters of everything in between.
    mss: int
    coreex: coreex.CoreExResult


def run_readers(document: Document) -> ReaderFindings:
    """Run both readers as published, without removing navigation first: it is evidence of a page's kind, too."""
    run = subsequence.run(document, exact=True)
    return ReaderFindings(int(run.best.total if run.best else 0), coreex.run(document, exact=True))


def longest_text(document: Document) -> int:
    """Return the length in words of the longest text without a tag, a feature of D'Onofrio's thesis (2018)."""
    return int(np.diff(document.sums.words).max(initial=0))
