"""Tables of plain text: columns aligned and cut to the terminal, whatever script their cells are in."""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence

Row = Mapping[str, object]

GAP = "  "
ELLIPSIS = "…"

#: Pages of one folder have names that begin alike, so a narrow column keeps how they end.
ENDS_KEPT = frozenset({"page"})

_JOINERS = "\u200c\u200d"


def harmless(text: str) -> str:
    """Return text without characters that would move the cursor or turn the line around."""
    return text if text.isascii() and text.isprintable() else "".join(map(_harmless, text))


def clean(text: str) -> str:
    """Return harmless text on one line, with single spaces."""
    return harmless(" ".join(text.split()))


def width(text: str) -> int:
    """Return how many columns a terminal gives to a text: two to a wide character, none to a mark."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def clip(text: str, columns: int, *, keep_end: bool = False) -> str:
    """Return as much of a text's beginning, or of its end, as fits, with an ellipsis where something was left out."""
    if width(text) <= columns:
        return text
    if keep_end:
        return _clip_beginning(text, columns)
    room = columns - 1
    kept = []
    for character in text:
        room -= _columns(character)
        if room < 0:
            break
        kept.append(character)
    return "".join(kept) + ELLIPSIS[: max(columns, 0)]


def render(rows: Sequence[Row], columns: int, names: Sequence[str] | None = None) -> Iterator[str]:
    """Give the lines of a table: the columns named, or all of the first row; numbers stand right."""
    if names is None or not rows:
        names = list(rows[0]) if rows else ()
    cells = {name: [cell(row.get(name)) for row in rows] for name in names}
    natural = {name: max(map(width, [name, *cells[name]])) for name in names}
    widths = fit(natural, columns)
    right = {name for name in names if all(isinstance(row.get(name), int | float | None) for row in rows)}
    header = {name: [name.replace("_", " ")] for name in names}
    rule = {name: ["-" * widths[name]] for name in names}
    for block in (header, rule, cells):
        for line in zip(*block.values(), strict=True):
            padded = [
                pad(clip(text, widths[name], keep_end=name in ENDS_KEPT), widths[name], right=name in right)
                for name, text in zip(names, line, strict=True)
            ]
            yield clip(GAP.join(padded), columns).rstrip()


def cell(value: object) -> str:
    """Write a value as a person reads it: nothing for None, numbers with separators."""
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case int():
            return f"{value:,}"
        case float():
            return f"{value:.3f}"
        case list() | tuple():
            return ", ".join(map(cell, value))
        case _:
            return clean(str(value))


def pad(text: str, columns: int, *, right: bool = False) -> str:
    """Return a text cut or filled to a width."""
    clipped = clip(text, columns)
    filling = " " * (columns - width(clipped))
    return filling + clipped if right else clipped + filling


def fit(natural: Mapping[str, int], columns: int) -> dict[str, int]:
    """Share the width: narrow columns keep theirs, and the widest ones are cut to one common width."""
    room = columns - len(GAP) * (len(natural) - 1)
    widths = dict(natural)
    waiting = sorted(natural, key=natural.__getitem__)
    while waiting:
        share = max(room // len(waiting), 1)
        name = waiting.pop(0)
        widths[name] = min(natural[name], share)
        room -= widths[name]
    return widths


def _clip_beginning(text: str, columns: int) -> str:
    room = columns - 1
    start = len(text)
    for position in range(len(text) - 1, -1, -1):
        used = _columns(text[position])
        room -= used
        if room < 0:
            break
        # A mark whose letter was left out would settle on the ellipsis.
        if used:
            start = position
    return ELLIPSIS[: max(columns, 0)] + text[start:]


def _columns(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1


def _harmless(character: str) -> str:
    category = unicodedata.category(character)
    if category in {"Cc", "Cs"}:
        return "\N{REPLACEMENT CHARACTER}"
    # Format characters may reverse the direction of the rest of the line; the two joiners only shape letters.
    return "" if category == "Cf" and character not in _JOINERS else character
