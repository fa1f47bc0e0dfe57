"""Dates as machines write them: ISO 8601 and seconds since 1970, with the offset that the page states."""

import re
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from broadsheet.base.records import Precision

#: No longer text is a date.
MAX_CHARACTERS = 40
#: Nobody publishes on the web outside of these; at the ends of the calendar an offset leads beyond it.
YEARS = range(1900, 2200)

_DAY = re.compile(r"\d{4}-?\d{2}-?\d{2}").fullmatch
_LATE_FRACTION = re.compile(r"([.,]\d{6})\d+")
_SPACED_OFFSET = re.compile(r"(?<=\d)\s+(?=[+-]\d{2}:?\d{2}\Z|Z\Z)")
_LOOSE_OFFSET = re.compile(r"(?<=:\d{2})\s?(?:UTC|GMT)?\s?([+-])(\d):?(\d{2})\Z")
_NAMED_ZERO = re.compile(r"(?<=:\d{2})\s?(?:UTC|GMT)\Z")
_SHORT_PARTS = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]+(\d{1,2})(:.*))?")
_SECONDS = re.compile(r"[T ]\d{2}:?\d{2}:?\d{2}")
_EPOCH = re.compile(r"(\d{9,10})(?:\d{3}|\.\d+)?").fullmatch


class Moment(NamedTuple):
    """A time with its offset, and how exactly it is known; without a stated offset it is taken for UTC."""

    time: datetime
    precision: Precision
    has_offset: bool


def read_iso(text: str) -> Moment | None:
    """Return the moment that a text in ISO 8601 names; None where it is anything else."""
    written = text.strip()
    if not 8 <= len(written) <= MAX_CHARACTERS or not written[:4].isdigit():
        return None
    try:
        time = datetime.fromisoformat(written)
    except ValueError:
        written = _mended(written)
        try:
            time = datetime.fromisoformat(written)
        except ValueError:
            return None
    has_offset = time.utcoffset() is not None
    if not has_offset:
        time = time.replace(tzinfo=UTC)
    if time.year not in YEARS:
        return None
    precision: Precision = "day" if _DAY(written) else "second" if _SECONDS.search(written) else "minute"
    return Moment(time, precision, has_offset)


def read_epoch(text: str) -> Moment | None:
    """Return the moment that a number of seconds or milliseconds since 1970 names."""
    match = _EPOCH(text.strip())
    if match is None:
        return None
    return Moment(datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=int(match[1])), "second", True)


def _mended(written: str) -> str:
    """Return a text as ISO 8601 has it: two digits each, no space before the offset, six digits of a second."""
    if parts := _SHORT_PARTS.fullmatch(written):
        year, month, day, hour, rest = parts.groups()
        written = f"{year}-{month:0>2}-{day:0>2}" + (f"T{hour:0>2}{rest}" if hour else "")
    written = _LATE_FRACTION.sub(r"\1", _SPACED_OFFSET.sub("", written))
    return _NAMED_ZERO.sub("+00:00", _LOOSE_OFFSET.sub(r"\g<1>0\2:\3", written))
