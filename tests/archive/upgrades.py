"""Catalogues that are upgraded: what they hold, and what their tables are."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from tests.archive.old_layouts import catalogue

ADDED, SEEN = datetime(2026, 3, 1, 8, tzinfo=UTC), datetime(2026, 3, 2, 9, tzinfo=UTC)


def change(folder: Path, statement: str) -> None:
    with closing(sqlite3.connect(catalogue(folder))) as connection, connection:
        connection.execute(statement)


def schema(folder: Path) -> dict[str, list[str]]:
    """Return the columns of each table and index of a catalogue."""
    with closing(sqlite3.connect(catalogue(folder))) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE sql IS NOT NULL")]
        return {
            name: sorted(row[0] for row in connection.execute("SELECT name FROM pragma_table_info(?)", (name,)))
            or [row[0] for row in connection.execute("SELECT name FROM pragma_index_info(?)", (name,))]
            for name in names
        }
