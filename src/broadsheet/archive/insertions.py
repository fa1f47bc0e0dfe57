"""Insertions of rows into the catalogue, which go to the driver directly."""

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError

from broadsheet.archive.sqlite_engine import driver_connection

#: What becomes of a row whose primary key is there already, if not a number in it that is added to.
_REPLACE, _REFUSE = "replace", "refuse"


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
