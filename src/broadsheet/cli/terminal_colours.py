"""Colours and weights for what the program itself writes to a terminal; text of pages never has any."""

from collections.abc import Mapping
from enum import StrEnum
from typing import TextIO

from broadsheet.cli.terminal import Terminal

_RESET = "\x1b[0m"


class Colour(StrEnum):
    """What sets a colour or weight, for a terminal that obeys ANSI sequences."""

    HEADING = "\x1b[1;36m"
    FAINT = "\x1b[2m"
    ERROR = "\x1b[1;31m"
    WARNING = "\x1b[33m"


def are_wanted(environment: Mapping[str, str]) -> bool:
    """Say whether the terminal has colours and nobody has asked for none (see https://no-color.org)."""
    return not environment.get("NO_COLOR") and environment.get("TERM", "dumb") != "dumb"


def write(stream: TextIO, text: str, colour: Colour) -> None:
    """Write text in a colour to a terminal; files and pipes get the text alone."""
    if not isinstance(stream, Terminal):
        stream.write(text)
        return
    stream.control(colour)
    stream.write(text)
    stream.control(_RESET)
