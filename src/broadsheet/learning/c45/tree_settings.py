"""The choices that shape a tree, as one value that growth and pruning share."""

from dataclasses import dataclass
from typing import Literal

from broadsheet.base.errors import InputError


@dataclass(frozen=True)
class TreeSettings:
    """What the constructor of `C45Classifier` was told, checked."""

    criterion: Literal["gain_ratio", "gain"]
    min_leaf: float
    scaled_min_leaf: bool
    mdl_correction: bool
    average_gain_filter: bool
    observed_thresholds: bool
    resolution: float
    prune: bool
    confidence: float
    subtree_raising: bool
    collapse: bool

    def __post_init__(self) -> None:
        """Refuse what has no meaning."""
        if self.criterion not in {"gain_ratio", "gain"}:
            raise InputError(f"criterion is 'gain_ratio' or 'gain', not {self.criterion!r}")
        if not 0 < self.confidence <= 0.5:
            raise InputError(f"confidence is above 0 and at most 0.5, not {self.confidence!r}")
        if not self.min_leaf > 0:
            raise InputError(f"min_leaf is above 0, not {self.min_leaf!r}")
        if not self.resolution >= 0:
            raise InputError(f"resolution is 0 or more, not {self.resolution!r}")
