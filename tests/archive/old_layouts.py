"""Archives as programs of earlier layouts left them."""

import hashlib
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from broadsheet.archive import FetchRecord, PageState, Store
from broadsheet.archive.migration import ADDED_COLUMNS
from broadsheet.archive.parquet_files import ADDED, written
from tests.archive.samples import exchange, keep, links, page

#: Written by hand after the tables of layout 3.
DDL = """
CREATE TABLE meta (name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (name));
CREATE TABLE lease (
    id INTEGER NOT NULL, holder TEXT NOT NULL, host TEXT NOT NULL, boot TEXT, space TEXT, pid INTEGER NOT NULL,
    started TEXT, acquired DATETIME NOT NULL, heartbeat DATETIME NOT NULL, PRIMARY KEY (id)
);
CREATE TABLE commits (
    id INTEGER NOT NULL, batch TEXT NOT NULL, at DATETIME NOT NULL, visits INTEGER NOT NULL, PRIMARY KEY (id),
    UNIQUE (batch)
);
CREATE TABLE files (
    id INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, size BIGINT NOT NULL, rows BIGINT NOT NULL,
    first_visit BIGINT NOT NULL, last_visit BIGINT NOT NULL, retired DATETIME, PRIMARY KEY (id), UNIQUE (name)
);
CREATE INDEX files_by_kind ON files (kind, retired, first_visit);
CREATE TABLE sources (
    "key" TEXT NOT NULL, url TEXT NOT NULL, name TEXT NOT NULL, added_at DATETIME NOT NULL, state TEXT NOT NULL,
    every FLOAT NOT NULL, rounds INTEGER NOT NULL, next_round DATETIME, until_round INTEGER, until DATETIME, goal TEXT,
    PRIMARY KEY ("key")
);
CREATE TABLE pages (
    "key" TEXT NOT NULL, url TEXT NOT NULL, source TEXT NOT NULL, state TEXT NOT NULL, kind TEXT, subtype TEXT,
    probability FLOAT, probabilities JSON, reasons JSON, model TEXT, first_seen DATETIME, last_seen DATETIME,
    first_round INTEGER, last_round INTEGER, rounds_seen INTEGER NOT NULL, anchor TEXT, attempts INTEGER NOT NULL,
    due DATETIME, every FLOAT, etag TEXT, last_modified TEXT, fetched_at DATETIME, duplicate_of TEXT,
    PRIMARY KEY ("key"), FOREIGN KEY(source) REFERENCES sources ("key")
);
CREATE INDEX pages_followed ON pages (source, every);
CREATE INDEX pages_by_state ON pages (source, state, first_seen);
CREATE TABLE contents (
    page TEXT NOT NULL, visit BIGINT NOT NULL, digest TEXT NOT NULL, url TEXT NOT NULL, at DATETIME NOT NULL,
    file INTEGER NOT NULL, "offset" BIGINT NOT NULL, length BIGINT NOT NULL, PRIMARY KEY (page),
    FOREIGN KEY(file) REFERENCES files (id)
);
CREATE TABLE versions (
    "key" TEXT NOT NULL, version INTEGER NOT NULL, latest BOOLEAN NOT NULL, source TEXT NOT NULL,
    moment DATETIME NOT NULL, fingerprint TEXT NOT NULL, model TEXT, visit BIGINT NOT NULL,
    fetched_at DATETIME NOT NULL, file INTEGER NOT NULL, "offset" BIGINT NOT NULL, length BIGINT NOT NULL,
    article TEXT NOT NULL,
    digest TEXT NOT NULL, PRIMARY KEY ("key", version), FOREIGN KEY(source) REFERENCES sources ("key"),
    FOREIGN KEY(file) REFERENCES files (id)
);
CREATE INDEX versions_newest ON versions (latest, moment);
CREATE TABLE counters (
    name TEXT NOT NULL, reason TEXT NOT NULL, source TEXT NOT NULL, number BIGINT NOT NULL,
    PRIMARY KEY (name, reason, source)
);
CREATE TABLE incidents (
    source TEXT NOT NULL, name TEXT NOT NULL, reason TEXT NOT NULL, url TEXT NOT NULL, detail TEXT NOT NULL,
    at DATETIME NOT NULL, PRIMARY KEY (source, name, reason)
);
"""
#: What changed from one layout to the next, taken back.
BEFORE_3 = "DROP TABLE incidents;"
BEFORE_2 = "ALTER TABLE versions DROP COLUMN digest;"

