"""A fallback for dates that Broadsheet cannot parse itself: `dateparser`, if installed (the extra `dates`)."""

from collections.abc import Iterable
from datetime import datetime
from importlib import import_module
from types import ModuleType
from typing import Final

from broadsheet.reading.facts._machine_dates import YEARS, Moment

#: The most texts tried per page, because each takes up to a millisecond.
MAX_TEXTS: Final = 2
#: Longer texts, in characters, are not dates.
MAX_CHARACTERS: Final = 80

#: Only complete dates: `dateparser` would fill in missing parts from the current time.
_SETTINGS: Final = {"PARSERS": ["absolute-time"], "REQUIRE_PARTS": ["day", "month", "year"], "DATE_ORDER": "DMY"}


def parse_with_dateparser(texts: Iterable[str], language: str | None) -> tuple[Moment, str] | None:
    """Return the first date in the first few texts; None if there is none, no language, or no `dateparser`."""
    candidates = [
        text for text in dict.fromkeys(texts) if len(text) <= MAX_CHARACTERS and any(map(str.isdecimal, text))
    ]
    module = _dateparser() if language and candidates else None
    if module is None:
        return None
    for text in candidates[:MAX_TEXTS]:
        try:
            parsed: datetime | None = module.parse(text, languages=[language], settings=_SETTINGS)
        except ValueError:
            # The language is not supported.
            return None
        if parsed and parsed.year in YEARS:
            has_time = bool(parsed.hour or parsed.minute)
            return Moment(parsed if has_time else parsed.replace(tzinfo=None), "minute" if has_time else "day"), text
    return None


def _dateparser() -> ModuleType | None:
    try:
        return import_module("dateparser")
    except ModuleNotFoundError:
        return None
