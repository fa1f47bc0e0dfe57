"""The engine of a catalogue: how connections to SQLite are opened, and how their transactions begin."""

import os
import sqlite3
from functools import partial
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import QueuePool

from broadsheet.archive.archive_errors import ArchiveError

#: How long one transaction waits for another; commits take milliseconds, merging files none of it.
_BUSY_SECONDS = 30
#: What a writer keeps of the catalogue in memory: with SQLite's 2 MB, a commit writes pages several times. Each
#: connection has such a cache of its own.
_CACHE_KILOBYTES = 16_000
#: The pages of 4 kB after which the write-ahead log is merged into the catalogue; those that change with every commit
#: are then merged once for several of them.
_LOGGED_PAGES = 4_000
#: Options of a connection: its transactions write, or each statement is one of its own.
WRITES, PLAIN = "broadsheet_writes", "broadsheet_plain"
_CREATE, _READ, _IMMUTABLE = "rwc", "ro", "immutable"


def open_engine(path: Path, *, writable: bool) -> Engine:
    """Return an engine for a catalogue; its first connection opens the file, which only a writer creates."""
    mode = _CREATE if writable else _reading_mode(path)
    # A path may hold any character, so it goes into the URI as SQLite reads it: percent-encoded.
    uri = f"{path.absolute().as_uri()}?{'immutable=1' if mode == _IMMUTABLE else f'mode={mode}'}"
    engine = create_engine("sqlite://", creator=lambda: _connected(uri, mode), poolclass=QueuePool)

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        if not options.get(PLAIN, False):
            connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get(WRITES, False) else "BEGIN")

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


def driver_connection(connection: Connection) -> sqlite3.Connection:
    """Return the driver's own connection, for what SQLAlchemy would only get in the way of."""
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)  # noqa: S101 - the engine makes no other
    return driver
