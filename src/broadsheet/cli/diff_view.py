"""Differences as people read them: one text with marks in it, or two texts in columns."""

from collections.abc import Iterator, Sequence
from itertools import groupby, zip_longest

from broadsheet.cli.article_diff import PartDiff
from broadsheet.cli.console import Console
from broadsheet.cli.terminal_colours import Colour
from broadsheet.cli.text_table import width
from broadsheet.cli.word_diff import Mark, MarkedText, ParagraphChange, tokens

#: In the margin of a paragraph: it is as it was, is gone, is new, or has changed.
SAME, GONE, NEW, CHANGED = "  ", "- ", "+ ", "~ "
_BRACKETS: dict[Mark, tuple[str, str]] = {"same": ("", ""), "removed": ("[-", "-]"), "added": ("{+", "+}")}
_COLOURS: dict[Mark, Colour] = {"removed": Colour.REMOVED, "added": Colour.ADDED}
_BETWEEN = " | "

Line = list[MarkedText]


def show_unified(parts: Sequence[PartDiff], console: Console) -> None:
    """Write each changed paragraph once, with what was removed and added marked in it."""
    for part in parts:
        _head(part, console)
        for is_same, changes in groupby(part.changes, key=lambda change: change.is_same):
            run = list(changes)
            if is_same:
                console.stdout.write(f"{SAME}{_unchanged(run)}\n")
                continue
            for change in run:
                console.stdout.write(_margin(change))
                _write(change.pieces, console)
                console.stdout.write("\n")


def show_columns(parts: Sequence[PartDiff], console: Console) -> None:
    """Write the older text on the left and the newer one on the right, wrapped to the width of the terminal."""
    columns = max((console.width - len(_BETWEEN)) // 2, 10)
    for part in parts:
        _head(part, console)
        for is_same, changes in groupby(part.changes, key=lambda change: change.is_same):
            run = list(changes)
            if is_same:
                console.stdout.write(f"{_unchanged(run)}\n")
                continue
            for change in run:
                _write_columns(change, columns, console)


def _head(part: PartDiff, console: Console) -> None:
    console.stdout.write("\n")
    console.marked(part.part, Colour.HEADING)
    console.stdout.write("\n")


def _unchanged(run: Sequence[ParagraphChange]) -> str:
    return f"({len(run)} unchanged paragraph{'s' if len(run) > 1 else ''})"


def _margin(change: ParagraphChange) -> str:
    if change.after is None:
        return GONE
    return NEW if change.before is None else CHANGED


def _write(pieces: Sequence[MarkedText], console: Console) -> None:
    for piece in pieces:
        # The space before a word is not part of what is marked.
        text = piece.text.lstrip()
        console.stdout.write(piece.text[: len(piece.text) - len(text)])
        colour = _COLOURS.get(piece.mark)
        if colour is not None and console.colours and console.is_terminal:
            console.marked(text, colour)
        else:
            console.stdout.write(text.join(_BRACKETS[piece.mark]))


def _write_columns(change: ParagraphChange, columns: int, console: Console) -> None:
    left, right = (list(_wrap(change.pieces, mark, columns)) for mark in ("added", "removed"))
    nothing: Line = []
    for old, new in zip_longest(left, right, fillvalue=nothing):
        _write(old, console)
        used = sum(_shown(piece, console) for piece in old)
        console.stdout.write(" " * (columns - used) + (_BETWEEN if new else _BETWEEN.rstrip()))
        _write(new, console)
        console.stdout.write("\n")


def _shown(piece: MarkedText, console: Console) -> int:
    brackets = 0 if console.colours and console.is_terminal else sum(map(len, _BRACKETS[piece.mark]))
    return width(piece.text) + brackets


def _wrap(pieces: Sequence[MarkedText], without: Mark, columns: int) -> Iterator[Line]:
    """Yield the lines of one side of a change: all pieces but those that only the other side has."""
    line: Line = []
    used = 0
    for piece in pieces:
        if piece.mark == without:
            continue
        # Room for brackets, which an output without colours needs.
        extra = sum(map(len, _BRACKETS[piece.mark]))
        for token in tokens(piece.text):
            text = token if line else token.lstrip()
            size = width(text) + extra
            if line and used + size > columns:
                yield line
                line, used, text = [], 0, token.lstrip()
                size = width(text) + extra
            if line and line[-1].mark == piece.mark:
                line[-1] = MarkedText(piece.mark, line[-1].text + text)
                used += width(text)
            else:
                line.append(MarkedText(piece.mark, text))
                used += size
    if line:
        yield line