TABLES_OF_LAYOUT_4 = frozenset(
    "meta lease commits files moved sources pages fetches verdicts members agenda contents versions counters"
    " incidents".split()
)
TABLES_OF_LAYOUT_5 = TABLES_OF_LAYOUT_4 | frozenset(
    "moved_parts earlier_verdicts rereads tallies orders events tombstones".split()
)
COLUMNS_OF_LAYOUT_10 = (("sources", "every_given"), ("sources", "pace"))
COLUMNS_AFTER_LAYOUT_5 = (("members", "listed"), ("moved", "kept"), ("sources", "phase"), *COLUMNS_OF_LAYOUT_10)
#: What layouts 11, 10 and 8 added, taken back.
BEFORE_11 = "ALTER TABLE fronts DROP COLUMN looks;"
BEFORE_10 = BEFORE_11 + "".join(f"ALTER TABLE {table} DROP COLUMN {column};" for table, column in COLUMNS_OF_LAYOUT_10)
BEFORE_10 += "ALTER TABLE fronts DROP COLUMN may_rejoin;"
BEFORE_8 = BEFORE_10 + "ALTER TABLE sources DROP COLUMN phase; DROP TABLE fronts;"
#: The tables of layout 5 that are declared otherwise now.
CHANGED_SINCE_5 = """
DROP TABLE events;
CREATE TABLE events (
    id INTEGER NOT NULL, at DATETIME NOT NULL, kind TEXT NOT NULL, source TEXT NOT NULL, page TEXT NOT NULL,
    detail JSON NOT NULL, PRIMARY KEY (id)
);
CREATE INDEX events_by_page ON events (page);
"""
#: A row for each part of a file that was rewritten, as layouts 5 and 6 had them.
MOVED_PARTS = """
CREATE TABLE moved_parts (
    name TEXT NOT NULL, start BIGINT NOT NULL, stop BIGINT NOT NULL, file INTEGER NOT NULL, base BIGINT NOT NULL,
    PRIMARY KEY (name, start), FOREIGN KEY(file) REFERENCES files (id)
);
CREATE INDEX moved_parts_by_file ON moved_parts (file);
"""
_COPIED = ("meta", "commits", "files", "contents", "versions", "counters", "incidents")
_ADDED, _SEEN, _FETCHED = "2026-03-01 08:00:00.000000", "2026-03-02 09:00:00.000000", "2026-03-02 12:00:00.000000"
NEXT_ROUND = "2026-03-02 13:00:00.000000"
HOME = "news.example"
VERDICT = {
    "kind": "article",
    "subtype": "news",
    "probability": 0.75,
    "probabilities": '{"article": 0.75, "other": 0.25}',
    "reasons": '["long text"]',
    "model": "trees-1",
}
SOURCES: tuple[dict[str, Any], ...] = (
    {
        "key": HOME,
        "url": "https://news.example/",
        "name": "News",
        "added_at": _ADDED,
        "state": "active",
        "every": 1800.0,
        "rounds": 3,
        "next_round": NEXT_ROUND,
        "until_round": 9,
        "goal": "9 snapshots",
    },
    {
        "key": "new.example",
        "url": "https://new.example/",
        "name": "New",
        "added_at": _ADDED,
        "state": "paused",
        "every": 60.0,
        "rounds": 0,
    },
)
#: A page of each kind that a program of layout 3 could leave.
PAGES: dict[str, dict[str, Any]] = {
    HOME: {"state": "fetched", **VERDICT, "kind": "section", "every": 1800.0, "fetched_at": _FETCHED, "etag": '"h"'},
    "news.example/section": {"state": "fetched", **VERDICT, "kind": "section", "every": 900.0, "fetched_at": _FETCHED},
    "news.example/a": {"state": "fetched", **VERDICT, "fetched_at": _FETCHED, "anchor": "Ä link"},
    "news.example/queued": {"state": "queued", **VERDICT, "anchor": "Read me"},
    "news.example/tried": {"state": "queued", **VERDICT, "attempts": 2, "first_seen": None},
    "news.example/known": {"state": "known", **VERDICT, "kind": "section", "probabilities": None, "reasons": None},
    "news.example/failed": {"state": "failed", "attempts": 5},
    "news.example/gone": {"state": "gone", "fetched_at": _FETCHED, **VERDICT},
    "news.example/twin": {"state": "duplicate", "duplicate_of": "news.example/a", "fetched_at": _FETCHED},
    "news.example/bare": {"state": "known", "first_seen": None, "last_seen": None},
    "news.example/half": {"state": "known", "kind": "section"},
}
_DEFAULTS = {"source": HOME, "attempts": 0, "rounds_seen": 1, "first_seen": _SEEN, "last_seen": _SEEN}


