"""Queries that are asked for every page, compiled once and asked through the driver.

SQLAlchemy takes several times as long to pass such a query on as SQLite takes to answer it.
"""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Select
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError

from broadsheet.archive.sqlite_engine import driver_connection

_Process = Callable[[Any], Any]


class PreparedQuery:
    """A query whose text never changes, only its parameters; its rows are those that SQLAlchemy would give."""

    def __init__(self, query: Select[Any]) -> None:
        """Compile the query."""
        dialect = sqlite.dialect()
        compiled = query.compile(dialect=dialect)
        self._text = str(compiled)
        #: By name, in the order of the text: what is passed if no other value is given, and what makes it the driver's.
        self._parameters: list[tuple[str, Any, _Process | None]] = []
        for name in compiled.positiontup or ():
            kind = compiled.binds[name].type.dialect_impl(dialect)
            self._parameters.append((name, compiled.params[name], kind.bind_processor(dialect)))
        columns = tuple(query.selected_columns)
        self._names = tuple(described["name"] for described in query.column_descriptions)
        processes = [column.type.dialect_impl(dialect).result_processor(dialect, None) for column in columns]
        self._processes = [(place, process) for place, process in enumerate(processes) if process is not None]

    def rows(self, connection: Connection, **parameters: Any) -> list[Sequence[Any]]:  # noqa: ANN401 - of any column
        """Return all rows."""
        values = []
        for name, default, process in self._parameters:
            value = parameters.get(name, default)
            values.append(process(value) if process else value)
        found = _fetched(connection, self._text, values)
        return [self._converted(row) for row in found] if self._processes else found

    def mappings(self, connection: Connection, **parameters: Any) -> list[Mapping[str, Any]]:  # noqa: ANN401
        """Return all rows by the names of their columns."""
        return [dict(zip(self._names, row, strict=True)) for row in self.rows(connection, **parameters)]

    def first(self, connection: Connection, **parameters: Any) -> Sequence[Any] | None:  # noqa: ANN401
        """Return the first row, if there is one."""
        return next(iter(self.rows(connection, **parameters)), None)

    def _converted(self, row: Sequence[Any]) -> Sequence[Any]:
        values = list(row)
        for place, process in self._processes:
            values[place] = process(values[place])
        return values


def _fetched(connection: Connection, text: str, values: list[Any]) -> list[Sequence[Any]]:
    try:
        return driver_connection(connection).execute(text, values).fetchall()
    except sqlite3.Error as error:
        raise DBAPIError(text, values, error) from error
