"""Dates and times: as callers pass them, which is as text, `date` or `datetime`, and as they are stored."""

from datetime import UTC, date, datetime, time

from broadsheet.base.errors import InputError

#: A date means its first moment; a time without an offset is in UTC.
Moment = str | date | datetime


def to_utc(moment: Moment) -> datetime:
    """Return a moment as an aware datetime in UTC."""
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
