"""A table of features in the making: columns that are added by name, read out as rows."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

Column = NDArray[np.float32] | NDArray[np.float64] | NDArray[np.int64] | NDArray[np.int32] | NDArray[np.bool_]
Rows = NDArray[np.float32]

#: Counts beyond this say nothing more, and pages larger than any a model has seen shall not look strange to it.
FAR = 60.0


class Table:
    """Columns of one length, each with its name."""

    def __init__(self, rows: int) -> None:
        """Begin with no column."""
        self.columns: dict[str, Column | float] = {}
        self._rows = rows

    def add(self, columns: Mapping[str, Column | float]) -> None:
        """Add columns, or single numbers that hold for all rows."""
        self.columns.update(columns)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in their order."""
        return tuple(self.columns)

    def rows(self) -> Rows:
        """Return the table row by row, as models take it."""
        table = np.empty((len(self.columns), self._rows), np.float32)
        for place, column in enumerate(self.columns.values()):
            table[place] = column
        return np.ascontiguousarray(table.T)


def near(distances: Column) -> Column:
    """Return distances with all that is far counted as equally far."""
    nearby: Column = np.minimum(np.maximum(distances, -FAR), FAR)
    return nearby
