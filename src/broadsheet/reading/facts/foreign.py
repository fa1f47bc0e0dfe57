"""Dates that the house cannot read itself, read by `dateparser` where it is installed: the extra `dates`."""

from collections.abc import Iterable
from datetime import UTC, datetime
from importlib import import_module
from types import ModuleType
from typing import Final

from broadsheet.base.records import Precision
from broadsheet.reading.facts.machine_dates import YEARS, Moment

#: It takes up to a millisecond a text, so that no page gives it more than these.
MAX_TEXTS: Final = 2
#: A longer text is no date, in characters.
MAX_CHARACTERS: Final = 80

#: Whole dates alone: whatever it would complete, it would complete with the time at which it runs.
_SETTINGS: Final = {"PARSERS": ["absolute-time"], "REQUIRE_PARTS": ["day", "month", "year"], "DATE_ORDER": "DMY"}


def read_foreign(texts: Iterable[str], language: str | None) -> tuple[Moment, str] | None:
    """Return the first date among the first texts, in the language that is given; None without one, or without help."""
    fit = [text for text in dict.fromkeys(texts) if len(text) <= MAX_CHARACTERS and any(map(str.isdecimal, text))]
    module = _dateparser() if language and fit else None
    if module is None:
        return None
    for text in fit[:MAX_TEXTS]:
        try:
            found: datetime | None = module.parse(text, languages=[language], settings=_SETTINGS)
        except ValueError:
            # It does not know the language.
            return None
        if found and found.year in YEARS:
            has_offset = found.utcoffset() is not None
            has_time = bool(found.hour or found.minute)
            return Moment(found if has_offset else found.replace(tzinfo=UTC), _precision(has_time), has_offset), text
    return None


def _precision(has_time: bool) -> Precision:
    return "minute" if has_time else "day"


def _dateparser() -> ModuleType | None:
    try:
        return import_module("dateparser")
    except ModuleNotFoundError:
        return None
