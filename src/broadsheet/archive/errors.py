"""What can go wrong with an archive, each in one line that says what to do."""

import errno
import sqlite3

from sqlalchemy.exc import DBAPIError

from broadsheet.base.errors import BroadsheetError

_KEPT = "nothing that was reported as kept is lost"
_REASONS = {
    errno.ENOSPC: "the disk is full; make room and run it again",
    errno.EDQUOT: "the disk quota is used up; make room and run it again",
    errno.EFBIG: "the file would be larger than this system allows",
    errno.EROFS: "the file system is read-only",
    errno.EACCES: "there is no permission to write there",
    errno.EPERM: "there is no permission to write there",
    errno.EIO: "the disk reported an error",
}


class ArchiveError(BroadsheetError):
    """An archive cannot be opened, read or written to."""


class ArchiveBusy(ArchiveError):
    """Another process is writing to the archive."""


class ArchiveTakenOver(ArchiveError):
    """Another process took the archive over, so what this one has not committed is not kept."""


def from_system(error: OSError, path: object) -> ArchiveError:
    """Return what a failed write to a file means."""
    reason = _REASONS.get(error.errno or 0) or error.strerror or str(error)
    return ArchiveError(f"cannot write {path}: {reason} ({_KEPT})")


def from_database(error: DBAPIError, path: object) -> ArchiveError:
    """Return what a failure of the database means."""
    text = str(error.orig).lower()
    if isinstance(error.orig, sqlite3.Error):
        for sign, reason in _DATABASE_REASONS:
            if sign in text:
                return ArchiveError(f"{path}: {reason}")
    return ArchiveError(f"{path}: the catalogue failed: {' '.join(str(error.orig).split())}")


_DATABASE_REASONS = (
    ("disk is full", f"{_REASONS[errno.ENOSPC]} ({_KEPT})"),
    ("readonly database", f"the catalogue is read-only, or there is no permission to write it ({_KEPT})"),
    ("disk i/o error", f"the disk reported an error, or is full ({_KEPT})"),
    ("malformed", "the catalogue is damaged; restore it from a copy"),
    ("not a database", "catalogue.sqlite is no catalogue, or is damaged; restore it from a copy"),
    ("database is locked", f"the catalogue stayed locked by another program ({_KEPT})"),
    ("unable to open database", "the catalogue cannot be opened; is there permission to read and write the folder?"),
    ("no such table", "this is no catalogue of an archive, or it is damaged"),
    ("no such column", "this is no catalogue of an archive, or it is damaged"),
)
