"""Plain-text tables: columns aligned and clipped to the width of the terminal, in any script."""

import re
import textwrap
import unicodedata
from collections.abc import Iterator, Mapping, Sequence

from broadsheet.cli.durations import span

Row = Mapping[str, object]

GAP = "  "
ELLIPSIS = "…"

#: Names of pages in one folder and addresses on one site start alike, so a narrow column shows their end.
COLUMNS_CLIPPED_AT_START = frozenset({"page", "url", "of"})
#: Numbers of seconds, which are written as in options.
COLUMNS_OF_SECONDS = frozenset({"every"})
#: ISO 8601 as in JSON, of which people get no fractions of a second.
COLUMNS_OF_MOMENTS = frozenset({"at", "first_seen", "fetched_at", "left_at", "reread_at"})

#: The digits after the point of numbers: shares and probabilities need more than larger numbers.
_DIGITS, _DIGITS_FROM_TEN = 3, 1

#: What stands before a column, or before an indented line.
_SET_OFF = re.compile(r"(?:^|(?<=\S)) {2,}")
_JOINERS = "\u200c\u200d"

_TIME_OF_DAY = re.compile(r"(?<=\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?")


def strip_controls(text: str) -> str:
    """Return text without characters that move the cursor or change the direction of the line."""
    return text if text.isascii() and text.isprintable() else "".join(map(_strip_control, text))


def clean(text: str) -> str:
    """Return text on one line, with single spaces and without control characters."""
    return strip_controls(" ".join(text.split()))


def width(text: str) -> int:
    """Return the width of a text in terminal columns: two for a wide character, none for a combining mark."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def wrap(line: str, columns: int) -> list[str]:
    """Divide a line at its spaces; what continues begins below the last part that two spaces set off."""
    if width(line) <= columns:
        return [line]
    starts = [match.end() for match in _SET_OFF.finditer(line) if match.end() <= columns / 2]
    indent = " " * max(starts, default=0)
    parts = textwrap.wrap(line, columns, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return parts or [""]


def clip(text: str, columns: int, *, keep_end: bool = False) -> str:
    """Return as much of the start, or the end, of a text as fits, with an ellipsis if it was clipped."""
    if width(text) <= columns:
        return text
    if keep_end:
        return _clip_start(text, columns)
    room = columns - 1
    characters = []
    for character in text:
        room -= _columns(character)
        if room < 0:
            break
        characters.append(character)
    return "".join(characters) + ELLIPSIS[: max(columns, 0)]


def render(
    rows: Sequence[Row], columns: int, names: Sequence[str] | None = None, spare: Sequence[str] = ()
) -> Iterator[str]:
    """Yield the lines of a table with the named columns, or all of the first row; numbers are right-aligned.

    Where the terminal is too narrow, `spare` columns are left out, the first of them first, before any is clipped.
    """
    if names is None or not rows:
        names = list(rows[0]) if rows else ()
    cells = {name: _column(name, [row.get(name) for row in rows]) for name in names}
    natural = {name: max(map(width, [name, *cells[name]])) for name in names}
    for name in spare:
        if sum(natural.values()) + len(GAP) * (len(natural) - 1) > columns:
            del natural[name], cells[name]
    names = list(natural)
    widths = fit(natural, columns)
    right = {name for name in names if all(isinstance(row.get(name), int | float | None) for row in rows)}
    header = {name: [name.replace("_", " ")] for name in names}
    rule = {name: ["-" * widths[name]] for name in names}
    for block in (header, rule, cells):
        for line in zip(*block.values(), strict=True):
            padded = [
                pad(
                    clip(text, widths[name], keep_end=name in COLUMNS_CLIPPED_AT_START),
                    widths[name],
                    right=name in right,
                )
                for name, text in zip(names, line, strict=True)
            ]
            yield clip(GAP.join(padded), columns).rstrip()


def _column(name: str, values: Sequence[object]) -> list[str]:
    """Format the values of a column for people: numbers with as many digits as each other, settings with all."""
    if name in COLUMNS_OF_SECONDS:
        return [span(value) if isinstance(value, float) else cell(value) for value in values]
    if name in COLUMNS_OF_MOMENTS:
        return [_TIME_OF_DAY.sub(r" \1", cell(value)) for value in values]
    numbers = [value for value in values if isinstance(value, float)]
    if any(isinstance(value, str | bool) for value in values):
        return [f"{value:,.10g}" if isinstance(value, float) else cell(value) for value in values]
    digits = _DIGITS_FROM_TEN if any(abs(number) >= 10 for number in numbers) else _DIGITS
    return [cell(value, digits) for value in values]


def cell(value: object, digits: int = _DIGITS) -> str:
    """Format a value for people: nothing for None, numbers with separators."""
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case int():
            return f"{value:,}"
        case float():
            return f"{value:,.{digits}f}"
        case list() | tuple():
            return ", ".join(map(cell, value))
        case _:
            return clean(str(value))


def pad(text: str, columns: int, *, right: bool = False) -> str:
    """Clip or pad a text to a width."""
    clipped = clip(text, columns)
    padding = " " * (columns - width(clipped))
    return padding + clipped if right else clipped + padding


def fit(natural: Mapping[str, int], columns: int) -> dict[str, int]:
    """Distribute the width: narrow columns keep theirs, and the widest are clipped to a common width."""
    room = columns - len(GAP) * (len(natural) - 1)
    widths = dict(natural)
    remaining = sorted(natural, key=natural.__getitem__)
    while remaining:
        share = max(room // len(remaining), 1)
        name = remaining.pop(0)
        widths[name] = min(natural[name], share)
        room -= widths[name]
    return widths


def _clip_start(text: str, columns: int) -> str:
    room = columns - 1
    start = len(text)
    for position in range(len(text) - 1, -1, -1):
        used = _columns(text[position])
        room -= used
        if room < 0:
            break
        # A combining mark without its letter would combine with the ellipsis.
        if used:
            start = position
    return ELLIPSIS[: max(columns, 0)] + text[start:]


def _columns(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1


def _strip_control(character: str) -> str:
    category = unicodedata.category(character)
    if category in {"Cc", "Cs"}:
        return "\N{REPLACEMENT CHARACTER}"
    # Format characters can reverse the direction of the rest of the line; the two joiners only shape letters.
    return "" if category == "Cf" and character not in _JOINERS else character
