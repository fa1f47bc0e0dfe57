"""All features by which a page is classified, as one row."""

import numpy as np
from numpy.typing import NDArray

from broadsheet.document import Document
from broadsheet.pages._page_shape import SHAPE, shape
from broadsheet.pages._page_titles import Titles, titles
from broadsheet.pages._statements import Statements, statements
from broadsheet.pages.location import LOCATION, location

FEATURES: tuple[str, ...] = (*SHAPE, *Titles._fields, *Statements._fields, *LOCATION)

Row = NDArray[np.float32]


def measure(document: Document) -> Row:
    """Return the `FEATURES` of a page."""
    row = np.empty(len(FEATURES), np.float32)
    row[: len(SHAPE)] = shape(document)
    row[len(SHAPE) :] = [*titles(document), *statements(document), *location(document)]
    return row
