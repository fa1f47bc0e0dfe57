"""Dates as machines write them: ISO 8601, with the offset that the page states and how exact it is."""

import re
from datetime import UTC, datetime
from typing import NamedTuple

from broadsheet.base.records import Precision

#: No longer text is a date.
MAX_CHARACTERS = 40
#: Nobody publishes on the web outside of these; at the ends of the calendar an offset leads beyond it.
YEARS = range(1900, 2200)

_DAY = re.compile(r"\d{4}-?\d{2}-?\d{2}").fullmatch
_LATE_FRACTION = re.compile(r"([.,]\d{6})\d+")
_SPACED_OFFSET = re.compile(r"(?<=\d)\s+(?=[+-]\d{2}:?\d{2}\Z|Z\Z)")
_SECONDS = re.compile(r"[T ]\d{2}:?\d{2}:?\d{2}")


class Moment(NamedTuple):
    """A time with its offset, and how exactly it is known; without a stated offset it is taken for UTC."""

    time: datetime
    precision: Precision
    has_offset: bool


def read_iso(text: str) -> Moment | None:
    """Return the moment that a text in ISO 8601 names; None where it is anything else."""
    written = _LATE_FRACTION.sub(r"\1", _SPACED_OFFSET.sub("", text.strip()))
    if not 8 <= len(written) <= MAX_CHARACTERS or not written[:4].isdigit():
        return None
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
