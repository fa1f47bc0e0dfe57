"""Expressions of SQL as SQLite has them: lists of values in one parameter, and the numbers of rows."""

import json
from collections.abc import Iterable
from typing import Any

from sqlalchemy import ColumnElement, Integer, Table, Text, bindparam, func, literal_column, select


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
