"""Rows of the catalogue whose values are checked: one that does not hold what was written is named as damaged."""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Any

from sqlalchemy import Boolean, Float, Integer, LargeBinary, Table, Text

from broadsheet.archive import kept_ranges, tables
from broadsheet.archive.archive_errors import DamagedRow
from broadsheet.archive.column_types import Json, UtcTime

# SQLite keeps whatever it is given, or finds, in a column of any type.
_TYPES: tuple[tuple[type, tuple[type, ...]], ...] = (
    (Boolean, (bool,)),
    (Integer, (int,)),
    (Float, (float, int)),
    (Text, (str,)),
    (LargeBinary, (bytes,)),
    (UtcTime, (datetime,)),
    (Json, (dict, list)),
)


def to_kept_ranges(row: Mapping[Any, Any]) -> list[tuple[int, int]] | None:
    """Return which bytes are left of a file that was merged; None if the row does not say."""
    where = f"the place of {row['name']}"
    require_types(tables.moved, row, where)
    try:
        return None if row["kept"] is None else kept_ranges.unpacked(row["kept"])
    except ValueError as error:
        raise DamagedRow(f"{where}: {error}") from error


def to_utc(stored: object) -> datetime:
    """Return a time that was read as it is stored, or converted already."""
    moment = stored if isinstance(stored, datetime) else datetime.fromisoformat(str(stored))
    return moment.replace(tzinfo=UTC)


def require_types(table: Table, row: Mapping[Any, Any], where: str) -> None:
    """Refuse a row that holds what its columns cannot have been given."""
    for name, nullable, allowed in _columns(table):
        value = row[name]
        if not (isinstance(value, allowed) or (value is None and nullable)):
            raise damaged(where, f"its {name} is {value!r}")


@cache
def _columns(table: Table) -> tuple[tuple[str, bool, tuple[type, ...]], ...]:
    return tuple(
        (column.name, bool(column.nullable), next(types for kind, types in _TYPES if isinstance(column.type, kind)))
        for column in table.c
    )


def damaged(where: str, why: str) -> DamagedRow:
    """Return the error that names a damaged row, and why it is taken for one."""
    return DamagedRow(f"{where}: its row in the catalogue is damaged ({why}); `broadsheet repair` restores what it can")
