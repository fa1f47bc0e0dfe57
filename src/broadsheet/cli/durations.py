"""Durations in options and tables: 90s, 30m, 1h, 2d, 1w."""

import re
from argparse import ArgumentTypeError

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_CENTURY = 100 * 366 * 86_400
_SPAN = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*([smhdw])", re.IGNORECASE).fullmatch


def seconds(text: str) -> float:
    """Parse a duration into seconds, for `argparse`."""
    match = _SPAN(text.strip())
    span = float(match[1]) * _UNITS[match[2].lower()] if match else 0.0
    if not 0 < span <= _CENTURY:
        raise ArgumentTypeError(f"{text!r} is not a duration; write 90s, 30m, 1h, 2d or 1w")
    return span


def span(length: float) -> str:
    """Return a number of seconds as it is written in options, to three digits; weeks are written as days."""
    for unit in "dhm":
        if length >= _UNITS[unit]:
            return f"{length / _UNITS[unit]:.3g}{unit}" if length < 1000 * _UNITS[unit] else f"{length / 86_400:.0f}d"
    return f"{length:.3g}s"
