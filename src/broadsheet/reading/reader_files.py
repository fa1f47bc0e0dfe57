"""Model files of readers, one file each: what `train` writes and `--model` reads.

Files may come from strangers: they are plain arrays, their sizes are capped before anything is unpacked, and every
reader checks shapes and indices before it uses them.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.records import Reading
from broadsheet.document import Document
from broadsheet.models.arrays import from_text, pack, read_bytes, to_text, unpack
from broadsheet.models.model_errors import ModelError
from broadsheet.reading import memory_reader, trained
from broadsheet.reading.memory_reader import MemoryModels
from broadsheet.reading.trained import Models

#: Incremented whenever the meaning of the arrays changes.
FORMAT = 1

Arrays = Mapping[str, NDArray[Any]]
#: Reads a document with a model that is loaded.
ReadWith = Callable[[Document], Reading]


def trained_bytes(models: Models) -> bytes:
    """Serialize a model of the default reader."""
    return reader_bytes(trained.NAME, trained.to_model_arrays(models))


def memory_bytes(models: MemoryModels) -> bytes:
    """Serialize a model of the memory reader."""
    return reader_bytes(memory_reader.NAME, memory_reader.to_model_arrays(models))


def reader_bytes(reader: str, arrays: Arrays) -> bytes:
    """Serialize the model of a reader."""
    return pack({"reader": from_text(reader), "reader-format": np.array(FORMAT, "<i4"), **arrays})


@lru_cache(maxsize=8)
def load_reader(path: Path) -> ReadWith:
    """Read a model file and return what reads documents with it; cached because every page needs it."""
    try:
        return reader_from_bytes(read_bytes(path))
    except ModelError as error:
        raise ModelError(f"{path}: {error}" if str(path) not in str(error) else str(error)) from error


def reader_from_bytes(content: bytes) -> ReadWith:
    """Deserialize the model of a reader; raise if it is damaged, inconsistent or of another version."""
    arrays = unpack(content)
    if "reader" not in arrays or "reader-format" not in arrays:
        raise ModelError("this is not the model of a reader; `broadsheet train CORPUS -o MODEL` writes one")
    version = arrays["reader-format"]
    if version.shape != () or version != FORMAT:
        raise ModelError(f"the model's format is not {FORMAT}, the only one that this version reads")
    name = to_text(arrays["reader"])
    if name not in _LOADERS:
        raise ModelError(f"the model is of the reader {name[:40]!r}; known are {', '.join(_LOADERS)}")
    return _LOADERS[name](arrays)


def _load_trained(arrays: Arrays) -> ReadWith:
    models = trained.from_model_arrays(arrays)
    return lambda document: trained.read_with(document, models)


def _load_memory(arrays: Arrays) -> ReadWith:
    models = memory_reader.from_model_arrays(arrays)
    return lambda document: memory_reader.read_with(document, models)


_LOADERS: Mapping[str, Callable[[Arrays], ReadWith]] = MappingProxyType(
    {trained.NAME: _load_trained, memory_reader.NAME: _load_memory}
)
