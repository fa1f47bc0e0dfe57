"""UTC offsets of times whose zone is named, or known because a country has only one.

The rules are written down here, because the time zone database differs from machine to machine, and the same page must
give the same times everywhere.
"""

from datetime import date, datetime, time, timedelta, timezone
from typing import Final, Literal, get_args

#: When it is summer time: never, or by the rules of the European Union or of the United States.
Rule = Literal["fixed", "eu", "us"]
RULES: Final[tuple[Rule, ...]] = get_args(Rule)
SUMMER: Final = timedelta(hours=1)

#: Before these years, the rules for summer time were others.
_FIRST_YEAR: Final = {"fixed": 2000, "eu": 1996, "us": 1987}
_NEW_US_RULE: Final = 2007

#: UTC offsets, in minutes, of the abbreviations that are unambiguous in the news.
ABBREVIATIONS: Final = {
    "Z": 0, "UTC": 0, "GMT": 0, "WET": 0, "BST": 60, "WEST": 60, "CET": 60, "MEZ": 60, "CEST": 120, "MESZ": 120,
    "EET": 120, "SAST": 120, "EEST": 180, "MSK": 180, "EAT": 180, "PKT": 300, "WIB": 420, "SGT": 480, "HKT": 480,
    "JST": 540, "KST": 540, "AEST": 600, "AEDT": 660, "NZST": 720, "NZDT": 780, "EDT": -240, "EST": -300,
    "CDT": -300, "CST": -360, "MDT": -360, "MST": -420, "PDT": -420, "PST": -480,
}  # fmt: skip
#: Names of zones in the United States that do not say whether it is summer, with their offsets in winter.
US_ZONES: Final = {
    "ET": -300, "CT": -360, "MT": -420, "PT": -480, "EASTERN": -300, "CENTRAL": -360, "MOUNTAIN": -420, "PACIFIC": -480,
}  # fmt: skip

#: The offset in winter, in minutes, and the rule for summer time in countries with one zone, by their domain.
_COUNTRIES: Final[dict[str, tuple[int, Rule]]] = {
    **dict.fromkeys("uk ie".split(), (0, "eu")),
    **dict.fromkeys("at be ch cz de dk fr hr hu it li lu mt nl no pl rs se si sk".split(), (60, "eu")),
    **dict.fromkeys("bg ee fi gr lt lv ro".split(), (120, "eu")),
    **dict.fromkeys("gh ci sn".split(), (0, "fixed")),
    **dict.fromkeys("ng dz tn cm".split(), (60, "fixed")),
    **dict.fromkeys("za zw zm bw".split(), (120, "fixed")),
    **dict.fromkeys("ke tz ug et sa kw qa".split(), (180, "fixed")),
    **dict.fromkeys("ae om".split(), (240, "fixed")),
    "in": (330, "fixed"), "np": (345, "fixed"), "th": (420, "fixed"), "vn": (420, "fixed"),
    **dict.fromkeys("tw hk sg my ph".split(), (480, "fixed")),
    **dict.fromkeys("jp kr".split(), (540, "fixed")),
    "pe": (-300, "fixed"), "bo": (-240, "fixed"),
}  # fmt: skip


def named_offset(name: str, local: datetime) -> timedelta | None:
    """Return the UTC offset of a named zone at a local time, or None if the name is unknown or ambiguous."""
    name = name.upper()
    if name in US_ZONES:
        return offset_at(local, US_ZONES[name], "us")
    minutes = ABBREVIATIONS.get(name)
    return None if minutes is None else timedelta(minutes=minutes)


def country_offset(domain: str, local: datetime) -> timedelta | None:
    """Return the UTC offset at a local time of the country that a domain ends in, if it has a single zone."""
    country = _COUNTRIES.get(domain.rpartition(".")[2])
    return offset_at(local, *country) if country else None


def at_offset(local: datetime, offset: timedelta) -> datetime:
    """Return a local time with its offset."""
    return local.replace(tzinfo=timezone(offset))


def offset_at(local: datetime, minutes: int, rule: Rule) -> timedelta | None:
    """Return the UTC offset at a local time, or None before the years of the rule for summer time."""
    if local.year < _FIRST_YEAR[rule]:
        return None
    standard = timedelta(minutes=minutes)
    return standard + SUMMER if rule != "fixed" and _is_summer(local, standard, rule) else standard


def _is_summer(local: datetime, standard: timedelta, rule: Rule) -> bool:
    year = local.year
    if rule == "eu":
        # All countries change at one o'clock UTC.
        begin, end = (datetime.combine(_sunday(year, month, -1), time(1)) + standard for month in (3, 10))
        return begin <= local < end + SUMMER
    days = (
        (_sunday(year, 3, 2), _sunday(year, 11, 1))
        if year >= _NEW_US_RULE
        else (_sunday(year, 4, 1), _sunday(year, 10, -1))
    )
    begin, end = (datetime.combine(day, time(2)) for day in days)
    return begin <= local < end


def _sunday(year: int, month: int, number: int) -> date:
    """Return a Sunday of a month, counted from its beginning; -1 is the last one."""
    if number < 0:
        last = date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)
        return last - timedelta(days=(last.weekday() + 1) % 7)
    first = date(year, month, 1)
    return first + timedelta(days=(6 - first.weekday()) % 7 + 7 * (number - 1))
