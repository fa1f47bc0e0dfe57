"""Model files for tree ensembles: reproducible `.npz` archives of plain arrays."""

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from broadsheet.models.arrays import MAX_BYTES, from_text, pack, read_bytes, to_text, unpack
from broadsheet.models.card import Card
from broadsheet.models.model_errors import ModelError
from broadsheet.models.nodes import TreeNodes
from broadsheet.models.trees import Combine, Link, TreeEnsemble

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["FORMAT", "MAX_BYTES", "from_bytes", "load", "save", "to_bytes"]

#: Incremented whenever the meaning of the arrays changes.
FORMAT = 1

_COLUMNS = tuple(field.name for field in fields(TreeNodes))
_NAMES = ("format", "card", "combine", "link", "baseline", *_COLUMNS)


def save(model: TreeEnsemble, path: Path, more: Mapping[str, "NDArray[Any]"] | None = None) -> None:
    """Write a model to a file, with more arrays if any belong to it."""
    path.write_bytes(to_bytes(model, more))


def to_bytes(model: TreeEnsemble, more: Mapping[str, "NDArray[Any]"] | None = None) -> bytes:
    """Serialize a model, with more arrays if any belong to it."""
    arrays: dict[str, NDArray[Any]] = {
        "format": np.array(FORMAT, "<i4"),
        "card": from_text(model.card.to_json()),
        "combine": from_text(model.combine),
        "link": from_text(model.link),
        "baseline": model.baseline,
        **{name: getattr(model.nodes, name) for name in _COLUMNS},
        **(more or {}),
    }
    return pack(arrays)


def load(path: Path) -> TreeEnsemble:
    """Read a model from a file; raise if it is damaged or its arrays are inconsistent."""
    content = read_bytes(path)
    try:
        return from_bytes(content)
    except ModelError as error:
        raise ModelError(f"{path}: {error}") from error


def from_bytes(content: bytes) -> TreeEnsemble:
    """Deserialize a model."""
    arrays = unpack(content, _NAMES)
    if arrays["format"].shape != () or arrays["format"] != FORMAT:
        raise ModelError(f"the model's format is not {FORMAT}, the only one that this version reads")
    # TreeEnsemble rejects any other value.
    combine, link = cast("Combine", to_text(arrays["combine"])), cast("Link", to_text(arrays["link"]))
    if arrays["baseline"].dtype != np.float64:
        raise ModelError("the baseline must be a column of float64")
    nodes = TreeNodes(**{name: arrays[name] for name in _COLUMNS})
    return TreeEnsemble(Card.from_json(to_text(arrays["card"])), nodes, arrays["baseline"], combine, link)
