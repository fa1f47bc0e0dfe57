"""Durations in options and tables: 90s, 30m, 1h, 2d, 1w."""

from argparse import ArgumentTypeError

from broadsheet.base.time_spans import UNITS, parse_span

_CENTURY = 100 * 366 * 86_400


def seconds(text: str) -> float:
    """Parse a duration into seconds, for `argparse`."""
    length = parse_span(text)
    if length is None or not 0 < length <= _CENTURY:
        raise ArgumentTypeError(f"{text!r} is not a duration; write 90s, 30m, 1h, 2d or 1w")
    return length


def span(length: float) -> str:
    """Return a number of seconds as it is written in options, to three digits; weeks are written as days."""
    for unit in "dhm":
        if length >= UNITS[unit]:
            return f"{length / UNITS[unit]:.3g}{unit}" if length < 1000 * UNITS[unit] else f"{length / 86_400:.0f}d"
    return f"{length:.3g}s"
