"""Colours for the program's own output on a terminal, and for what changed in text from pages."""

from collections.abc import Mapping
from enum import StrEnum
from typing import TextIO

from broadsheet.cli.terminal import Terminal

_RESET = "\x1b[0m"


class Colour(StrEnum):
    """ANSI sequences that set a colour or weight."""

    HEADING = "\x1b[1;36m"
    FAINT = "\x1b[2m"
    ERROR = "\x1b[1;31m"
    WARNING = "\x1b[33m"
    # Underlined and struck through, for those who cannot tell the colours apart.
    ADDED = "\x1b[4;32m"
    REMOVED = "\x1b[9;31m"


def are_enabled(environment: Mapping[str, str]) -> bool:
    """Return whether the terminal supports colours and `NO_COLOR` is not set (see https://no-color.org)."""
    return not environment.get("NO_COLOR") and environment.get("TERM", "dumb") != "dumb"


def write(stream: TextIO, text: str, colour: Colour) -> None:
    """Write text in a colour if the stream is a terminal, and plain otherwise."""
    if not isinstance(stream, Terminal):
        stream.write(text)
        return
    stream.control(colour)
    stream.write(text)
    stream.control(_RESET)
