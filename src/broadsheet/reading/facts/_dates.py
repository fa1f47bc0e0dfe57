"""Human-readable dates: a day, a month by number or name, and a year, in most languages of the news."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta, timezone
from typing import NamedTuple

from broadsheet.reading.facts._machine_dates import YEARS, Moment
from broadsheet.reading.facts._months import month_of, months_in

#: Dates are searched in this many characters at the beginning of a text.
MAX_CHARACTERS = 200

#: Non-ASCII digits and commas.
_NON_ASCII = re.compile(r"[^\D0-9]|[،，、]")
#: Quick checks: every numeric date matches the first, every date with a month's name the second.
_SEPARATED = re.compile(r"\d\s?[-/.年년]\s?\d")
_FOUR_DIGITS = re.compile(r"\d{4}(?<!\d{5})(?!\d)")
_YEAR_FIRST = re.compile(
    r"(?<!\d)(?P<year>(?:19|20)\d\d)\s?(?P<mark>[-/.年년])\s?(?P<month>\d{1,2})\s?[-/.月월]\s?(?P<day>\d{1,2})(?!\d)"
)
_YEAR_LAST = re.compile(
    r"(?<![\d.,/-])(?P<first>\d{1,2})\s?(?P<mark>[-/.])\s?(?P<second>\d{1,2})\s?(?P=mark)\s?"
    r"(?P<year>(?:19|20|25)\d\d|(?<=\.)\d\d)(?![\d/-])"
)
_TOKEN = re.compile(r"\d+|[^\W\d_][^\s\d,;:/()|–—_.-]*(?:\.(?=[^\W\d_])[^\s\d,;:/()|–—_.-]*)*\.?")
_TIME = re.compile(
    r"(?<![\d.])(?P<hour>[01]?\d|2[0-3])(?P<mark>[:.h時시]|\s?h\s?)(?P<minute>[0-5]\d)(?!\d)(?::(?P<second>[0-5]\d))?"
    r"\s?(?P<half>[aApP]\.?\s?[mM]\b\.?)?"
)
_OFFSET = re.compile(r"\s*\(?(?:(?:UTC|GMT)\s?)?(?P<sign>[+\u2212-])(?P<hour>\d{1,2}):?(?P<minute>\d\d)?\b")
_ZONE = re.compile(r"\s*\(?([A-Z]{1,4})\b")
#: UTC offsets, in minutes, of the abbreviations that are unambiguous in the news.
_ZONES = {
    "Z": 0, "UTC": 0, "GMT": 0, "WET": 0, "BST": 60, "WEST": 60, "CET": 60, "MEZ": 60, "CEST": 120, "MESZ": 120,
    "EET": 120, "SAST": 120, "EEST": 180, "MSK": 180, "EAT": 180, "PKT": 300, "WIB": 420, "SGT": 480, "HKT": 480,
    "JST": 540, "KST": 540, "AEST": 600, "AEDT": 660, "NZST": 720, "NZDT": 780, "EDT": -240, "EST": -300,
    "CDT": -300, "CST": -360, "MDT": -360, "MST": -420, "PDT": -420, "PST": -480, "ET": -300, "PT": -480,
}  # fmt: skip
#: The offset of the Thai solar calendar, in years.
_BUDDHIST = 543
#: The number of words on either side of a month's name that may belong to its date.
_NEAR = 3
#: The maximum distance from the day to the time, in characters.
_TO_TIME = 30
#: The same number for a year that may follow the time and its zone.
_FAR = 8


class DateInText(NamedTuple):
    """A date in a text: its moment and position."""

    moment: Moment
    start: int
    end: int


class _Day(NamedTuple):
    year: int
    month: int
    day: int
    start: int
    end: int


def read_dates(text: str, language: str | None = None, month_first: bool = False) -> Iterator[DateInText]:
    """Yield the dates in a text, in order; `month_first` decides how 3/2/2026 is read."""
    text = plain_digits(text[:MAX_CHARACTERS])
    days = [*_numeric(text, month_first)] if _SEPARATED.search(text) else []
    if _FOUR_DIGITS.search(text):
        days += _named(text, language)
    days.sort(key=lambda day: day.start)
    end = 0
    for index, day in enumerate(days):
        if day.start >= end and (moment := _moment(day, text, days[index + 1 : index + 2])):
            end = day.end
            yield DateInText(moment, day.start, day.end)


def plain_digits(text: str) -> str:
    """Replace the digits of every script by 0 to 9, one character for one."""
    if text.isascii():
        return text
    return _NON_ASCII.sub(_plain_character, text)


def _plain_character(match: re.Match[str]) -> str:
    return str(unicodedata.digit(match[0])) if match[0].isdecimal() else ","


def _numeric(text: str, month_first: bool) -> Iterator[_Day]:
    for match in _YEAR_FIRST.finditer(text):
        yield _Day(int(match["year"]), int(match["month"]), int(match["day"]), *match.span())
    for match in _YEAR_LAST.finditer(text):
        day, month, year = int(match["first"]), int(match["second"]), int(match["year"])
        if month > 12 or (month_first and match["mark"] != "." and day <= 12):
            day, month = month, day
        if year < 100:
            year += 2000
        yield _Day(year, month, day, *match.span())


def _named(text: str, language: str | None) -> Iterator[_Day]:
    # Many lines with a four-digit number contain no month at all.
    if months_in(None).keys().isdisjoint([word.casefold().rstrip(".") for word in _TOKEN.findall(text)]):
        return
    tokens = [token for token in _TOKEN.finditer(text) if not (token[0].isdecimal() and _in_a_time(text, token))]
    for index, token in enumerate(tokens):
        word = token[0]
        if not word.isdecimal() and (month := month_of(word, language)) and (day := _around(tokens, index, month)):
            yield day


def _in_a_time(text: str, number: re.Match[str]) -> bool:
    start, end = number.span()
    return text[start - 1 : start] == ":" or text[end : end + 1] == ":"


def _around(tokens: Sequence[re.Match[str]], index: int, month: int) -> _Day | None:
    """Find the day and year around the name of a month: before it, after it, or one on each side."""
    before, after = tokens[max(0, index - _NEAR) : index][::-1], tokens[index + 1 :]
    if (day := _number(before, 2)) and (year := _number(after[:_NEAR], 4)):
        return _day(year, month, day, tokens[index])
    if day := _number(after[:_NEAR], 2):
        year = _number(after[1:_FAR], 4) or _number(before, 4)
        if year:
            return _day(year, month, day, tokens[index])
    return None


def _number(tokens: Sequence[re.Match[str]], digits: int) -> re.Match[str] | None:
    """Return the first number if it can be a year (four digits) or a day (one or two digits)."""
    number = next((token for token in tokens if token[0].isdecimal() and (digits < 4 or len(token[0]) >= 4)), None)
    fits = number is not None and digits - (digits < 4) <= len(number[0]) <= digits
    return number if fits else None


def _day(year: re.Match[str], month: int, day: re.Match[str], name: re.Match[str]) -> _Day:
    spans = (year.span(), day.span(), name.span())
    start, end = min(start for start, _ in spans), max(end for _, end in spans)
    return _Day(int(year[0]), month, int(day[0]), start, end)


def _moment(day: _Day, text: str, following: Sequence[_Day]) -> Moment | None:
    """Return the moment of a day, with the time within it or between it and the next day."""
    year = day.year - _BUDDHIST if day.year >= YEARS.stop else day.year
    if year not in YEARS:
        return None
    try:
        date = datetime(year, day.month, day.day, tzinfo=UTC)
    except ValueError:
        return None
    until = following[0].start if following else len(text)
    times = _TIME.finditer(text, day.start, min(until, day.end + _TO_TIME))
    # A dot within the day separates its numbers, not hours and minutes.
    time = next((time for time in times if time.start() >= day.end or time["mark"] != "."), None)
    return _with_time(date, time, text) if time else Moment(date, "day", False)


def _with_time(date: datetime, time: re.Match[str], text: str) -> Moment:
    hour, minute, second = int(time["hour"]), int(time["minute"]), int(time["second"] or 0)
    if time["half"]:
        hour = hour % 12 + (12 if time["half"][0] in "pP" else 0)
    offset = _offset(text, time.end())
    zone = UTC if offset is None else timezone(timedelta(minutes=offset))
    moment = date.replace(hour=hour, minute=minute, second=second, tzinfo=zone)
    return Moment(moment, "second" if time["second"] else "minute", offset is not None)


def _offset(text: str, position: int) -> int | None:
    """Return the UTC offset after a time, in minutes, or None."""
    if match := _OFFSET.match(text, position):
        minutes = 60 * int(match["hour"]) + int(match["minute"] or 0)
        return (minutes if match["sign"] == "+" else -minutes) if minutes < 24 * 60 else None
    match = _ZONE.match(text, position)
    return _ZONES.get(match[1]) if match else None
