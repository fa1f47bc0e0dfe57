"""The catalogue's seal: the hash of a catalogue that was closed in order, so that any change to it shows.

SQLite checks the shape of its pages, not what stands in them. While somebody writes there is no seal, and a writer that
was killed leaves none; then only what rows say of each other can be checked.
"""

import hashlib
import logging
import os
from contextlib import suppress
from pathlib import Path

from broadsheet.archive.archive_errors import from_system
from broadsheet.archive.folder import CATALOGUE, SEAL

_log = logging.getLogger(__name__)


def is_there(folder: Path) -> bool:
    """Return whether the catalogue is sealed."""
    return (folder / SEAL).exists()


def break_seal(folder: Path) -> None:
    """Remove the seal, before the catalogue is changed."""
    try:
        (folder / SEAL).unlink(missing_ok=True)
    except OSError as error:
        raise from_system(error, folder / SEAL) from error


def seal(folder: Path) -> None:
    """Seal a catalogue that nobody writes to, in the form that `sha256sum --check` reads.

    A catalogue that cannot be sealed, because the disk is full for instance, is as good as one whose writer was killed.
    """
    temporary = folder / f"{SEAL}.new"
    try:
        with temporary.open("w", encoding="ascii") as file:
            file.write(f"{_digest(folder)}  {CATALOGUE}\n")
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(folder / SEAL)
    except OSError as error:
        _log.warning("the checksum of %s could not be written: %s", folder / CATALOGUE, error.strerror)
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def seal_problem(folder: Path) -> str | None:
    """Say what is wrong with the catalogue's bytes; None where they are as they were, or there is no seal."""
    try:
        stated = (folder / SEAL).read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        return f"{SEAL} cannot be read: {error.strerror}"
    if stated == f"{_digest(folder)}  {CATALOGUE}\n".encode("ascii"):
        return None
    if not (folder / SEAL).exists():
        # Somebody has begun to write in the meantime.
        return None
    return f"its content differs from what was written, or {SEAL} is damaged"


def _digest(folder: Path) -> str:
    with (folder / CATALOGUE).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
