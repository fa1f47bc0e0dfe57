"""Files of plain arrays: `.npz` archives, the same bytes for the same arrays, and nothing that runs on loading."""

import io
import math
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from broadsheet.models.model_errors import ModelError

#: A larger file is none of ours.
MAX_BYTES = 256 * 1024 * 1024

#: Members of a file; no model has a tenth of them.
MAX_ARRAYS = 10_000
#: Bits, numbers and texts; everything else would need pickle, or means nothing to us.
_KINDS = "biufU"


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


def unpack(content: bytes, names: Iterable[str] | None = None) -> dict[str, NDArray[Any]]:
    """Return the arrays of a file by their names, or all; what is damaged, too large or lacks one is refused.

    Nothing is believed of sizes that a file declares: an array's shape has to be that of the bytes that are there.
    """
    if len(content) > MAX_BYTES:
        raise ModelError(f"the model has {len(content):,} bytes; at most {MAX_BYTES:,} are allowed")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = _members(archive)
            wanted = members if names is None else {name: members[name] for name in names}
            return {name: _array(archive.read(member)) for name, member in wanted.items()}
    except ModelError:
        raise
    except KeyError as error:
        raise ModelError(f"the model has no array {error}") from error
    except Exception as error:
        # zipfile, its decompressors and NumPy's reader of headers raise almost anything on damaged files.
        raise ModelError(f"not a model, or a damaged one ({_first_line(error)})") from error


def _members(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    listed = archive.infolist()
    members = {member.filename.removesuffix(".npy"): member for member in listed}
    unpacked = sum(member.file_size for member in listed)
    if unpacked > MAX_BYTES:
        raise ModelError(f"the model unpacks to {unpacked:,} bytes; at most {MAX_BYTES:,} are allowed")
    if len(listed) > MAX_ARRAYS or len(members) < len(listed):
        raise ModelError(f"the model has more than {MAX_ARRAYS:,} arrays, or two of one name")
    return members


def _array(content: bytes) -> NDArray[Any]:
    """Return the array that the bytes of a `.npy` file hold, its rows one after the other."""
    stream = io.BytesIO(content)
    if np.lib.format.read_magic(stream) != (1, 0):
        raise ModelError("an array of the model is in another format than 1.0")
    shape, by_columns, dtype = np.lib.format.read_array_header_1_0(stream)
    data = content[stream.tell() :]
    if dtype.kind not in _KINDS:
        raise ModelError(f"an array of the model holds {dtype}, which is neither numbers nor text")
    if min(shape, default=0) < 0 or math.prod(shape) * dtype.itemsize != len(data):
        raise ModelError(f"an array of the model has {len(data):,} bytes, which is not the size of {shape}")
    if not dtype.itemsize:
        return np.zeros(shape, dtype)
    # A copy: bytes cannot be written to, and the compiled parts need the rows one after the other.
    return np.frombuffer(data, dtype).reshape(shape, order="F" if by_columns else "C").copy(order="C")


def read(path: Path) -> bytes:
    """Return the bytes of a model's file, of which there may be one too many, but no more."""
    try:
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
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
