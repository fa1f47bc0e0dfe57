"""A profile put to use: which lines of a reading go because they repeat, and which come because of where they stand."""

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from broadsheet.base.records import Label, Reading
from broadsheet.document import Document
from broadsheet.reading.paragraphs import in_headings
from broadsheet.reading.profiles.observation import Observation, are_body, fingerprint, observe, text_of
from broadsheet.reading.subtrees import Mask, covered
from broadsheet.reading.text_lines import TextLines
from broadsheet.reading.tidying import MOST_LINKS

if TYPE_CHECKING:
    from broadsheet.reading.profiles.profile import SiteProfile

#: A reader that scores every line is contradicted only where its score lies between these.
DOUBT = (0.3, 0.7)
#: What would be added has to be this share of what is there, or it is not worth contradicting the reader for.
LEAST_ADDED = 0.1
#: Where less than this share of the body's words would be left, the page is one of those that the profile was made of,
#: and nothing is changed.
LEAST_LEFT = 0.5


def apply(profile: "SiteProfile", document: Document, reading: Reading) -> Reading:
    """Return a reading without what repeats on the site, and with what stands where its articles do."""
    seen = observe(document)
    if not len(seen):
        return reading
    body = are_body(document, seen.lines, reading)
    is_open = _in_doubt(seen.lines, reading)
    may_come = ~body & (seen.lines.links <= MOST_LINKS) & _are_in(profile.body_paths, seen)
    prints = {
        row: fingerprint(text_of(document, seen.lines, row), seen.places[row])
        for row in np.flatnonzero(body | (may_come & is_open)).tolist()
    }
    dropped = _repeated(profile, seen, body, prints) & is_open
    added = may_come & is_open
    added[[row for row in prints if prints[row] in profile.fingerprints]] = False
    words = seen.lines.words
    left = words[body & ~dropped].sum()
    if words[added].sum() < LEAST_ADDED * left:
        added[:] = False
    if left + words[added].sum() < LEAST_LEFT * words[body].sum():
        return reading
    return _relabelled(document, seen.lines, reading, dropped, added)


def _in_doubt(lines: TextLines, reading: Reading) -> Mask:
    """Return which lines may be contradicted: all, where a reader has no score for what it calls garbage."""
    scores = reading.scores
    if not scores[reading.labels == Label.GARBAGE].any():
        return np.ones(len(lines), np.bool_)
    highest = np.maximum.reduceat(scores, lines.first)
    doubt: Mask = (highest >= DOUBT[0]) & (highest <= DOUBT[1])
    return doubt


def _are_in(paths: frozenset[str], seen: Observation) -> Mask:
    """Return which lines stand in one of some places."""
    return np.array([place in paths for place in seen.places], np.bool_)


def _repeated(profile: "SiteProfile", seen: Observation, body: Mask, prints: dict[int, str | None]) -> Mask:
    """Return which lines of the body are template by their text or their place."""
    rows = np.flatnonzero(body).tolist()
    # A template says a thing once; what a page says again and again is its own way of writing.
    often = Counter(prints[row] for row in rows)
    repeated = np.zeros(len(seen), np.bool_)
    for row in rows:
        print_ = prints[row]
        if print_ in profile.fingerprints:
            repeated[row] = often[print_] == 1
        else:
            repeated[row] = print_ is not None and seen.places[row] in profile.template_paths
    return repeated


def _relabelled(document: Document, lines: TextLines, reading: Reading, dropped: Mask, added: Mask) -> Reading:
    labels = reading.labels.copy()
    is_text = np.isin(labels, (Label.BODY, Label.HEADING))
    labels[_pieces(document, lines, dropped) & is_text] = Label.GARBAGE
    new = _pieces(document, lines, added) & (labels == Label.GARBAGE)
    labels[new] = Label.BODY
    labels[new & in_headings(document)] = Label.HEADING
    return Reading(labels, reading.scores, reading.reader)


def _pieces(document: Document, lines: TextLines, chosen: Mask) -> Mask:
    """Return which pieces belong to the chosen lines."""
    return covered(lines.first[chosen], lines.end[chosen], len(document.pieces))
