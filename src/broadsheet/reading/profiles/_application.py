"""Apply a profile to a reading: drop template lines, and add lines in the same place as the site's articles."""

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from broadsheet.base.records import Label, Reading
from broadsheet.document import Document
from broadsheet.reading._subtrees import Mask, covered
from broadsheet.reading.paragraphs import in_headings
from broadsheet.reading.profiles._observation import Observation, are_body, fingerprint, observe, text_of
from broadsheet.reading.text_lines import TextLines
from broadsheet.reading.tidying import MAX_LINKS

if TYPE_CHECKING:
    from broadsheet.reading.profiles._profile import SiteProfile

#: A reader that scores every line is overruled only if the score is between these.
DOUBT = (0.3, 0.7)
#: Lines are added only if they have at least this share of the words that remain.
MIN_ADDED = 0.1
#: If less than this share of the body's words would remain, nothing is changed: the page is most likely one of those
#: from which the profile was built.
MIN_LEFT = 0.5


def apply(profile: "SiteProfile", document: Document, reading: Reading) -> Reading:
    """Return a reading without the site's template lines, and with lines in the same place as its articles."""
    observed = observe(document)
    if not len(observed):
        return reading
    body = are_body(document, observed.lines, reading)
    is_doubtful = _in_doubt(observed.lines, reading)
    may_add = ~body & (observed.lines.links <= MAX_LINKS) & _in_places(profile.body_paths, observed)
    prints = {
        row: fingerprint(text_of(document, observed.lines, row), observed.places[row])
        for row in np.flatnonzero(body | (may_add & is_doubtful)).tolist()
    }
    dropped = _repeated(profile, observed, body, prints) & is_doubtful
    added = may_add & is_doubtful
    added[[row for row in prints if prints[row] in profile.fingerprints]] = False
    words = observed.lines.words
    remaining = words[body & ~dropped].sum()
    if words[added].sum() < MIN_ADDED * remaining:
        added[:] = False
    if remaining + words[added].sum() < MIN_LEFT * words[body].sum():
        return reading
    return _relabel(document, observed.lines, reading, dropped, added)


def _in_doubt(lines: TextLines, reading: Reading) -> Mask:
    """Return the lines on which the reader may be overruled: all, if it does not score garbage."""
    scores = reading.scores
    if not scores[reading.labels == Label.GARBAGE].any():
        return np.ones(len(lines), np.bool_)
    highest = np.maximum.reduceat(scores, lines.first)
    doubt: Mask = (highest >= DOUBT[0]) & (highest <= DOUBT[1])
    return doubt


def _in_places(paths: frozenset[str], observed: Observation) -> Mask:
    """Return a mask of the lines in one of the places."""
    return np.array([place in paths for place in observed.places], np.bool_)


def _repeated(profile: "SiteProfile", observed: Observation, body: Mask, prints: dict[int, str | None]) -> Mask:
    """Return a mask of the body lines that are template by their text or their place."""
    rows = np.flatnonzero(body).tolist()
    # A template line occurs once per page; lines repeated within a page belong to its text.
    counts = Counter(prints[row] for row in rows)
    repeated = np.zeros(len(observed), np.bool_)
    for row in rows:
        print_ = prints[row]
        if print_ in profile.fingerprints:
            repeated[row] = counts[print_] == 1
        else:
            repeated[row] = print_ is not None and observed.places[row] in profile.template_paths
    return repeated


def _relabel(document: Document, lines: TextLines, reading: Reading, dropped: Mask, added: Mask) -> Reading:
    labels = reading.labels.copy()
    is_text = np.isin(labels, (Label.BODY, Label.HEADING))
    labels[_pieces(document, lines, dropped) & is_text] = Label.GARBAGE
    new = _pieces(document, lines, added) & (labels == Label.GARBAGE)
    labels[new] = Label.BODY
    labels[new & in_headings(document)] = Label.HEADING
    return Reading(labels, reading.scores, reading.reader)


def _pieces(document: Document, lines: TextLines, chosen: Mask) -> Mask:
    """Return a mask of the pieces of the chosen lines."""
    return covered(lines.first[chosen], lines.end[chosen], len(document.pieces))
