"""All that is measured of a page to tell what it is, as one row of numbers."""

import numpy as np
from numpy.typing import NDArray

from broadsheet.document import Document
from broadsheet.pages.content import Content, content
from broadsheet.pages.location import Location, location
from broadsheet.pages.shape import Shape, shape
from broadsheet.pages.statements import Statements, statements

FEATURES: tuple[str, ...] = (*Content._fields, *Shape._fields, *Statements._fields, *Location._fields)

Row = NDArray[np.float32]


def measure(document: Document) -> Row:
    """Return a page's row of `FEATURES`."""
    parts = (content(document), shape(document), statements(document), location(document))
    return np.array([value for part in parts for value in part], np.float32)
