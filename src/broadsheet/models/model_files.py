"""Model files of trees: `.npz` archives of plain arrays, the same bytes for the same model."""

from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from broadsheet.models.arrays import MAX_BYTES, of_text, pack, read, to_text, unpack
from broadsheet.models.card import Card
from broadsheet.models.model_errors import ModelError
from broadsheet.models.nodes import TreeNodes
from broadsheet.models.trees import Combine, Link, TreeEnsemble

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["FORMAT", "MAX_BYTES", "load", "of_bytes", "save", "to_bytes"]

#: It rises whenever the arrays of a file change their meaning.
FORMAT = 1

_COLUMNS = tuple(field.name for field in fields(TreeNodes))
_NAMES = ("format", "card", "combine", "link", "baseline", *_COLUMNS)


def save(model: TreeEnsemble, path: Path) -> None:
    """Write a model to a file."""
    path.write_bytes(to_bytes(model))


def to_bytes(model: TreeEnsemble) -> bytes:
    """Return a model as the bytes of its file."""
    arrays: dict[str, NDArray[Any]] = {
        "format": np.array(FORMAT, "<i4"),
        "card": of_text(model.card.to_json()),
        "combine": of_text(model.combine),
        "link": of_text(model.link),
        "baseline": model.baseline,
        **{name: getattr(model.nodes, name) for name in _COLUMNS},
    }
    return pack(arrays)


def load(path: Path) -> TreeEnsemble:
    """Read a model from a file; a damaged one, or one whose arrays do not fit together, is refused."""
    content = read(path)
    try:
        return of_bytes(content)
    except ModelError as error:
        raise ModelError(f"{path}: {error}") from error


def of_bytes(content: bytes) -> TreeEnsemble:
    """Read a model from the bytes of its file."""
    arrays = unpack(content, _NAMES)
    if arrays["format"].shape != () or arrays["format"] != FORMAT:
        raise ModelError(f"the model's format is not {FORMAT}")
    # The class itself refuses any other word.
    combine, link = cast("Combine", to_text(arrays["combine"])), cast("Link", to_text(arrays["link"]))
    if arrays["baseline"].dtype != np.float64:
        raise ModelError("the baseline is a column of float64")
    nodes = TreeNodes(**{name: arrays[name] for name in _COLUMNS})
    return TreeEnsemble(Card.of_json(to_text(arrays["card"])), nodes, arrays["baseline"], combine, link)