def catalogue(folder: Path) -> Path:
    """Return the file of an archive's catalogue."""
    return folder / "catalogue.sqlite"


def make_old(folder: Path, layout: int) -> None:
    """Make an archive as a program of an earlier layout left it."""
    _fill(folder)
    with closing(sqlite3.connect(catalogue(folder))) as connection, connection:
        _forget_columns(folder, connection)
    present = catalogue(folder).rename(folder.parent / "present.sqlite")
    (folder / "catalogue.sha256").unlink()
    with closing(sqlite3.connect(catalogue(folder))) as connection, connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(DDL)
        connection.execute("ATTACH ? AS present", (str(present),))
        for name in _COPIED:
            names = ", ".join(f'"{row[1]}"' for row in connection.execute(f"PRAGMA main.table_info({name})"))
            copied = f"INSERT INTO main.{name} ({names}) SELECT {names} FROM present.{name}"  # noqa: S608 - our own names
            connection.execute(copied)
        connection.execute("UPDATE meta SET value = ? WHERE name = 'layout'", (str(layout),))
        for row in (*SOURCES,):
            insert(connection, "sources", row)
        for key, values in PAGES.items():
            insert(connection, "pages", {"key": key, "url": f"https://{key}", **_DEFAULTS, **values})
        connection.executescript((BEFORE_3 if layout < 3 else "") + (BEFORE_2 if layout < 2 else ""))
    present.unlink()


def make_layout_4(folder: Path) -> None:
    """Take from an archive what layout 4 did not have."""
    with closing(sqlite3.connect(catalogue(folder))) as connection, connection:
        for column in ADDED_COLUMNS:
            connection.execute(f"ALTER TABLE {column.table.name} DROP COLUMN {column.name}")
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        # The last is SQLite's own.
        for name in set(names) - TABLES_OF_LAYOUT_4 - {"sqlite_sequence"}:
            connection.execute(f"DROP TABLE {name}")
        connection.execute("UPDATE meta SET value = '4' WHERE name = 'layout'")
    (folder / "catalogue.sha256").unlink()


def make_layout_5(folder: Path) -> None:
    """Take from an archive what layout 5 did not have; it has no events and no parts of merged files."""
    with closing(sqlite3.connect(catalogue(folder))) as connection, connection:
        for table, column in COLUMNS_AFTER_LAYOUT_5:
            connection.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for name in set(names) - TABLES_OF_LAYOUT_5 - {"sqlite_sequence"}:
            connection.execute(f"DROP TABLE {name}")
        connection.executescript(CHANGED_SINCE_5 + MOVED_PARTS)
        connection.execute("UPDATE meta SET value = '5' WHERE name = 'layout'")
    (folder / "catalogue.sha256").unlink()


