"""Model files of memory-based learning: stored instances and how to compare with them, as plain arrays."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from broadsheet.models.arrays import from_text, pack, read_bytes, to_text, unpack
from broadsheet.models.card import Card
from broadsheet.models.instance_base import Comparison, InstanceBase, Ints
from broadsheet.models.model_errors import ModelError

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Incremented whenever the meaning of the arrays changes.
FORMAT = 1

_NAMES = ("format", "card", "first", "classes", "counts", "order", "weights", "scales", "rank", "k")


@dataclass(frozen=True, slots=True, eq=False)
class MemoryModel:
    """Stored instances, how to compare with them, and what their features and classes are."""

    card: Card
    base: InstanceBase
    comparison: Comparison

    def __post_init__(self) -> None:
        """Raise if the parts do not fit together."""
        features, classes = len(self.card.features), len(self.card.classes)
        if self.base.rows.shape[1] != features or len(self.comparison.weights) != features:
            raise ModelError(f"the stored instances do not have the {features} features that the model names")
        if self.base.class_count != classes or len(self.comparison.rank) != classes:
            raise ModelError(f"the stored instances do not have the {classes} classes that the model names")

    def classify(self, queries: Ints) -> tuple[Ints, Ints, "NDArray[np.float64]"]:
        """Return the class, the votes per class and the nearest distance of each query."""
        return self.base.classify(queries, self.comparison)


def to_bytes(model: MemoryModel) -> bytes:
    """Serialize a model; each column takes the fewest bytes that hold its values."""
    arrays: dict[str, NDArray[Any]] = {
        "format": np.array(FORMAT, np.int32),
        "card": from_text(model.card.to_json()),
        **{name: _smallest(getattr(model.base, name)) for name in ("first", "classes", "counts", "order")},
        "weights": model.comparison.weights,
        "scales": model.comparison.scales,
        "rank": _smallest(model.comparison.rank),
        "k": np.array(model.comparison.k, np.int32),
        **{f"column_{number}": _smallest(column) for number, column in enumerate(model.base.rows.T)},
    }
    return pack(arrays)


def from_bytes(content: bytes) -> MemoryModel:
    """Deserialize a model; raise if it is damaged or its parts do not fit together."""
    arrays = unpack(content)
    missing = [name for name in _NAMES if name not in arrays]
    if missing:
        raise ModelError(f"the model has no array {missing[0]!r}")
    if arrays["format"].shape != () or arrays["format"] != FORMAT:
        raise ModelError(f"the model's format is not {FORMAT}, the only one that this version reads")
    card = Card.from_json(to_text(arrays["card"]))
    columns = [arrays.get(f"column_{number}") for number in range(len(card.features))]
    if any(column is None or column.ndim != 1 or column.shape != columns[0].shape for column in columns):  # type: ignore[union-attr]
        raise ModelError("the columns of the stored instances are missing or differ in length")
    if arrays["k"].shape != () or arrays["k"].dtype.kind not in "iu":
        raise ModelError("the number of nearest distances is not a whole number")
    base = InstanceBase(
        rows=np.stack([_whole(column) for column in columns], axis=1),
        **{name: _whole(arrays[name]) for name in ("first", "classes", "counts", "order")},
        class_count=len(card.classes),
    )
    weights, scales = arrays["weights"], arrays["scales"]
    if weights.dtype != np.float64 or scales.dtype != np.float64 or weights.ndim != 1 or scales.ndim != 1:
        raise ModelError("weights and scales must be columns of float64")
    return MemoryModel(card, base, Comparison(weights, scales, _whole(arrays["rank"]), int(arrays["k"])))


def save(model: MemoryModel, path: Path) -> None:
    """Write a model to a file."""
    path.write_bytes(to_bytes(model))


def load(path: Path) -> MemoryModel:
    """Read a model from a file; raise if it is damaged or its parts do not fit together."""
    content = read_bytes(path)
    try:
        return from_bytes(content)
    except ModelError as error:
        raise ModelError(f"{path}: {error}") from error


def _smallest(column: Ints) -> "NDArray[Any]":
    """Return a column in the smallest type of whole numbers that holds its values."""
    low, high = (int(column.min()), int(column.max())) if len(column) else (0, 0)
    for kind in (np.uint8, np.int8, np.uint16, np.int16):
        if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max:
            return column.astype(kind)
    return column


def _whole(column: "NDArray[Any] | None") -> Ints:
    """Return a column of whole numbers as 32-bit integers."""
    if column is None or column.dtype.kind not in "iu" or column.ndim != 1:
        raise ModelError("a column of the model does not consist of whole numbers")
    if len(column) and not (np.iinfo(np.int32).min <= column.min() and column.max() <= np.iinfo(np.int32).max):
        raise ModelError("a column of the model has numbers of more than 32 bits")
    return column.astype(np.int32)
