"""Parses JSON as sites write it: valid JSON strictly, anything else by a best effort at what the author meant."""

import json
import re
from collections.abc import Callable
from html import unescape
from typing import Final

from broadsheet.document.metadata._json_repair import MAX_DEPTH, JsonDepthError, read_tolerantly

# Control characters in strings are the most common error; the standard parser can be told to accept them.
_LENIENT: Final = json.JSONDecoder(strict=False)
_OPENING: Final = re.compile(r"(?:[\s\ufeff]|<!--|<!\[CDATA\[|//(?=\s*<!)|/\*\s*<!\[CDATA\[\s*\*/)*+")
_CLOSING: Final = ("-->", "]]>", "//", "/*", "*/")
_CLOSINGS: Final = 5


class JsonError(ValueError):
    """Text that could not be parsed; the message is a short reason to be counted."""


def read_json(text: str, may_repair: Callable[[int], bool] = lambda _length: True) -> object:
    """Return the parsed value: exactly that of the standard parser for valid JSON, a best effort otherwise.

    Three attempts are made: as written, with control characters allowed in strings; without a byte order mark,
    comment or CDATA section around it, and with `&quot;` decoded; and by `json_repair`, if `may_repair` allows a text
    of this length. The last of several equal keys wins.
    """
    if not text or text.isspace():
        raise JsonError("empty")
    try:
        value = _read(text, may_repair)
        # Few texts have so many brackets that they could be nested too deep. Without quotation marks, a reference may
        # stand for a bracket.
        has_all = '"' in text or "&" not in text
        is_flat = has_all and text.count("{") + text.count("[") < MAX_DEPTH
        return value if is_flat else _check_depth(value)
    except (RecursionError, JsonDepthError) as error:
        raise JsonError("nested too deep") from error


def _read(text: str, may_repair: Callable[[int], bool]) -> object:
    for prepare in (str, _unwrap):
        try:
            return _LENIENT.decode(prepare(text))
        except ValueError:
            continue
    candidate = _unwrap(text)
    if not may_repair(len(candidate)):
        raise JsonError("too long to repair")
    value = read_tolerantly(candidate)
    if value is None:
        raise JsonError("not JSON")
    return value


def _unwrap(text: str) -> str:
    start = _OPENING.match(text)
    text = text[start.end() if start else 0 :]
    for _ in range(_CLOSINGS):
        text = text.rstrip(" \t\r\n;")
        text = text[: -max((len(mark) for mark in _CLOSING if text.endswith(mark)), default=0) or None]
    return unescape(text) if '"' not in text and "&" in text else text


def _check_depth(value: object) -> object:
    """Return the value unless it is nested too deep; the standard parser's own limit depends on the caller's stack."""
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
