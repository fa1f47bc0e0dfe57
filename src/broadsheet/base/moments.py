"""Dates and times: as callers pass them, as pages state them, and as text."""

from datetime import UTC, date, datetime, time
from typing import Literal

from broadsheet.base.errors import InputError

#: What the evidence says of a time whose offset the page does not state.
NO_OFFSET = "without an offset"

Precision = Literal["year", "month", "day", "minute", "second"]

#: A date means its first moment; a time without an offset is in UTC.
Moment = str | date | datetime


def to_utc(moment: Moment) -> datetime:
    """Return a moment as an aware datetime in UTC."""
    if isinstance(moment, datetime) and moment.tzinfo is UTC:
        return moment
    if isinstance(moment, str):
        try:
            moment = datetime.fromisoformat(moment)
        except ValueError as error:
            raise InputError(f"{moment!r} is not a date or time (2026-03-02, 2026-03-02T12:00+02:00)") from error
    elif not isinstance(moment, date):
        raise InputError(f"a moment is a str, date or datetime, not {type(moment).__name__}")
    if not isinstance(moment, datetime):
        moment = datetime.combine(moment, time())
    try:
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except OverflowError as error:
        raise InputError(f"{moment.isoformat()} lies outside the years 1 to 9999 in UTC") from error


def utc_text(moment: datetime, separator: str = "T") -> str:
    """Return an aware time as text in UTC: with microseconds, and without the offset."""
    # Nearly all times are in UTC already, and to convert them takes longer than all the rest.
    in_utc = moment if moment.tzinfo is UTC else moment.astimezone(UTC)
    return in_utc.isoformat(separator, "microseconds").removesuffix("+00:00")


def format_stated(moment: datetime, precision: Precision | None = None, timespec: str = "auto") -> str:
    """Return a time in ISO 8601 as a page states it: with its offset if that is known, a day without any time.

    A day has no offset: it is the day that readers of the page saw. `timespec` is that of `datetime.isoformat`.
    """
    is_day = precision == "day" and moment.tzinfo is None
    return moment.date().isoformat() if is_day else moment.isoformat(timespec=timespec)
