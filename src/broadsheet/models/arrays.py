"""Files of plain arrays: reproducible `.npz` archives that run no code on loading."""

import io
import math
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from broadsheet.models.model_errors import ModelError

#: Larger files are rejected.
MAX_BYTES = 256 * 1024 * 1024

#: Members per file; real models have less than a tenth of this.
MAX_ARRAYS = 10_000
#: Booleans, numbers and strings; every other kind would need pickle or has no use here.
_KINDS = "biufU"


def pack(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Serialize arrays, uncompressed because compressors differ between machines."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name, array in arrays.items():
            content = io.BytesIO()
            little_endian = array.astype(array.dtype.newbyteorder("<"))
            np.lib.format.write_array(content, little_endian, version=(1, 0), allow_pickle=False)
            # A fixed date keeps the bytes reproducible.
            archive.writestr(zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0)), content.getvalue())
    return file.getvalue()


def unpack(content: bytes, names: Iterable[str] | None = None) -> dict[str, NDArray[Any]]:
    """Return the named arrays of a file, or all of them; raise if it is damaged, too large or incomplete.

    Declared sizes are not trusted: an array's shape has to match the number of bytes actually present.
    """
    if len(content) > MAX_BYTES:
        raise ModelError(f"the model has {len(content):,} bytes; the limit is {MAX_BYTES:,}")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = _members(archive)
            selected = members if names is None else {name: members[name] for name in names}
            return {name: _parse_array(archive.read(member)) for name, member in selected.items()}
    except ModelError:
        raise
    except KeyError as error:
        raise ModelError(f"the model has no array {error}") from error
    except Exception as error:
        # zipfile, its decompressors and NumPy's header parser raise almost anything on damaged files.
        raise ModelError(f"the model is damaged, or not a model file ({_first_line(error)})") from error


def _members(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    entries = archive.infolist()
    members = {entry.filename.removesuffix(".npy"): entry for entry in entries}
    unpacked = sum(entry.file_size for entry in entries)
    if unpacked > MAX_BYTES:
        raise ModelError(f"the model unpacks to {unpacked:,} bytes; the limit is {MAX_BYTES:,}")
    if len(entries) > MAX_ARRAYS or len(members) < len(entries):
        raise ModelError(f"the model has more than {MAX_ARRAYS:,} arrays, or two with the same name")
    return members


def _parse_array(content: bytes) -> NDArray[Any]:
    """Return the array in the bytes of a `.npy` file, in row-major order."""
    stream = io.BytesIO(content)
    if np.lib.format.read_magic(stream) != (1, 0):
        raise ModelError("an array of the model is not in .npy format 1.0")
    shape, column_major, dtype = np.lib.format.read_array_header_1_0(stream)
    data = content[stream.tell() :]
    if dtype.kind not in _KINDS:
        raise ModelError(f"an array of the model has type {dtype}, which is neither numbers nor text")
    if min(shape, default=0) < 0 or math.prod(shape) * dtype.itemsize != len(data):
        raise ModelError(f"an array of the model has {len(data):,} bytes, which does not match its shape {shape}")
    if not dtype.itemsize:
        return np.zeros(shape, dtype)
    # A copy, because bytes are read-only and the compiled kernels need row-major order.
    return np.frombuffer(data, dtype).reshape(shape, order="F" if column_major else "C").copy(order="C")


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a model file: at most one more than allowed, which `unpack` then rejects."""
    try:
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        raise ModelError(f"{path}: cannot read the model ({error.strerror})") from error


def from_text(text: str) -> NDArray[np.uint8]:
    """Encode text as an array of UTF-8 bytes."""
    return np.frombuffer(text.encode(), np.uint8)


def to_text(array: NDArray[Any]) -> str:
    """Decode an array of UTF-8 bytes."""
    if array.dtype != np.uint8 or array.ndim != 1:
        raise ModelError("a text array of the model is not valid UTF-8")
    try:
        return array.tobytes().decode()
    except UnicodeDecodeError as error:
        raise ModelError("a text array of the model is not valid UTF-8") from error


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
