"""Errors of an archive; each message says what to do."""

import sqlite3
from typing import TYPE_CHECKING

from broadsheet.base import disk
from broadsheet.base.errors import BroadsheetError

if TYPE_CHECKING:
    from sqlalchemy.exc import DBAPIError

_REPAIR = "`broadsheet repair` rebuilds it from the other files"
_KEPT = "nothing that was reported as archived is lost"


class ArchiveError(BroadsheetError):
    """An archive cannot be opened, read or written to."""


class NoArchive(ArchiveError):
    """There is no archive in the folder."""


class ArchiveBusy(ArchiveError):
    """Another process is writing to the archive."""


class DamagedRow(ArchiveError):
    """A row of the catalogue differs from what was written."""


class MissingFile(ArchiveError):
    """A file is not there: it was merged into another since it was named, or somebody removed it."""


class NotMerged(ArchiveError):
    """A commit succeeded, but small files could not be merged."""


class ArchiveTakenOver(ArchiveError):
    """Another process has taken over the archive, so uncommitted work is lost."""


def from_system(error: OSError, path: object) -> ArchiveError:
    """Return what a failed write to a file means."""
    return ArchiveError(f"cannot write {path}: {disk.reason(error)} ({_KEPT})")


def from_database(error: "DBAPIError", path: object) -> ArchiveError:
    """Return what a failure of the database means."""
    text = str(error.orig).lower()
    if isinstance(error.orig, sqlite3.Error):
        for sign, reason in _DATABASE_REASONS:
            if sign in text:
                return ArchiveError(f"{path}: {reason}")
    return ArchiveError(f"{path}: the catalogue failed: {' '.join(str(error.orig).split())}")


_DATABASE_REASONS = (
    ("disk is full", f"{disk.FULL} ({_KEPT})"),
    ("readonly database", f"the catalogue is read-only, or you may not write to it ({_KEPT})"),
    ("disk i/o error", f"the disk has an error or is full ({_KEPT})"),
    ("malformed", f"the catalogue is damaged; {_REPAIR}"),
    ("not a database", f"catalogue.sqlite is damaged or not a catalogue; {_REPAIR}"),
    ("database is locked", f"the catalogue is locked by another program ({_KEPT})"),
    ("unable to open database", "the catalogue cannot be opened; check that you may read and write the folder"),
    ("no such table", f"its catalogue is damaged or not that of an archive; {_REPAIR}"),
    ("no such column", f"its catalogue is damaged or not that of an archive; {_REPAIR}"),
)
