"""Profiles on disk: human-readable, versioned JSON, validated on load."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import date
from pathlib import Path
from typing import TypeVar

from broadsheet.base.bounded_files import read_bounded
from broadsheet.base.errors import InputError
from broadsheet.reading.facts import OFFSETS, RULES, SiteZone
from broadsheet.reading.profiles._profile import FORMAT, VERSION, LinePlace, RepeatedLine, SiteProfile

#: Far more than any real profile.
MAX_BYTES = 32_000_000
MAX_COUNT = 10**12

_FINGERPRINT = re.compile(r"[0-9a-f]{16}").fullmatch
_Row = TypeVar("_Row", RepeatedLine, LinePlace, SiteZone)
_Values = Mapping[str, object]


def save(profile: SiteProfile, path: Path) -> None:
    """Write a profile as JSON."""
    path.write_text(json.dumps(profile.to_dict(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def load(path: Path) -> SiteProfile:
    """Read a profile from a file; raise if it is not valid."""
    try:
        return from_dict(_values(read_bounded(path, MAX_BYTES, "a site profile")))
    except InputError as error:
        raise InputError(f"{path}: {error}") from error


def _values(content: bytes) -> object:
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise InputError(f"this is not a site profile, because it is not valid JSON ({error})") from error


def from_dict(values: object) -> SiteProfile:
    """Return the profile written by `SiteProfile.to_dict`; raise if the values are not valid."""
    if not isinstance(values, dict) or values.get("format") != FORMAT:
        raise InputError("this is not a site profile")
    if values.get("version") == 1:
        values = {**values, "version": VERSION, "zones": []}
    if values.get("version") != VERSION:
        raise InputError(f"the profile has version {values.get('version')!r}; only 1 to {VERSION} can be read")
    _check_names(values, {"format", "version", *(field.name for field in fields(SiteProfile))})
    return SiteProfile(
        since=_day(values, "since"),
        reader=_text(values, "reader"),
        pages=_count(values, "pages"),
        duplicates=_count(values, "duplicates"),
        lines=_rows(values, "lines", _line),
        template=_rows(values, "template", _place),
        body=_rows(values, "body", _place),
        lines_left_out=_count(values, "lines_left_out"),
        zones=_rows(values, "zones", _zone),
    )


def _rows(values: _Values, name: str, row: Callable[[_Values], _Row]) -> tuple[_Row, ...]:
    rows = values[name]
    if not isinstance(rows, list) or not all(isinstance(value, dict) for value in rows):
        raise InputError(f"{name} must be a list of objects")
    return tuple(map(row, rows))


def _line(values: _Values) -> RepeatedLine:
    _check_names(values, {"fingerprint", "pages", "text"})
    fingerprint = _text(values, "fingerprint")
    if not _FINGERPRINT(fingerprint):
        raise InputError(f"a fingerprint must be 16 hexadecimal digits, not {fingerprint!r}")
    return RepeatedLine(fingerprint, _count(values, "pages"), _text(values, "text"))


def _place(values: _Values) -> LinePlace:
    _check_names(values, {field.name for field in fields(LinePlace)})
    counts = [_count(values, name) for name in ("pages", "words", "repeated", "body")]
    if not 0 < counts[1] >= max(counts[2:]):
        raise InputError(f"the place {values['path']!r} has no words, or more repeated or body words than words")
    return LinePlace(_text(values, "path"), *counts)


def _zone(values: _Values) -> SiteZone:
    _check_names(values, {"minutes", "rule"})
    minutes = values["minutes"]
    if not isinstance(minutes, int) or isinstance(minutes, bool) or minutes not in OFFSETS:
        raise InputError(f"the minutes of a zone must be quarters of an hour from -720 to 840, not {minutes!r}")
    rule = next((rule for rule in RULES if rule == values["rule"]), None)
    if rule is None:
        raise InputError(f"the rule of a zone must be one of {', '.join(RULES)}, not {values['rule']!r}")
    return SiteZone(minutes, rule)


def _check_names(values: _Values, expected: set[str]) -> None:
    if wrong := values.keys() ^ expected:
        raise InputError(f"missing or unknown fields: {', '.join(sorted(wrong))}")


def _text(values: _Values, name: str) -> str:
    value = values[name]
    if not isinstance(value, str):
        raise InputError(f"{name} must be text, not {value!r}")
    if any("\ud800" <= character <= "\udfff" for character in value):
        raise InputError(f"{name} must be valid Unicode, without lone surrogates: {value!r}")
    return value


def _count(values: _Values, name: str) -> int:
    value = values[name]
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MAX_COUNT:
        raise InputError(f"{name} must be an integer from 0 to {MAX_COUNT:,}, not {value!r}")
    return value


def _day(values: _Values, name: str) -> date:
    text = _text(values, name)
    try:
        day = date.fromisoformat(text)
    except ValueError as error:
        raise InputError(f"{name} must be a date such as 2026-03-02, not {text!r}") from error
    return day
