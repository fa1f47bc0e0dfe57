"""JSON as sites write it: strict where it is strict, and otherwise read as the author must have meant it."""

import json
import re
from collections.abc import Callable
from html import unescape
from typing import Final

from broadsheet.document.metadata.json_repair import MAX_DEPTH, JsonDepthError, read_tolerantly

# Control characters in strings are the most common fault; the standard reader lets them pass when told so.
_LENIENT: Final = json.JSONDecoder(strict=False)
_OPENING: Final = re.compile(r"(?:[\s\ufeff]|<!--|<!\[CDATA\[|//(?=\s*<!)|/\*\s*<!\[CDATA\[\s*\*/)*+")
_CLOSING: Final = ("-->", "]]>", "//", "/*", "*/")
_CLOSINGS: Final = 5


class JsonError(ValueError):
    """Text that could not be read; the message is the reason, fit to be counted."""


def read_json(text: str, may_repair: Callable[[int], bool] = lambda _length: True) -> object:
    """Return what the JSON says: what the standard reader says of valid JSON, a best effort for the rest.

    It is read as it stands, with control characters allowed in strings; then without byte order mark, comment
    or CDATA around it and with `&quot;` for quotes; then by `json_repair`, if so many characters may be repaired.
    Of keys that are there twice, the last counts.
    """
    if not text or text.isspace():
        raise JsonError("empty")
    try:
        return _shallow(_read(text, may_repair))
    except (RecursionError, JsonDepthError) as error:
        raise JsonError("nested too deep") from error


def _read(text: str, may_repair: Callable[[int], bool]) -> object:
    for candidate in (text, _unwrapped(text)):
        try:
            return _LENIENT.decode(candidate)
        except ValueError:
            continue
    if not may_repair(len(candidate)):
        raise JsonError("too long to repair")
    value = read_tolerantly(candidate)
    if value is None:
        raise JsonError("not JSON")
    return value


def _unwrapped(text: str) -> str:
    start = _OPENING.match(text)
    text = text[start.end() if start else 0 :]
    for _ in range(_CLOSINGS):
        text = text.rstrip(" \t\r\n;")
        text = text[: -max((len(mark) for mark in _CLOSING if text.endswith(mark)), default=0) or None]
    return unescape(text) if '"' not in text and "&" in text else text


def _shallow(value: object) -> object:
    """Return the value if it is not too deep; the standard reader's own cap moves with the caller's stack."""
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [
            child
            for parent in level
            if isinstance(parent, dict | list)
            for child in (parent.values() if isinstance(parent, dict) else parent)
        ]
        if not level:
            return value
    raise JsonDepthError
