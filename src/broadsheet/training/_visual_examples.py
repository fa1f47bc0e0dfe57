"""Training examples of the visual reader: what titles, dates and all other text look like on labelled pages."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.counters import Counters
from broadsheet.base.records import Label
from broadsheet.corpora.corpus_errors import Unusable
from broadsheet.corpora.corpus_folder import find_corpora
from broadsheet.corpora.corrected_labels import corrected_labels
from broadsheet.corpora.evaluation import read_pages
from broadsheet.corpora.labelled_page import LabelledPage, PageLabels, Split
from broadsheet.corpora.page_scoring import piece_labels
from broadsheet.document import Document
from broadsheet.reading import separator
from broadsheet.reading.visual.visual_attributes import PieceLooks, measure_looks, title_rows
from broadsheet.reading.visual.visual_reader import searched_pieces

Mask = NDArray[np.bool_]

#: Pages that are labelled as something else have no title or date of an article.
KINDS = frozenset({"article", "unknown"})


@dataclass(frozen=True, slots=True, eq=False)
class LookExample:
    """One page: the attributes of the pieces that are searched, and which are the title or dates.

    `is_title` or `is_date` is None if the page has no such label or does not show it.
    """

    labels: PageLabels
    looks: PieceLooks
    titles: NDArray[np.float32]
    is_title: Mask | None
    is_date: Mask | None

    @property
    def title(self) -> int | None:
        """The first piece of the labelled title."""
        if self.is_title is None:
            return None
        return int(self.looks.pieces[np.argmax(self.is_title)])


def choose(data: Path, splits: frozenset[Split], counters: Counters) -> Iterator[LabelledPage]:
    """Yield the pages with a labelled title or date."""

    def is_wanted(labels: PageLabels) -> bool:
        return labels.split in splits and labels.kind in KINDS and bool(labels.gold.title or labels.gold.date)

    corpora = find_corpora([data / "pages"])
    return read_pages(corpora, filter(is_wanted, corrected_labels(corpora)), counters)


def look_examples(pages: Iterator[LabelledPage], counters: Counters) -> Iterator[LookExample]:
    """Turn pages into examples; those that cannot be used are counted."""
    for page in pages:
        try:
            document, labels = piece_labels(page)
        except Unusable as reason:
            counters.count("left out", str(reason))
            continue
        example = _example(page.labels, document, labels)
        if example.is_title is None and example.is_date is None:
            counters.count("left out", "neither title nor date is found in the text that is searched")
        else:
            yield example


def clean_dates(is_date: Mask, digits: NDArray[np.float32]) -> Mask:
    """Take the label from text without digits: a labelled element contains names and separators, too."""
    return is_date & (digits > 0)


def _example(page: PageLabels, document: Document, labels: NDArray[np.int8]) -> LookExample:
    pieces = searched_pieces(document, separator.run(document).pieces)
    looks = measure_looks(document, pieces)
    found = labels.take(pieces)
    digits = looks.shared[:, 1]
    is_title, is_date = found == Label.TITLE, clean_dates(found == Label.DATE, digits)
    return LookExample(
        page,
        looks,
        title_rows(document, looks),
        is_title if is_title.any() else None,
        is_date if is_date.any() else None,
    )
