"""Spans of time as people write them: 90s, 30m, 1h, 2d, 1w."""

import re

#: The seconds of each unit.
UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}

_SPAN = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*([smhdw]?)", re.IGNORECASE).fullmatch


def parse_span(text: str, default_unit: str | None = None) -> float | None:
    """Return the seconds of a span, None if it is not one; a number alone is one only with a default unit."""
    match = _SPAN(text.strip())
    unit = (match[2].lower() or default_unit) if match else None
    return float(match[1]) * UNITS[unit] if match and unit else None
