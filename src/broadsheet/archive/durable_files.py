"""Files that are durable or absent: written aside, synced, put in place under the hash of their bytes, synced."""

import hashlib
import io
import os
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO
from uuid import uuid4

from broadsheet.archive.archive_errors import from_system
from broadsheet.archive.folder import KINDS, LOST, SUFFIXES, TEMPORARY, finished

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

#: What is announced while a file is put, in order; the name of what is put follows.
PUT_STEPS = ("before put", "after temporary file", "after sync", "after replace", "after sync of the folder")

Announce = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Stored:
    """A file that is durable: its kind, its name, which is its hash, and its size."""

    kind: str
    name: str
    size: int


class HashedFile(io.RawIOBase):
    """A file that is written once, from beginning to end, and hashed on the way."""

    def __init__(self, file: BinaryIO) -> None:
        """Write to a file that is open."""
        self._file = file
        self._hash = hashlib.sha256()
        self.size = 0

    def write(self, data: "ReadableBuffer") -> int:
        """Write all of some bytes."""
        with memoryview(data) as view:
            self._hash.update(view)
            self._file.write(view)
            self.size += view.nbytes
            return view.nbytes

    def writable(self) -> bool:
        """Say that bytes can be written."""
        return True

    def tell(self) -> int:
        """Return how many bytes were written."""
        return self.size

    def hexdigest(self) -> str:
        """Return the hash of what was written."""
        return self._hash.hexdigest()


def put(folder: Path, kind: str, data: bytes, announce: Announce, what: str | None = None) -> Stored:
    """Make bytes a file of the archive; when this returns it is durable, and when it fails nothing is left."""
    return put_written(folder, kind, lambda file: file.write(data), announce, what)


def put_written(
    folder: Path, kind: str, write: Callable[[HashedFile], object], announce: Announce, what: str | None = None
) -> Stored:
    """Make what is written piece by piece a file of the archive, as `put` does with bytes."""
    steps = iter(f"{step} {what or kind}" for step in PUT_STEPS)
    place = folder / kind
    temporary = place / f"{TEMPORARY}{uuid4().hex}"
    announce(next(steps))
    try:
        with temporary.open("xb") as file:
            hashed = HashedFile(file)
            write(hashed)
            file.flush()
            announce(next(steps))
            os.fsync(file.fileno())
        announce(next(steps))
        stored = Stored(kind, hashed.hexdigest() + SUFFIXES[kind], hashed.size)
        temporary.replace(place / stored.name)
        announce(next(steps))
        sync_folder(place)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise from_system(error, place) from error
    announce(next(steps))
    return stored


def is_intact(path: Path) -> bool:
    """Say whether a file, which is named by its hash, still holds what was written."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == path.name.partition(".")[0]


def sync_folder(folder: Path) -> None:
    """Make the names in a folder as durable as the files they name."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def unnamed(folder: Path, named: Collection[tuple[str, str]]) -> Iterator[Path]:
    """Give the files under their final name that no row of the catalogue names."""
    for kind in KINDS:
        yield from (path for path in finished(folder, kind) if (kind, path.name) not in named)


def unfinished(folder: Path) -> Iterator[Path]:
    """Give the files that a killed writer had not finished."""
    for kind in KINDS:
        yield from sorted((folder / kind).glob(f"{TEMPORARY}*"))


def sweep(folder: Path, named: Collection[tuple[str, str]]) -> tuple[Path, ...]:
    """Remove unfinished files, and set aside those that no row names; only the holder of the lease may.

    A file under its final name may be all that is left of a commit that the catalogue does not know, because it was
    restored from an older copy or its log is missing. So it is moved, never removed; what was moved is returned.
    """
    for path in tuple(unfinished(folder)):
        remove(path)
    return tuple(set_aside(folder, path) for path in tuple(unnamed(folder, named)))


def set_aside(folder: Path, path: Path) -> Path:
    """Move a file of a kind to `lost+found`, and return where it is now."""
    place = folder / LOST / path.parent.name
    try:
        place.mkdir(parents=True, exist_ok=True)
        moved = path.replace(place / path.name)
        for changed in (place, path.parent):
            sync_folder(changed)
    except OSError as error:
        raise from_system(error, path) from error
    return moved


def remove(path: Path) -> None:
    """Remove a file, if it is still there."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise from_system(error, path) from error
