"""Model files: `.npz` archives of plain arrays, the same bytes for the same model, and nothing that runs on loading."""

import io
import tokenize
import zipfile
import zlib
from dataclasses import fields
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from broadsheet.models.card import Card
from broadsheet.models.errors import ModelError
from broadsheet.models.nodes import Nodes
from broadsheet.models.trees import Combine, Link, TreeEnsemble

#: It rises whenever the arrays of a file change their meaning.
FORMAT = 1

#: A larger file is none of ours.
MAX_BYTES = 256 * 1024 * 1024

_COLUMNS = tuple(field.name for field in fields(Nodes))
_NAMES = ("format", "card", "combine", "link", "baseline", *_COLUMNS)

# All that zipfile and NumPy raise on damaged files.
_DAMAGE = (
    OSError, ValueError, KeyError, EOFError, TypeError, SyntaxError, OverflowError, MemoryError, RuntimeError,
    UserWarning, zipfile.BadZipFile, zlib.error, tokenize.TokenError,
)  # fmt: skip


def save(model: TreeEnsemble, path: Path) -> None:
    """Write a model to a file."""
    path.write_bytes(to_bytes(model))


def to_bytes(model: TreeEnsemble) -> bytes:
    """Return a model as the bytes of its file: uncompressed, because compressors differ between machines."""
    arrays: dict[str, NDArray[Any]] = {
        "format": np.array(FORMAT, "<i4"),
        "card": _text(model.card.to_json()),
        "combine": _text(model.combine),
        "link": _text(model.link),
        "baseline": model.baseline,
        **{name: getattr(model.nodes, name) for name in _COLUMNS},
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name, array in arrays.items():
            content = io.BytesIO()
            little_endian = array.astype(array.dtype.newbyteorder("<"))
            np.lib.format.write_array(content, little_endian, version=(1, 0), allow_pickle=False)
            # The date is that of an empty clock, so that it does not enter the bytes.
            archive.writestr(zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0)), content.getvalue())
    return file.getvalue()


def load(path: Path) -> TreeEnsemble:
    """Read a model from a file; a damaged one, or one whose arrays do not fit together, is refused."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ModelError(f"{path}: the model cannot be read ({error.strerror})") from error
    try:
        return of_bytes(content)
    except ModelError as error:
        raise ModelError(f"{path}: {error}") from error


def of_bytes(content: bytes) -> TreeEnsemble:
    """Read a model from the bytes of its file."""
    arrays = _arrays(content)
    if arrays["format"].shape != () or arrays["format"] != FORMAT:
        raise ModelError(f"the model's format is not {FORMAT}")
    # The class itself refuses any other word.
    combine, link = cast("Combine", _word(arrays["combine"])), cast("Link", _word(arrays["link"]))
    if arrays["baseline"].dtype != np.float64:
        raise ModelError("the baseline is a column of float64")
    nodes = Nodes(**{name: arrays[name] for name in _COLUMNS})
    return TreeEnsemble(Card.of_json(_word(arrays["card"])), nodes, arrays["baseline"], combine, link)


def _arrays(content: bytes) -> dict[str, NDArray[Any]]:
    if len(content) > MAX_BYTES:
        raise ModelError(f"the model has {len(content):,} bytes; at most {MAX_BYTES:,} are allowed")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            unpacked = sum(member.file_size for member in archive.infolist())
        if unpacked > MAX_BYTES:
            raise ModelError(f"the model unpacks to {unpacked:,} bytes; at most {MAX_BYTES:,} are allowed")
        with np.load(io.BytesIO(content), allow_pickle=False) as archive:
            return {name: archive[name] for name in _NAMES}
    except _DAMAGE as error:
        raise ModelError(f"not a model, or a damaged one ({_first_line(error)})") from error


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def _text(text: str) -> NDArray[np.uint8]:
    return np.frombuffer(text.encode(), np.uint8)


def _word(array: NDArray[Any]) -> str:
    if array.dtype != np.uint8 or array.ndim != 1:
        raise ModelError("a text of the model is not UTF-8")
    try:
        return array.tobytes().decode()
    except UnicodeDecodeError as error:
        raise ModelError("a text of the model is not UTF-8") from error
