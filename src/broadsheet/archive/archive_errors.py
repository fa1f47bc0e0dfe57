"""What can go wrong with an archive, each in one line that says what to do."""

import sqlite3

from sqlalchemy.exc import DBAPIError

from broadsheet.base import disk
from broadsheet.base.errors import BroadsheetError

_REPAIR = "`broadsheet repair` rebuilds it from the other files"
_KEPT = "nothing that was reported as kept is lost"


class ArchiveError(BroadsheetError):
    """An archive cannot be opened, read or written to."""


class NoArchive(ArchiveError):
    """There is no archive where one was to be opened."""


class ArchiveBusy(ArchiveError):
    """Another process is writing to the archive."""


class DamagedRow(ArchiveError):
    """A row of the catalogue does not hold what was written."""


class NotMerged(ArchiveError):
    """A commit holds, but the small files that it was to merge stay as they are."""


class ArchiveTakenOver(ArchiveError):
    """Another process took the archive over, so what this one has not committed is not kept."""


def from_system(error: OSError, path: object) -> ArchiveError:
    """Return what a failed write to a file means."""
    return ArchiveError(f"cannot write {path}: {disk.reason(error)} ({_KEPT})")


def from_database(error: DBAPIError, path: object) -> ArchiveError:
    """Return what a failure of the database means."""
    text = str(error.orig).lower()
    if isinstance(error.orig, sqlite3.Error):
        for sign, reason in _DATABASE_REASONS:
            if sign in text:
                return ArchiveError(f"{path}: {reason}")
    return ArchiveError(f"{path}: the catalogue failed: {' '.join(str(error.orig).split())}")


_DATABASE_REASONS = (
    ("disk is full", f"{disk.FULL} ({_KEPT})"),
    ("readonly database", f"the catalogue is read-only, or there is no permission to write it ({_KEPT})"),
    ("disk i/o error", f"the disk reported an error, or is full ({_KEPT})"),
    ("malformed", f"the catalogue is damaged; {_REPAIR}"),
    ("not a database", f"catalogue.sqlite is not a catalogue, or is damaged; {_REPAIR}"),
    ("database is locked", f"the catalogue stayed locked by another program ({_KEPT})"),
    ("unable to open database", "the catalogue cannot be opened; is there permission to read and write the folder?"),
    ("no such table", f"its catalogue does not belong to an archive, or is damaged; {_REPAIR}"),
    ("no such column", f"its catalogue does not belong to an archive, or is damaged; {_REPAIR}"),
)
