"""A terminal as pages must not reach it: what they hold is shown, and never obeyed."""

import io
from typing import TextIO, cast

from broadsheet.base.safe_text import escaped


class Terminal(io.TextIOBase):
    """A stream to a terminal: `write` escapes what a terminal would obey; `control` is for the program's own moves.

    Escapes are those of JSON, so that JSON stays what it is.
    """

    def __init__(self, stream: TextIO) -> None:
        """Take the stream that leads to the terminal."""
        self.stream = stream

    def write(self, text: str) -> int:
        """Write text of any origin."""
        self.stream.write(escaped(text))
        return len(text)

    def control(self, sequence: str) -> None:
        """Move the cursor, erase or choose a colour: never with text of a page."""
        self.stream.write(sequence)

    def flush(self) -> None:
        """Hand everything written to the operating system."""
        self.stream.flush()

    def isatty(self) -> bool:
        """Say that this is a terminal."""
        return True

    def fileno(self) -> int:
        """Return the stream's descriptor."""
        return self.stream.fileno()

    def writable(self) -> bool:
        """Say that text can be written."""
        return True


def guarded(stream: TextIO) -> TextIO:
    """Return a stream through which no page reaches the terminal behind it; files and pipes are left as they are."""
    return cast("TextIO", Terminal(stream)) if stream.isatty() else stream
