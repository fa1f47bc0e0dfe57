"""Machine-readable dates: ISO 8601 and Unix timestamps, with their stated offset."""

import re
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from broadsheet.base.moments import Precision

#: Longer texts are not dates.
MAX_CHARACTERS = 40
#: Plausible years; at the ends of the calendar, applying an offset would overflow.
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
    """A time as it is stated, and its precision: naive if no offset is stated; a day is a naive midnight."""

    time: datetime
    precision: Precision

    @property
    def has_offset(self) -> bool:
        """Whether the offset is known."""
        return self.time.tzinfo is not None


def read_iso(text: str) -> Moment | None:
    """Parse ISO 8601 and common deviations from it; return None for anything else."""
    value = text.strip()
    if not 8 <= len(value) <= MAX_CHARACTERS or not value[:4].isdigit():
        return None
    try:
        time = datetime.fromisoformat(value)
    except ValueError:
        value = _normalize(value)
        try:
            time = datetime.fromisoformat(value)
        except ValueError:
            return None
    if time.year not in YEARS:
        return None
    precision: Precision = "day" if _DAY(value) else "second" if _SECONDS.search(value) else "minute"
    return Moment(time, precision)


def read_epoch(text: str) -> Moment | None:
    """Parse a Unix timestamp in seconds or milliseconds."""
    match = _EPOCH(text.strip())
    if match is None:
        return None
    return Moment(datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=int(match[1])), "second")


def _normalize(value: str) -> str:
    """Normalize to ISO 8601: two digits each, no space before the offset, at most six digits of a second."""
    if parts := _SHORT_PARTS.fullmatch(value):
        year, month, day, hour, rest = parts.groups()
        value = f"{year}-{month:0>2}-{day:0>2}" + (f"T{hour:0>2}{rest}" if hour else "")
    value = _LATE_FRACTION.sub(r"\1", _SPACED_OFFSET.sub("", value))
    return _NAMED_ZERO.sub("+00:00", _LOOSE_OFFSET.sub(r"\g<1>0\2:\3", value))
