"""The types of the catalogue's columns whose values are more than SQLite knows: times and plain values."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import JSON, DateTime, Dialect, TypeDecorator

from broadsheet.archive.archive_errors import DamagedRow
from broadsheet.base.moments import utc_text


class _Checked(TypeDecorator[Any]):
    """A column whose values may be damaged on disk, which is told as such."""

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], Any] | None:
        """Return what makes a value of what is stored."""
        inner = super().result_processor(dialect, coltype)

        def process(stored: Any) -> Any:  # noqa: ANN401 - whatever the database holds
            try:
                return inner(stored) if inner else stored
            except (TypeError, ValueError) as error:
                raise DamagedRow(f"a row of the catalogue is damaged: {error}; `broadsheet check` says more") from error

        return process


class UtcTime(_Checked):
    """An aware time, stored in UTC: SQLite has no type that would keep an offset."""

    impl = DateTime
    cache_ok = True

    def bind_processor(self, dialect: Dialect) -> Callable[[Any], Any] | None:
        """Return what takes the offset off before a time is stored."""
        del dialect
        return _utc_text

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Say of a stored time that it is in UTC."""
        del dialect
        return None if value is None else value.replace(tzinfo=UTC)


# The rows of a visit have few times, again and again.
@lru_cache(maxsize=256)
def _utc_text(moment: datetime | None) -> str | None:
    """Return a time as SQLAlchemy has SQLite store it, in much less time than it takes for that."""
    return None if moment is None else utc_text(moment, " ")


class Json(_Checked):
    """Plain values as JSON."""

    impl = JSON(none_as_null=True)
    cache_ok = True

    def bind_processor(self, dialect: Dialect) -> Callable[[Any], Any] | None:
        """Return what makes text of a value, as SQLAlchemy does, only without looking for its own marks in it."""
        del dialect
        return _json_text


# Columns are built from records, which cannot contain themselves, so looking for cycles would be wasted time.
_encode = json.JSONEncoder(check_circular=False).encode


def _json_text(value: object) -> str | None:
    return None if value is None else _encode(value)
