"""The ranges that the features of nearly all examples of a model lie in, to tell what is unlike all of them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from broadsheet.models._trees import count_outside
from broadsheet.models.arrays import read_bytes, unpack
from broadsheet.models.model_errors import ModelError

#: The share of the examples that lies below a feature's range, and above it.
TAIL = 0.002

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class FeatureRanges:
    """The lowest and the highest usual value of each feature."""

    lowest: Floats
    highest: Floats

    def __post_init__(self) -> None:
        """Raise if the two columns do not belong together."""
        for column in (self.lowest, self.highest):
            if column.dtype != np.float32 or column.ndim != 1 or column.shape != self.lowest.shape:
                raise ModelError("the ranges of features must be two columns of float32, of one length")
        if not (self.lowest <= self.highest).all():
            raise ModelError("the lowest usual value of a feature must not be above the highest")

    def outside(self, rows: ArrayLike) -> NDArray[np.intp]:
        """Return how many features of each row lie outside their ranges."""
        values = np.ascontiguousarray(rows, np.float32)
        counts = np.zeros(len(values), np.intp)
        count_outside(values, self.lowest, self.highest, counts)
        return counts

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the columns by the names under which a model file holds them."""
        return {"lowest": self.lowest, "highest": self.highest}


def ranges_of(rows: Floats) -> FeatureRanges:
    """Return the ranges that hold all but the most extreme rows."""
    lowest, highest = np.quantile(rows, [TAIL, 1 - TAIL], axis=0).astype(np.float32)
    return FeatureRanges(lowest, highest)


def load_ranges(path: Path) -> FeatureRanges:
    """Read the ranges from a model file; raise if it has none."""
    arrays = unpack(read_bytes(path), ("lowest", "highest"))
    return FeatureRanges(arrays["lowest"], arrays["highest"])
