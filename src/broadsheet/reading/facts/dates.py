"""Dates as people write them: a day, a month by number or name and a year, in most languages of the news."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta, timezone
from typing import NamedTuple

from broadsheet.reading.facts.machine_dates import YEARS, Moment
from broadsheet.reading.facts.months import month_of, months_in

#: A date is looked for in so many characters of a text.
MAX_CHARACTERS = 200

#: Digits of other scripts and commas that are none in ASCII.
_FOREIGN = re.compile(r"[^\D0-9]|[،，、]")
#: Without one of these no text names a day, by numbers and by a month's name; what begins with a digit is found fast.
_DIVIDED = re.compile(r"\d\s?[-/.年년]\s?\d")
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
#: Minutes east of Greenwich of the zones whose letters mean one place in the news.
_ZONES = {
    "Z": 0, "UTC": 0, "GMT": 0, "WET": 0, "BST": 60, "WEST": 60, "CET": 60, "MEZ": 60, "CEST": 120, "MESZ": 120,
    "EET": 120, "SAST": 120, "EEST": 180, "MSK": 180, "EAT": 180, "PKT": 300, "WIB": 420, "SGT": 480, "HKT": 480,
    "JST": 540, "KST": 540, "AEST": 600, "AEDT": 660, "NZST": 720, "NZDT": 780, "EDT": -240, "EST": -300,
    "CDT": -300, "CST": -360, "MDT": -360, "MST": -420, "PDT": -420, "PST": -480, "ET": -300, "PT": -480,
}  # fmt: skip
#: Thailand counts years from the Buddha's death.
_BUDDHIST = 543
#: A number and a name belong to one date with at most so many words between them.
_NEAR = 3
#: The time stands at most so many characters behind the day.
_TO_TIME = 30
#: Behind the day a year may follow the time and its zone.
_FAR = 8


class Written(NamedTuple):
    """A date that a text holds: the moment it names, and where it stands in the text."""

    moment: Moment
    start: int
    end: int


class _Day(NamedTuple):
    year: int
    month: int
    day: int
    start: int
    end: int


def read_dates(text: str, language: str | None = None, month_first: bool = False) -> Iterator[Written]:
    """Give the dates that a text holds, in its order; `month_first` is how 3/2/2026 is read."""
    text = plain_digits(text[:MAX_CHARACTERS])
    days = [*_numeric(text, month_first)] if _DIVIDED.search(text) else []
    if _FOUR_DIGITS.search(text):
        days += _named(text, language)
    found = sorted(days, key=lambda day: day.start)
    reached = 0
    for place, day in enumerate(found):
        if day.start >= reached and (moment := _moment(day, text, found[place + 1 : place + 2])):
            reached = day.end
            yield Written(moment, day.start, day.end)


def plain_digits(text: str) -> str:
    """Return a text with the digits of every script as 0 to 9, character for character."""
    if text.isascii():
        return text
    return _FOREIGN.sub(_plain_character, text)


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
    # Many lines with a number of four digits name no month at all.
    if months_in(None).keys().isdisjoint([word.casefold().rstrip(".") for word in _TOKEN.findall(text)]):
        return
    tokens = [token for token in _TOKEN.finditer(text) if not (token[0].isdecimal() and _in_a_time(text, token))]
    for place, token in enumerate(tokens):
        word = token[0]
        if not word.isdecimal() and (month := month_of(word, language)) and (found := _around(tokens, place, month)):
            yield found


def _in_a_time(text: str, number: re.Match[str]) -> bool:
    start, end = number.span()
    return text[start - 1 : start] == ":" or text[end : end + 1] == ":"


def _around(tokens: Sequence[re.Match[str]], place: int, month: int) -> _Day | None:
    """Find the day and the year around the name of a month: before it, behind it, or one on each side."""
    before, behind = tokens[max(0, place - _NEAR) : place][::-1], tokens[place + 1 :]
    if (day := _number(before, 2)) and (year := _number(behind[:_NEAR], 4)):
        return _day(year, month, day, tokens[place])
    if day := _number(behind[:_NEAR], 2):
        year = _number(behind[1:_FAR], 4) or _number(before, 4)
        if year:
            return _day(year, month, day, tokens[place])
    return None


def _number(tokens: Sequence[re.Match[str]], digits: int) -> re.Match[str] | None:
    """Return the first number if it has so many digits, or one that is shorter by one."""
    number = next((token for token in tokens if token[0].isdecimal() and (digits < 4 or len(token[0]) >= 4)), None)
    fits = number is not None and digits - (digits < 4) <= len(number[0]) <= digits
    return number if fits else None


def _day(year: re.Match[str], month: int, day: re.Match[str], name: re.Match[str]) -> _Day:
    places = (year.span(), day.span(), name.span())
    start, end = min(start for start, _ in places), max(end for _, end in places)
    return _Day(int(year[0]), month, int(day[0]), start, end)


def _moment(day: _Day, text: str, following: Sequence[_Day]) -> Moment | None:
    """Return the moment of a day, with the time that stands within it or before the next one."""
    year = day.year - _BUDDHIST if day.year >= YEARS.stop else day.year
    if year not in YEARS:
        return None
    try:
        date = datetime(year, day.month, day.day, tzinfo=UTC)
    except ValueError:
        return None
    until = following[0].start if following else len(text)
    times = _TIME.finditer(text, day.start, min(until, day.end + _TO_TIME))
    # A point inside of the day stands between its numbers.
    time = next((time for time in times if time.start() >= day.end or time["mark"] != "."), None)
    return _at(date, time, text) if time else Moment(date, "day", False)


def _at(date: datetime, time: re.Match[str], text: str) -> Moment:
    hour, minute, second = int(time["hour"]), int(time["minute"]), int(time["second"] or 0)
    if time["half"]:
        hour = hour % 12 + (12 if time["half"][0] in "pP" else 0)
    offset = _offset(text, time.end())
    zone = UTC if offset is None else timezone(timedelta(minutes=offset))
    moment = date.replace(hour=hour, minute=minute, second=second, tzinfo=zone)
    return Moment(moment, "second" if time["second"] else "minute", offset is not None)


def _offset(text: str, place: int) -> int | None:
    """Return the minutes east of Greenwich that follow a time, None where no zone does."""
    if match := _OFFSET.match(text, place):
        minutes = 60 * int(match["hour"]) + int(match["minute"] or 0)
        return (minutes if match["sign"] == "+" else -minutes) if minutes < 24 * 60 else None
    match = _ZONE.match(text, place)
    return _ZONES.get(match[1]) if match else None
