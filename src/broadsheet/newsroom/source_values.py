"""The settings of sources as people write them: `every=30m`, `tags=politics,local`, `verify_tls=no`."""

import re
from typing import Any

from broadsheet.base.errors import ConfigError
from broadsheet.base.source_settings import DEFAULT_SETTINGS
from broadsheet.base.time_spans import parse_span
from broadsheet.newsroom.source_changes import EVERY, NAME, SETTABLE, hint

_TRUTHS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_NUMBERS = frozenset({"requests_per_hour", "bytes_per_hour"})
#: A word that is a setting, and not the address of a site.
_ASSIGNMENT = re.compile(r"([a-z_]+)=(.*)", re.DOTALL).fullmatch


def is_assignment(word: str) -> bool:
    """Return whether a word of a command is a setting, KEY=VALUE."""
    return _ASSIGNMENT(word) is not None


def assignments(words: list[str]) -> dict[str, Any]:
    """Return the plain values of settings that are written as KEY=VALUE; nothing after the sign is the default."""
    values = {}
    for word in words:
        key, _, text = word.partition("=")
        if key not in SETTABLE:
            raise ConfigError(f"unknown setting {key!r} of a source; {hint(key, SETTABLE)}")
        values[key] = plain_value(key, text) if text.strip() else None
    return values


def plain_value(key: str, text: str) -> Any:  # noqa: ANN401 - what the setting holds
    """Return the value of a setting that is written as text; one that is not known to be otherwise stays text."""
    if key == EVERY:
        return _seconds(text)
    if key in _NUMBERS:
        if not text.strip().isdecimal():
            raise ConfigError(f"{key} must be a whole number of at least 1, not {text!r}")
        return int(text)
    default = None if key == NAME else getattr(DEFAULT_SETTINGS, key, None)
    if isinstance(default, bool):
        if text.strip().lower() not in _TRUTHS:
            raise ConfigError(f"{key} must be yes or no, not {text!r}")
        return _TRUTHS[text.strip().lower()]
    if isinstance(default, tuple):
        return [item.strip() for item in text.split(",") if item.strip()]
    return text.strip()


def _seconds(text: str) -> float:
    seconds = parse_span(text, "s")
    if seconds is None:
        raise ConfigError(f"every must be a duration such as 90s, 30m, 1h or 2d, not {text!r}")
    return seconds