def make_layout_6(folder: Path) -> None:
    """Take from an archive what layout 6 did not have; no file of it was rewritten."""
    with closing(sqlite3.connect(catalogue(folder))) as connection, connection:
        connection.execute("ALTER TABLE moved DROP COLUMN kept")
        connection.executescript(BEFORE_8 + MOVED_PARTS)
        connection.execute("UPDATE meta SET value = '6' WHERE name = 'layout'")
    (folder / "catalogue.sha256").unlink()


def make_layout_7(folder: Path) -> None:
    """Take from an archive what layout 7 did not have."""
    with closing(sqlite3.connect(catalogue(folder))) as connection, connection:
        connection.executescript(BEFORE_8)
        connection.execute("UPDATE meta SET value = '7' WHERE name = 'layout'")
    (folder / "catalogue.sha256").unlink()


def make_layout_8(folder: Path) -> None:
    """Give an archive's versions the digests of layout 8, which hash the whole text of an article."""
    names = ("key", "version", "source", "moment", "fingerprint", "model", "visit", "fetched_at", "article")
    with closing(sqlite3.connect(catalogue(folder))) as connection, connection:
        for row in connection.execute(f"SELECT {', '.join(names)} FROM versions").fetchall():  # noqa: S608 - our own names
            digest = hashlib.sha256(json.dumps(row).encode("ascii")).hexdigest()
            connection.execute("UPDATE versions SET digest = ? WHERE key = ? AND version = ?", (digest, *row[:2]))
        connection.executescript(BEFORE_10)
        connection.execute("UPDATE meta SET value = '8' WHERE name = 'layout'")
    (folder / "catalogue.sha256").unlink()


def make_layout_9(folder: Path) -> None:
    """Take from an archive what layout 9 did not have."""
    with closing(sqlite3.connect(catalogue(folder))) as connection, connection:
        connection.executescript(BEFORE_10)
        connection.execute("UPDATE meta SET value = '9' WHERE name = 'layout'")
    (folder / "catalogue.sha256").unlink()


def make_layout_10(folder: Path) -> None:
    """Take from an archive what layout 10 did not have."""
    with closing(sqlite3.connect(catalogue(folder))) as connection, connection:
        connection.executescript(BEFORE_11)
        connection.execute("UPDATE meta SET value = '10' WHERE name = 'layout'")
    (folder / "catalogue.sha256").unlink()


def insert(connection: sqlite3.Connection, table: str, row: dict[str, Any]) -> None:
    """Insert a row, given as its columns."""
    names = ", ".join(row)
    statement = f"INSERT INTO {table} ({names}) VALUES ({', '.join('?' * len(row))})"  # noqa: S608 - our own names
    connection.execute(statement, tuple(row.values()))


def _fill(folder: Path) -> None:
    with Store.open(folder, create=True) as archive, archive.writer() as writer:
        keep(writer, "news.example/a", b"a")
        batch = writer.batch()
        for key in (HOME, "news.example/section"):
            batch.page(page(key, fetch=FetchRecord(state=PageState.FETCHED)))
            found = links("news.example/a", "news.example/queued")
            batch.visit(key, f"https://{key}/", (exchange(key.encode()),), links=found, source=HOME)
        writer.commit(batch)


def _forget_columns(folder: Path, connection: sqlite3.Connection) -> None:
    """Write the Parquet files again without the columns that they lacked."""
    for kind in ("visits", "occurrences"):
        for path in list((folder / kind).iterdir()):
            table = pq.read_table(path)
            data = written(table.drop_columns([name for name in table.column_names if name in ADDED]))
            name = f"{hashlib.sha256(data).hexdigest()}.parquet"
            path.unlink()
            (folder / kind / name).write_bytes(data)
            connection.execute("UPDATE files SET name = ?, size = ? WHERE name = ?", (name, len(data), path.name))
