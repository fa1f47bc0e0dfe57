"""The catalogue's database: how it is opened, and all that is peculiar to SQLite."""

import json
import logging
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Integer,
    Table,
    Text,
    bindparam,
    create_engine,
    event,
    func,
    literal_column,
    select,
)
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import QueuePool

from broadsheet.archive import seal
from broadsheet.archive.archive_errors import ArchiveError, from_database
from broadsheet.archive.folder import CATALOGUE

#: How long one transaction waits for another; commits take milliseconds, merging files none of it.
_BUSY_SECONDS = 30
#: How long closing waits for readers before it leaves the write-ahead log as it is.
_CLOSING_SECONDS = 2
#: What a writer keeps of the catalogue in memory: with SQLite's 2 MB, a commit writes pages several times. Each
#: connection has such a cache of its own; the one for small questions needs no more than it would get by default.
_CACHE_KILOBYTES, _GLANCING_KILOBYTES = 16_000, 2_000
#: The pages of 4 kB after which the write-ahead log is merged into the catalogue; those that change with every commit
#: are then merged once for several of them.
_LOGGED_PAGES = 4_000
_WRITES, _PLAIN = "broadsheet_writes", "broadsheet_plain"
#: What becomes of a row whose primary key is there already, if not a number in it that is added to.
_REPLACE, _REFUSE = "replace", "refuse"
_CREATE, _READ, _IMMUTABLE = "rwc", "ro", "immutable"


_log = logging.getLogger(__name__)


class Database:
    """The catalogue of one archive: transactions that read, and transactions that write alone."""

    def __init__(self, folder: Path, *, writable: bool = False) -> None:
        """Name the file; it is opened by the first transaction."""
        self.path = folder / CATALOGUE
        self._engine = _engine(self.path, _CREATE if writable else _reading_mode(self.path))
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
                    self._glance = self._engine.connect().execution_options(**{_PLAIN: True})
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
            marked = connection.execution_options(**{_WRITES: True})
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
                    with connection.execution_options(**{_WRITES: True}).begin():
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


def driver_connection(connection: Connection) -> sqlite3.Connection:
    """Return the driver's own connection, for what SQLAlchemy would only get in the way of."""
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)  # noqa: S101 - the engine makes no other
    return driver


def upsert(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows, or change those whose primary key is there already."""
    _insert(connection, table, rows, _REPLACE)


def add_to(connection: Connection, table: Table, column: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows, or add their number to that of those whose primary key is there already."""
    _insert(connection, table, rows, column)


def insert_new(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows, none of which is there yet."""
    _insert(connection, table, rows, _REFUSE)


def _insert(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]], conflict: str) -> None:
    """Insert rows that have the same columns; `conflict` says what becomes of one whose primary key is there already.

    The driver gets the values directly: SQLAlchemy takes longer to pass a row on than SQLite takes to write it.
    """
    if not rows:
        return
    statement = _statement(table, tuple(rows[0]), conflict)
    columns = []
    for name, process in statement.columns:
        values = [row[name] for row in rows]
        columns.append([process(value) for value in values] if process else values)
    send(connection, statement.text, list(zip(*columns, strict=True)))


def send(connection: Connection, text: str, rows: Sequence[Sequence[Any]]) -> None:
    """Have the driver run a statement for each of some rows."""
    try:
        driver_connection(connection).executemany(text, rows)
    except sqlite3.Error as error:
        raise DBAPIError(text, None, error) from error


class _Statement(NamedTuple):
    """A statement as the driver takes it: its text, and what makes a value for the driver, by column in order."""

    text: str
    columns: tuple[tuple[str, Callable[[Any], Any] | None], ...]


@cache
def _statement(table: Table, names: tuple[str, ...], conflict: str) -> _Statement:
    dialect, keys = sqlite.dialect(), [column.name for column in table.primary_key]
    marks = ", ".join("?" * len(names))
    text = f"INSERT INTO {table.name} ({_quoted(names)}) VALUES ({marks})"  # noqa: S608 - names of our own tables
    if conflict == _REPLACE:
        changes = [f'"{column.name}" = excluded."{column.name}"' for column in table.c if column.name not in keys]
        text += f" ON CONFLICT ({_quoted(keys)}) DO UPDATE SET {', '.join(changes)}"
    elif conflict != _REFUSE:
        text += f' ON CONFLICT ({_quoted(keys)}) DO UPDATE SET "{conflict}" = "{conflict}" + excluded."{conflict}"'
    types = [table.c[name].type.dialect_impl(dialect) for name in names]
    return _Statement(
        text, tuple((name, type_.bind_processor(dialect)) for name, type_ in zip(names, types, strict=True))
    )


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


def among(column: ColumnElement[Any], name: str = "keys") -> ColumnElement[bool]:
    """Return the condition that a column has one of the values that a parameter lists, as `listed` writes them.

    The statement is the same however many values there are, so neither SQLAlchemy nor SQLite prepares it again.
    """
    values = func.json_each(bindparam(name, type_=Text)).table_valued("value")
    return column.in_(select(values.c.value))


def listed(values: Iterable[str | int]) -> str:
    """Return values as the parameter of `among`."""
    return json.dumps(list(values))


def row_number(table: Table) -> ColumnElement[int]:
    """Return the number that a row of a table keeps for as long as it exists."""
    return literal_column(f"{table.name}.rowid", Integer)


def integrity(connection: Connection) -> Iterator[str]:
    """Give what the database itself finds wrong with its file and its references."""
    for (complaint,) in connection.exec_driver_sql("PRAGMA integrity_check"):
        if complaint != "ok":
            yield " ".join(complaint.split())
    for table, row, parent, _ in connection.exec_driver_sql("PRAGMA foreign_key_check"):
        yield f"row {row} of {table} refers to a row of {parent} that does not exist"


def _holds_lease(connection: Connection) -> bool:
    return connection.exec_driver_sql("SELECT 1 FROM lease").first() is not None


def _engine(path: Path, mode: str) -> Engine:
    # A path may hold any character, so it goes into the URI as SQLite reads it: percent-encoded.
    uri = f"{path.absolute().as_uri()}?{'immutable=1' if mode == _IMMUTABLE else f'mode={mode}'}"
    engine = create_engine("sqlite://", creator=lambda: _connected(uri, mode), poolclass=QueuePool)

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        if not options.get(_PLAIN, False):
            connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get(_WRITES, False) else "BEGIN")

    return engine


def _connected(uri: str, mode: str) -> sqlite3.Connection:
    # Without an isolation level the driver begins no transaction of its own: a deferred one would starve.
    connection = sqlite3.connect(uri, uri=True, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    # Bytes that are not UTF-8 are damage in one row: its own check names it, and the others still come.
    connection.text_factory = partial(str, encoding="utf-8", errors="surrogateescape")
    try:
        if mode == _CREATE:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute(f"PRAGMA cache_size = -{_CACHE_KILOBYTES}")
            connection.execute(f"PRAGMA wal_autocheckpoint = {_LOGGED_PAGES}")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _reading_mode(path: Path) -> str:
    """Say how a catalogue can be read: where the folder cannot be written to, SQLite must not try to."""
    if os.access(path.parent, os.W_OK):
        return _READ
    journal = path.with_name(path.name + "-wal")
    if not journal.exists() or not journal.stat().st_size:
        return _IMMUTABLE
    if path.with_name(path.name + "-shm").exists():
        return _READ
    raise ArchiveError(
        f"{path.parent}: is read-only, and its last writer was killed: copy the archive and open the copy"
    )
