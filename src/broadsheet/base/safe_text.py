"""Text of any origin, made safe to show: a terminal, or a program that shows a log on one, obeys none of it."""

import re

#: All control characters but newline and tab, the marks that turn a line around or end it, and halves of surrogate
#: pairs. Marks that only shape or order the letters beside them (U+200C to U+200F, U+061C) stay: languages need them.
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u206f\ud800-\udfff]")
_BREAKS = re.compile("[\t\n]")


def escaped(text: str) -> str:
    """Return text with escapes in the place of what a terminal would obey; they are those of JSON."""
    return _UNSAFE.sub(_escape, text)


def escaped_line(text: str) -> str:
    """Return the same on one line: newlines and tabs are escaped as well, so that no text can pass for two entries."""
    return _BREAKS.sub(_escape, escaped(text))


def _escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"
