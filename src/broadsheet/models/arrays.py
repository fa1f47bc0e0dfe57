"""Files of plain arrays: `.npz` archives, the same bytes for the same arrays, and nothing that runs on loading."""

import io
import tokenize
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from broadsheet.models.errors import ModelError

#: A larger file is none of ours.
MAX_BYTES = 256 * 1024 * 1024

# All that zipfile and NumPy raise on damaged files.
_DAMAGE = (
    OSError, ValueError, KeyError, EOFError, TypeError, SyntaxError, OverflowError, MemoryError, RuntimeError,
    UserWarning, zipfile.BadZipFile, zlib.error, tokenize.TokenError,
)  # fmt: skip


def pack(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Return arrays as the bytes of a file: uncompressed, because compressors differ between machines."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name, array in arrays.items():
            content = io.BytesIO()
            little_endian = array.astype(array.dtype.newbyteorder("<"))
            np.lib.format.write_array(content, little_endian, version=(1, 0), allow_pickle=False)
            # The date is that of an empty clock, so that it does not enter the bytes.
            archive.writestr(zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0)), content.getvalue())
    return file.getvalue()


def unpack(content: bytes, names: Iterable[str]) -> dict[str, NDArray[Any]]:
    """Return the arrays of a file by their names; what is damaged, too large or lacks one is refused."""
    if len(content) > MAX_BYTES:
        raise ModelError(f"the model has {len(content):,} bytes; at most {MAX_BYTES:,} are allowed")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            unpacked = sum(member.file_size for member in archive.infolist())
        if unpacked > MAX_BYTES:
            raise ModelError(f"the model unpacks to {unpacked:,} bytes; at most {MAX_BYTES:,} are allowed")
        with np.load(io.BytesIO(content), allow_pickle=False) as archive:
            return {name: archive[name] for name in names}
    except _DAMAGE as error:
        raise ModelError(f"not a model, or a damaged one ({_first_line(error)})") from error


def read(path: Path) -> bytes:
    """Return the bytes of a model's file."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise ModelError(f"{path}: the model cannot be read ({error.strerror})") from error


def of_text(text: str) -> NDArray[np.uint8]:
    """Return a text as an array."""
    return np.frombuffer(text.encode(), np.uint8)


def to_text(array: NDArray[Any]) -> str:
    """Return the text that an array holds."""
    if array.dtype != np.uint8 or array.ndim != 1:
        raise ModelError("a text of the model is not UTF-8")
    try:
        return array.tobytes().decode()
    except UnicodeDecodeError as error:
        raise ModelError("a text of the model is not UTF-8") from error


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
