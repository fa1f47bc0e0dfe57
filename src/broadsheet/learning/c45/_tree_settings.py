"""The parameters of a tree, shared by growth and pruning."""

from dataclasses import dataclass
from typing import Literal

from broadsheet.base.errors import InputError


@dataclass(frozen=True)
class TreeSettings:
    """The validated parameters of `C45Classifier`."""

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
        """Refuse invalid values."""
        if self.criterion not in {"gain_ratio", "gain"}:
            raise InputError(f"criterion must be 'gain_ratio' or 'gain', not {self.criterion!r}")
        if not 0 < self.confidence <= 0.5:
            raise InputError(f"confidence must be above 0 and at most 0.5, not {self.confidence!r}")
        if not self.min_leaf > 0:
            raise InputError(f"min_leaf must be above 0, not {self.min_leaf!r}")
        if not self.resolution >= 0:
            raise InputError(f"resolution must be 0 or more, not {self.resolution!r}")
