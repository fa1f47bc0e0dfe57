"""The text of selectors: escapes, lists, and brackets."""

import re
from collections.abc import Iterator

_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})[ \t\n\r\f]?|(.))", re.DOTALL)


def unescape(text: str) -> str:
    """Return an identifier with its escapes decoded."""
    if "\\" not in text:
        return text
    return _ESCAPE.sub(_decode_escape, text)


def _decode_escape(match: re.Match[str]) -> str:
    if match.group(1) is None:
        return match.group(2)
    code = int(match.group(1), 16)
    return chr(code) if 0 < code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else "\N{REPLACEMENT CHARACTER}"


def split_list(text: str) -> Iterator[str]:
    """Split a list at the commas outside brackets and strings."""
    if not re.search(r"[(\[\"'\\]", text):
        yield from text.split(",")
        return
    depth, start = 0, 0
    for token in re.finditer(r"""\\.|"(?:[^"\\]|\\.)*+"?|'(?:[^'\\]|\\.)*+'?|\(|\)|\[|\]|,""", text, re.DOTALL):
        sign = token.group()
        if sign in "([":
            depth += 1
        elif sign in ")]":
            depth -= 1
        elif sign == "," and depth <= 0:
            yield text[start : token.start()]
            start = token.end()
    yield text[start:]


def closing_bracket(text: str, position: int) -> int:
    """Return the place of the bracket that closes one before a position, or the end of the text."""
    depth = 1
    for token in re.compile(r"""\\.|"(?:[^"\\]|\\.)*+"?|'(?:[^'\\]|\\.)*+'?|\(|\)""", re.DOTALL).finditer(
        text, position
    ):
        sign = token.group()
        depth += (sign == "(") - (sign == ")")
        if not depth:
            return token.start()
    return len(text)
