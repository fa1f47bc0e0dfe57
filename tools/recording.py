"""What a command shows on a terminal, moment by moment: an emulator obeys what it writes to a pseudo-terminal."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import pyte
from pyte.screens import Char

#: Seconds between two looks at the screen.
LOOK = 0.4
#: A terminal this high scrolls nothing away that fits a picture.
MAX_LINES = 200


@dataclass(frozen=True)
class Span:
    """Some cells of one line that look alike; `width` is in cells, of which a wide character takes two."""

    column: int
    width: int
    text: str
    colour: str
    bold: bool


Line = tuple[Span, ...]

_WORDS = re.compile(r"\S+(?: \S+)*")


class _Screen(pyte.Screen):
    """A screen that also knows faint text, and shows it in grey."""

    def select_graphic_rendition(self, *attrs: int) -> None:
        super().select_graphic_rendition(*attrs)
        if attrs == (2,):
            self.cursor.attrs = self.cursor.attrs._replace(fg="black")


@dataclass(frozen=True)
class Moment:
    """The screen as it was at some second."""

    second: float
    lines: tuple[Line, ...]


def record(command: Sequence[str], columns: int, cwd: Path, environment: Mapping[str, str]) -> list[Moment]:
    """Run a command to its end, and return the screen whenever it had changed; the last moment is how it was left."""
    screen = _Screen(columns, MAX_LINES)
    stream = pyte.ByteStream(screen)
    begun = time.monotonic()
    moments: list[Moment] = []
    for data in _output(command, columns, cwd, environment):
        stream.feed(data)
        lines = _lines(screen)
        if not moments or moments[-1].lines != lines:
            moments.append(Moment(time.monotonic() - begun, lines))
    return moments


def _output(command: Sequence[str], columns: int, cwd: Path, environment: Mapping[str, str]) -> Iterator[bytes]:
    """Give what a command writes, all of a moment together."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", MAX_LINES, columns, 0, 0))
    process = subprocess.Popen(  # noqa: S603 - commands of this project
        command,
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
        cwd=cwd,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": str(columns), **environment},
    )
    os.close(theirs)
    try:
        # Where the other end is closed, Linux answers with an error.
        with suppress(OSError):
            while data := _moment(ours):
                yield data
    finally:
        os.close(ours)
        if process.wait():
            raise subprocess.CalledProcessError(process.returncode, command)


def _moment(descriptor: int) -> bytes:
    """Wait for output, and return what comes until the next look."""
    data = os.read(descriptor, 65536)
    end = time.monotonic() + LOOK
    while (left := end - time.monotonic()) > 0 and select.select([descriptor], [], [], left)[0]:
        try:
            more = os.read(descriptor, 65536)
        except OSError:
            # It has ended; the next reading says so again.
            break
        if not more:
            break
        data += more
    return data


def _lines(screen: pyte.Screen) -> tuple[Line, ...]:
    lines = [_line([screen.buffer[row][column] for column in range(screen.columns)]) for row in range(screen.lines)]
    last = max((number for number, line in enumerate(lines) if line), default=-1)
    return tuple(lines[: last + 1])


def _line(cells: list[Char]) -> Line:
    """Cut a line where colours change, at wide characters and at wider gaps: each part has its exact place."""
    spans = []
    for (colour, bold, wide), group in groupby(enumerate(cells), key=lambda cell: _look(cell[1])):
        (first, _), *_ = run = list(group)
        text = "".join(char.data for _, char in run)
        if wide:
            spans.append(Span(first, len(run), text, colour, bold))
        else:
            spans += [Span(first + at.start(), len(at[0]), at[0], colour, bold) for at in _WORDS.finditer(text)]
    return tuple(spans)


def _look(cell: Char) -> tuple[str, bool, bool]:
    """Return what spans differ by; the second half of a wide character holds nothing."""
    wide = not cell.data or unicodedata.east_asian_width(cell.data[0]) in {"W", "F"}
    return cell.fg.removeprefix("bright"), cell.bold, wide
