"""A guard for terminals: control sequences in text from pages are shown, not executed."""

import io
from typing import TextIO, cast

from broadsheet.base.safe_text import escaped


class Terminal(io.TextIOBase):
    """A stream to a terminal: `write` escapes control sequences; `control` sends those of the program itself.

    It escapes as JSON does, so that JSON stays valid.
    """

    def __init__(self, stream: TextIO) -> None:
        """Wrap the stream of a terminal."""
        self.stream = stream

    def write(self, text: str) -> int:
        """Write text from any source, escaped."""
        self.stream.write(escaped(text))
        return len(text)

    def control(self, sequence: str) -> None:
        """Send a control sequence; never pass text from a page."""
        self.stream.write(sequence)

    def flush(self) -> None:
        """Flush the stream."""
        self.stream.flush()

    def isatty(self) -> bool:
        """Return True."""
        return True

    def fileno(self) -> int:
        """Return the file descriptor of the stream."""
        return self.stream.fileno()

    def writable(self) -> bool:
        """Return True."""
        return True


def guard(stream: TextIO) -> TextIO:
    """Wrap a stream in a `Terminal` if it is one; return files and pipes unchanged."""
    return cast("TextIO", Terminal(stream)) if stream.isatty() else stream
