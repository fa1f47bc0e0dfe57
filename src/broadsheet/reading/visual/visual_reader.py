"""The visual reader: titles and dates by what they look like, and the body between them.

NCE finds the relevant text. In it and in all text before it, one ensemble of decision trees looks for the title and
another for the date, by nine attributes of length, digits, size, weight and rarity of style. The body is the relevant
text from the title on.
"""

from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.records import Label, Reading
from broadsheet.document import Document
from broadsheet.document.columns import Ints
from broadsheet.models.trees import Doubles
from broadsheet.reading import separator
from broadsheet.reading._subtrees import Mask, differences, subtree_pieces
from broadsheet.reading.paragraphs import in_headings
from broadsheet.reading.tidying import in_lines_of_links
from broadsheet.reading.visual._date_clusters import nearest_cluster
from broadsheet.reading.visual._headlines import headline_pieces, in_links_to_front_pages
from broadsheet.reading.visual.visual_attributes import date_rows, measure_looks, stated_title, title_rows
from broadsheet.reading.visual.visual_models import SHIPPED, VisualModels, found, read_models

NAME: Final = "visual"

#: A piece may be a title or a date if its probability is at least this: as published, and for the most probable one.
PUBLISHED_PROBABILITY, MIN_PROBABILITY = 0.5, 0.3


class VisualResult(NamedTuple):
    """What was found on a page, as rows of its pieces."""

    relevant: Mask
    #: None if no piece looks like a title.
    title: int | None
    dates: Ints
    #: The probability of each piece to be the title or a date, whichever is higher.
    scores: NDArray[np.float32]


def find(document: Document, models: VisualModels, *, exact: bool = False) -> VisualResult:
    """Find the relevant text, the title and the dates; `exact` follows the publication to the letter."""
    relevant = separator.run(document, exact=exact).pieces
    searched = searched_pieces(document, relevant)
    looks = measure_looks(document, searched)
    scores = np.zeros(len(document.pieces), np.float32)
    shown = np.ones(len(searched), np.bool_) if exact else ~looks.hidden
    titles = np.where(shown, found(models.title, title_rows(document, looks)), 0)
    if not exact:
        titles[in_links_to_front_pages(document)[searched]] = 0
    title = _choose_title(searched, titles, exact=exact)
    dated = np.where(shown, found(models.date, date_rows(looks, title)), 0)
    scores[searched] = np.maximum(titles, dated)
    dates = _choose_dates(searched, np.where(searched == title, 0, dated), title, exact=exact)
    short = differences(document.sums.characters).take(dates) <= models.most_in_a_date
    return VisualResult(relevant, title, dates[short], scores)


def searched_pieces(document: Document, relevant: Mask) -> Ints:
    """Return the relevant pieces and all before the first of them, without the head of the page."""
    first = int(np.argmax(relevant)) if relevant.any() else len(relevant)
    searched = relevant.copy()
    searched[:first] = True
    searched &= ~subtree_pieces(document, document.rows("head"))
    return np.flatnonzero(searched).astype(np.int32)


def read(document: Document, *, exact: bool = False, models: Path = SHIPPED) -> Reading:
    """Label title, dates, headings and body; without a title, `exact` takes `<title>`."""
    result = find(document, read_models(models), exact=exact)
    labels = np.zeros(len(document.pieces), np.int8)
    body = _from_title_on(result)
    labels[body if exact else body & ~in_lines_of_links(document)] = Label.BODY
    if not exact:
        labels[in_headings(document) & (labels == Label.BODY)] = Label.HEADING
    labels[result.dates] = Label.DATE
    labels[_title_pieces(document, result.title, exact=exact)] = Label.TITLE
    return Reading(labels, result.scores, NAME)


def _choose_title(pieces: Ints, probabilities: Doubles, *, exact: bool) -> int | None:
    """Return the first piece that is probable enough, as published, or the most probable one."""
    if probabilities.max(initial=0) < (PUBLISHED_PROBABILITY if exact else MIN_PROBABILITY):
        return None
    return int(pieces[np.argmax(probabilities >= PUBLISHED_PROBABILITY if exact else probabilities)])


def _choose_dates(pieces: Ints, probabilities: Doubles, title: int | None, *, exact: bool) -> Ints:
    """Return the probable dates nearest to the title, as published, or those next to the most probable one."""
    candidates = pieces[probabilities >= (PUBLISHED_PROBABILITY if exact else MIN_PROBABILITY)]
    if exact or not len(candidates):
        return nearest_cluster(candidates, title)
    return nearest_cluster(candidates, int(pieces[np.argmax(probabilities)]))


def _from_title_on(result: VisualResult) -> Mask:
    """Return the relevant pieces from the title on, or all of them if none comes after it."""
    body = result.relevant.copy()
    if result.title is not None and result.relevant[result.title + 1 :].any():
        body[: result.title] = False
    return body


def _title_pieces(document: Document, title: int | None, *, exact: bool) -> Ints | slice:
    """Return the pieces of the title: as published just one."""
    if title is None:
        return stated_title(document)[0] if exact else slice(0, 0)
    return slice(title, title + 1) if exact else headline_pieces(document, title)


def model_label() -> str:
    """Return the reader's name with the names and versions of its models."""
    return f"{NAME} ({read_models(SHIPPED).label})"
