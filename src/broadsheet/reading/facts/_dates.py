"""Human-readable dates: a day, a month by number or name, and a year, in most languages of the news."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from broadsheet.reading.facts._machine_dates import YEARS, Moment
from broadsheet.reading.facts._months import month_of, months_in
from broadsheet.reading.facts._zones import at_offset, named_offset

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
_ZONE = re.compile(r"\s*\(?([A-Z]{1,4}|Eastern|Central|Mountain|Pacific)\b")
#: What stands between a time and the day after it: a zone, the day of the week, a short word.
_BEFORE_DAY = re.compile(r"[^\d:;.]{0,24}\.?[^\d:;.]{0,3}\Z")
#: What introduces the number of a version, which is not a date.
_VERSION = re.compile(
    r"\b(?:v|ver|vers(?:ion|ión|ione|ão|ie)|wersja|verze|версия|build|release|revision|firmware|kernel|patch)[.:]?\s?\Z",
    re.IGNORECASE,
)
#: Names of sections too, so that a date may follow one: it is the number of a version only if no zero fills it up.
_SOFTWARE = re.compile(
    r"\b(?:software|app|android|i(?:pad)?os|(?:mac|watch|tv)os|os x|windows|linux|chrome|firefox|safari)\s\Z",
    re.IGNORECASE,
)
_FILLED_UP = re.compile(r"(?<!\d)0\d")
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
    is_time_first = bool(days) and _time_before(text, 0, days[0].start) is not None
    for index, day in enumerate(days):
        until = days[index + 1].start if index + 1 < len(days) else len(text)
        if day.start >= end and (moment := _moment(day, text, end if is_time_first else None, until)):
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
        if match["mark"] == "." and _is_version(text, match):
            continue
        yield _Day(int(match["year"]), int(match["month"]), int(match["day"]), *match.span())
    for match in _YEAR_LAST.finditer(text):
        if match["mark"] == "." and _is_version(text, match):
            continue
        day, month, year = int(match["first"]), int(match["second"]), int(match["year"])
        if month > 12 or (month_first and match["mark"] != "." and day <= 12):
            day, month = month, day
        if year < 100:
            year += 2000
        yield _Day(year, month, day, *match.span())


def _is_version(text: str, number: re.Match[str]) -> bool:
    """Tell whether a number with dots is that of a version, by the word before it."""
    before = text[: number.start()]
    if _VERSION.search(before):
        return True
    return _SOFTWARE.search(before) is not None and _FILLED_UP.search(number[0]) is None


def _named(text: str, language: str | None) -> Iterator[_Day]:
    # Many lines with a four-digit number contain no month at all.
    if months_in(None).keys().isdisjoint([word.casefold().rstrip(".") for word in _TOKEN.findall(text)]):
        return
    tokens = [token for token in _TOKEN.finditer(text) if not (token[0].isdecimal() and _in_a_time(text, token))]
    months = [
        (index, month)
        for index, token in enumerate(tokens)
        if not token[0].isdecimal() and (month := month_of(token[0], language))
    ]
    for index, month in months:
        # The numbers beyond another month are not those of this one: "may appear on 2 March 2026".
        others = [other for other, number in months if number != month]
        first = max((other + 1 for other in others if other < index), default=0)
        end = min((other for other in others if other > index), default=len(tokens))
        if day := _around(tokens[first:end], index - first, month):
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


def _moment(day: _Day, text: str, since: int | None, until: int) -> Moment | None:
    """Return the moment of a day, with the time between `since` and the day, or else in it or until `until`."""
    year = day.year - _BUDDHIST if day.year >= YEARS.stop else day.year
    if year not in YEARS:
        return None
    try:
        date = datetime(
            year,
            day.month,
            day.day,
        )
    except ValueError:
        return None
    if since is not None:
        before = _time_before(text, since, day.start)
        return _with_time(date, before, text[: day.start]) if before else Moment(date, "day")
    times = _TIME.finditer(text, day.start, min(until, day.end + _TO_TIME))
    # A dot within the day separates its numbers, not hours and minutes.
    time = next((time for time in times if time.start() >= day.end or time["mark"] != "."), None)
    return _with_time(date, time, text) if time else Moment(date, "day")


def _time_before(text: str, start: int, end: int) -> re.Match[str] | None:
    """Return the time directly before a day: "14:05, 3 March 2026"."""
    last = None
    for last in _TIME.finditer(text, max(start, end - _TO_TIME), end):  # noqa: B007 - the last one is wanted
        pass
    return last if last and last["mark"] != "." and _BEFORE_DAY.match(text, last.end(), end) else None


def _with_time(date: datetime, time: re.Match[str], text: str) -> Moment:
    hour, minute, second = int(time["hour"]), int(time["minute"]), int(time["second"] or 0)
    if time["half"]:
        hour = hour % 12 + (12 if time["half"][0] in "pP" else 0)
    moment = date.replace(hour=hour, minute=minute, second=second)
    offset = _offset(text, time.end(), moment)
    return Moment(moment if offset is None else at_offset(moment, offset), "second" if time["second"] else "minute")


def _offset(text: str, position: int, local: datetime) -> timedelta | None:
    """Return the UTC offset that is written after a time, or None."""
    if match := _OFFSET.match(text, position):
        minutes = 60 * int(match["hour"]) + int(match["minute"] or 0)
        return timedelta(minutes=minutes if match["sign"] == "+" else -minutes) if minutes < 24 * 60 else None
    match = _ZONE.match(text, position)
    return named_offset(match[1], local) if match else None
