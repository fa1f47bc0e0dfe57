"""The catalogue's database: transactions that read, and transactions that write alone."""

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from broadsheet.archive import seal
from broadsheet.archive.archive_errors import ArchiveError, from_database
from broadsheet.archive.folder import CATALOGUE
from broadsheet.archive.sqlite_engine import PLAIN, WRITES, driver_connection, open_engine

#: How long closing waits for readers before it leaves the write-ahead log as it is.
_CLOSING_SECONDS = 2
#: What the connection for small questions keeps of the catalogue in memory: no more than it would get by default.
_GLANCING_KILOBYTES = 2_000

_log = logging.getLogger(__name__)


class Database:
    """The catalogue of one archive: transactions that read, and transactions that write alone."""

    def __init__(self, folder: Path, *, writable: bool = False) -> None:
        """Name the file; it is opened by the first transaction."""
        self.path = folder / CATALOGUE
        self._engine = open_engine(self.path, writable=writable)
        #: The files that were there when they were last looked at, while this process writes.
        self._inodes: dict[str, int] = {}
        self._glance: Connection | None = None
        self._glance_lock = Lock()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Give a transaction that sees one state of the catalogue."""
        with self._explained(), self._engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def glancing(self) -> Iterator[Connection]:
        """Give a connection that stays open between questions, each of which sees the last committed state.

        It is for the one process that writes and asks many small questions: a transaction for each costs more than
        the answer. Threads take turns.
        """
        with self._glance_lock:
            try:
                if self._glance is None:
                    self._glance = self._engine.connect().execution_options(**{PLAIN: True})
                    driver_connection(self._glance).execute(f"PRAGMA cache_size = -{_GLANCING_KILOBYTES}")
                yield self._glance
            except DBAPIError as error:
                raise from_database(error, self.path.parent) from error

    def version(self) -> int:
        """Return a number that changes whenever the catalogue does; asking for it costs next to nothing."""
        with self.glancing() as connection:
            [version] = driver_connection(connection).execute("PRAGMA data_version").fetchone()
            return int(version)

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Give a transaction that alone may write from its beginning, and is kept whole or not at all."""
        with self._explained(), self._engine.connect() as connection:
            self._require_same_files()
            marked = connection.execution_options(**{WRITES: True})
            with marked.begin():
                yield marked
            # SQLite writes on into files that were removed under it, and would report as kept what nobody finds.
            self._require_same_files()

    def close(self) -> None:
        """Let go of the file."""
        self._end_glances()
        self._engine.dispose()

    def _end_glances(self) -> None:
        with self._glance_lock:
            if self._glance is not None:
                self._glance.close()
                self._glance = None

    def close_sealed(self) -> None:
        """Move all that was written into the one file and seal it, then let go; readers may delay or prevent that."""
        try:
            self._end_glances()
            with self._explained(), self._engine.connect() as connection:
                self._require_same_files()
                if self._checkpoint(connection):
                    with connection.execution_options(**{WRITES: True}).begin():
                        # Nobody else can begin to write now, nor break a seal that is not there yet.
                        if not _holds_lease(connection):
                            seal.seal(self.path.parent)
        finally:
            self.close()

    def _checkpoint(self, connection: Connection) -> bool:
        """Move what stands in the write-ahead log into the catalogue, and say whether all of it was."""
        # SQLAlchemy would begin a transaction, in which there are no checkpoints.
        driver = driver_connection(connection)
        try:
            driver.execute(f"PRAGMA busy_timeout = {_CLOSING_SECONDS * 1000}")
            busy, left, _ = driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.Error as error:
            # All that was committed stays in the log, on a full disk for instance.
            _log.warning("%s: the write-ahead log could not be merged into the catalogue: %s", self.path.parent, error)
            return False
        return not busy and not left

    def _require_same_files(self) -> None:
        """Refuse to go on where the catalogue or its log was removed or replaced since the last transaction."""
        for name in (CATALOGUE, f"{CATALOGUE}-wal"):
            try:
                inode = self.path.with_name(name).stat().st_ino
            except FileNotFoundError:
                inode = 0
            if self._inodes.get(name) not in {None, inode}:
                raise ArchiveError(
                    f"{self.path.parent}: {name} was removed or replaced while this process was writing, so nothing"
                    " more is committed; restore it, or run `broadsheet repair`"
                )
            if inode:
                self._inodes[name] = inode

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            raise from_database(error, self.path.parent) from error


def integrity(connection: Connection) -> Iterator[str]:
    """Give what the database itself finds wrong with its file and its references."""
    for (complaint,) in connection.exec_driver_sql("PRAGMA integrity_check"):
        if complaint != "ok":
            yield " ".join(complaint.split())
    for table, row, parent, _ in connection.exec_driver_sql("PRAGMA foreign_key_check"):
        yield f"row {row} of {table} refers to a row of {parent} that does not exist"


def _holds_lease(connection: Connection) -> bool:
    return connection.exec_driver_sql("SELECT 1 FROM lease").first() is not None
