"""The links of one visit, as an archive takes them."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray


def _no_positions() -> NDArray[np.int32]:
    return np.zeros(0, dtype=np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class LinkRows:
    """The links of one page in columns: the target's key and address, the collection's identity, position and path.

    `version` says how the identities of collections were computed: those of different versions do not compare.
    """

    targets: Sequence[str] = ()
    urls: Sequence[str] = ()
    collections: Sequence[str] = ()
    positions: NDArray[np.int32] = field(default_factory=_no_positions)
    paths: Sequence[str] = ()
    anchors: Sequence[str] = ()
    version: int = 1

    def __post_init__(self) -> None:
        """Refuse columns of different lengths."""
        object.__setattr__(self, "positions", np.asarray(self.positions, dtype=np.int32))
        columns = (self.targets, self.urls, self.collections, self.positions, self.paths, self.anchors)
        lengths = {len(column) for column in columns}
        if len(lengths) != 1 or self.positions.ndim != 1:
            raise ValueError(f"the columns of links must have the same length, not {sorted(lengths)}")

    def __len__(self) -> int:
        """Return the number of links."""
        return len(self.targets)
