"""A lenient parser for broken JSON: one pass, linear time, nothing evaluated.

It relies on brackets for structure and treats commas as hints. So commas may be missing, doubled or trailing; brackets
may be left open at the end or closed once too often; strings may have single quotes or none, or contain unescaped
quotes; comments may appear anywhere, and several values may follow each other.
"""

import json
import re
from typing import Final

#: Real JSON-LD nests about a dozen levels deep.
MAX_DEPTH: Final = 100

Container = dict[str, object] | list[object]

_SKIPPED: Final = re.compile(r"(?:[\s\ufeff:;]|//[^\n]*+|/\*(?s:.*?)(?:\*/|\Z)|<!--|-->|<!\[CDATA\[|\]\]>)++")
_BARE_KEY: Final = re.compile(r"[^\s,:{}\[\]][^,:{}\[\]\n]*+")
_BARE_VALUE: Final = re.compile(r"[^\s,{}\[\]][^,{}\[\]\n]*+")
_LINE_COMMENT: Final = re.compile(r"\s//")
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,300})(?:\.[0-9]{1,300})?(?:[eE][+-]?[0-9]{1,5})?")
_ESCAPE: Final = re.compile(r"\\(u[0-9a-fA-F]{4}|(?s:.))")
_ESCAPES: Final = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_LITERALS: Final = {"true": True, "false": False, "null": None, "undefined": None}

# A quote ends a string only if it is followed by something that may follow a string; otherwise it is part of it.
_AFTER_KEY = r"\s*+:"
_AFTER_VALUE = (
    r"\s*+(?:[}\]]|\Z|-->|/\*"
    r"|,\s*+(?:[\"'{\[}\]0-9-]|true\b|false\b|null\b|//|/\*|[A-Za-z_$][\w$]{0,40}+\s{0,9}+:|\Z))"
    r"|\s++(?://|[\"'][@\w]{1,40}+[\"']\s{0,9}+:)"
)


def _string(quote: str, after: str) -> re.Pattern[str]:
    return re.compile(rf"{quote}((?:[^{quote}\\]++|\\(?s:.)|{quote}(?!{after}))*+){quote}")


_KEYS: Final = {quote: _string(quote, _AFTER_KEY) for quote in "\"'"}
_VALUES: Final = {quote: _string(quote, _AFTER_VALUE) for quote in "\"'"}


class JsonDepthError(ValueError):
    """Brackets nested deeper than on any real page."""


def read_tolerantly(text: str) -> object:
    """Return the one array or object in the text, a list if there are several, None if there is none."""
    containers = [value for value in _JsonReader(text).read() if isinstance(value, dict | list)]
    return containers[0] if len(containers) == 1 else containers or None


class _JsonReader:
    """One pass over a text, with a stack of open containers, each with the key that is still without a value."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._top: list[object] = []
        self._open: list[tuple[Container, list[str]]] = [(self._top, [])]
        self._open_count: dict[type[Container], int] = {dict: 0, list: 0}

    def read(self) -> list[object]:
        at = 0
        while at < len(self._text):
            if skipped := _SKIPPED.match(self._text, at):
                at = skipped.end()
                continue
            character = self._text[at]
            if character in "{[":
                self._begin({} if character == "{" else [])
            elif character in "}]":
                self._end(dict if character == "}" else list)
            elif character == ",":
                self._open[-1][1].clear()
            else:
                at = self._scalar(at, character)
                continue
            at += 1
        return self._top

    def _scalar(self, at: int, character: str) -> int:
        """Read a string, number or word and return where it ends."""
        container, pending_key = self._open[-1]
        is_key = isinstance(container, dict) and not pending_key
        if character in _KEYS:
            match = (_KEYS if is_key else _VALUES)[character].match(self._text, at)
            if match is None:
                # Truncated within a string: half a value would be worse than none.
                return len(self._text)
            self._put(_unescape(match[1]))
            return match.end()
        match = (_BARE_KEY if is_key else _BARE_VALUE).match(self._text, at)
        if match is None:
            return at + 1
        comment = _LINE_COMMENT.search(match[0])
        word = (match[0][: comment.start()] if comment else match[0]).strip()
        self._put(word if is_key else _parse_word(word))
        return match.start() + comment.start() if comment else match.end()

    def _put(self, value: object) -> None:
        container, pending_key = self._open[-1]
        if isinstance(container, list):
            container.append(value)
        elif pending_key:
            container[pending_key.pop()] = value
        elif isinstance(value, str):
            pending_key.append(value)

    def _begin(self, container: Container) -> None:
        if len(self._open) > MAX_DEPTH:
            raise JsonDepthError
        self._put(container)
        self._open.append((container, []))
        self._open_count[type(container)] += 1

    def _end(self, kind: type[Container]) -> None:
        """Close the innermost container of this kind, and everything left open inside it."""
        open_before = self._open_count[kind]
        while open_before and self._open_count[kind] == open_before:
            container, _ = self._open.pop()
            self._open_count[type(container)] -= 1


def _parse_word(word: str) -> object:
    if word in _LITERALS:
        return _LITERALS[word]
    return json.loads(word) if _NUMBER.fullmatch(word) else word


def _unescape(text: str) -> str:
    if "\\" not in text:
        return text
    text = _ESCAPE.sub(_decode_escape, text)
    # Join surrogate pairs that were escaped separately.
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _decode_escape(match: re.Match[str]) -> str:
    escape = match[1]
    return chr(int(escape[1:], 16)) if len(escape) > 1 else _ESCAPES.get(escape, escape)
