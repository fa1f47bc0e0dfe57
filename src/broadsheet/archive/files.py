"""Files that are durable or absent: written aside, synced, put in place under the hash of their bytes, synced."""

import hashlib
import os
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from broadsheet.archive.errors import from_system
from broadsheet.archive.layout import KINDS, SUFFIXES

TEMPORARY = ".tmp-"
#: What is announced while a file is put, in order; the name of what is put follows.
PUT_STEPS = ("before put", "after temporary file", "after sync", "after replace", "after sync of the folder")

Announce = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Stored:
    """A file that is durable: its kind, its name, which is its hash, and its size."""

    kind: str
    name: str
    size: int


def put(folder: Path, kind: str, data: bytes, announce: Announce, what: str | None = None) -> Stored:
    """Make bytes a file of the archive; when this returns it is durable, and when it fails nothing is left."""
    steps = iter(f"{step} {what or kind}" for step in PUT_STEPS)
    place = folder / kind
    stored = Stored(kind, hashlib.sha256(data).hexdigest() + SUFFIXES[kind], len(data))
    temporary = place / f"{TEMPORARY}{uuid4().hex}"
    announce(next(steps))
    try:
        with temporary.open("xb") as file:
            file.write(data)
            file.flush()
            announce(next(steps))
            os.fsync(file.fileno())
        announce(next(steps))
        temporary.replace(place / stored.name)
        announce(next(steps))
        sync_folder(place)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise from_system(error, place) from error
    announce(next(steps))
    return stored


def sync_folder(folder: Path) -> None:
    """Make the names in a folder as durable as the files they name."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def unnamed(folder: Path, named: Collection[tuple[str, str]]) -> Iterator[Path]:
    """Give the files that no row of the catalogue names: temporary ones, and those of commits that never were."""
    for kind in KINDS:
        for path in sorted((folder / kind).iterdir()):
            if (kind, path.name) not in named and (
                path.name.startswith(TEMPORARY) or path.name.endswith(SUFFIXES[kind])
            ):
                yield path


def sweep(folder: Path, named: Collection[tuple[str, str]]) -> int:
    """Remove the files that no row names, and return how many; only the holder of the lease may."""
    removed = 0
    for path in list(unnamed(folder, named)):
        try:
            path.unlink()
        except OSError as error:
            raise from_system(error, path) from error
        removed += 1
    return removed
