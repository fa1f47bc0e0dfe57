"""Keys pressed on a terminal, one at a time, and the size of its window."""

import os
import select
from collections.abc import Iterator
from contextlib import contextmanager

from broadsheet.base.errors import InputError

UP, DOWN, PAGE_UP, PAGE_DOWN, HOME, END = "up", "down", "page up", "page down", "home", "end"
ENTER, SPACE, TAB, INTERRUPT = "enter", "space", "tab", "interrupt"

#: What terminals send; the keys of the cursor come in two forms.
_SEQUENCES = {
    b"\x1b[A": UP, b"\x1bOA": UP, b"\x1b[B": DOWN, b"\x1bOB": DOWN, b"\x1b[5~": PAGE_UP, b"\x1b[6~": PAGE_DOWN,
    b"\x1b[H": HOME, b"\x1bOH": HOME, b"\x1b[1~": HOME, b"\x1b[F": END, b"\x1bOF": END, b"\x1b[4~": END,
}  # fmt: skip
_CONTROLS = {b"\r": ENTER, b"\n": ENTER, b" ": SPACE, b"\t": TAB, b"\x03": INTERRUPT, b"\x04": INTERRUPT}
_ESCAPE = b"\x1b"
#: Seconds after which the size of the window is looked at again.
WAIT = 0.3


def split_keys(data: bytes) -> Iterator[str]:
    """Yield the keys in what a terminal sent: names for those above, otherwise the character; others are ignored."""
    while data:
        found = next((sequence for sequence in _SEQUENCES if data.startswith(sequence)), None)
        if found:
            yield _SEQUENCES[found]
            data = data[len(found) :]
        elif data.startswith(_ESCAPE):
            # The rest of a sequence that we do not know is not typed text.
            return
        else:
            first, data = data[:1], data[1:]
            if first in _CONTROLS:
                yield _CONTROLS[first]
            elif first.isascii() and first.decode().isprintable():
                yield first.decode()


class Keyboard:
    """A terminal that sends each key when it is pressed."""

    def __init__(self, descriptor: int) -> None:
        """Use the terminal behind a file descriptor."""
        self._descriptor = descriptor

    def presses(self) -> Iterator[str | None]:
        """Yield keys as they are pressed, and None while none is."""
        while True:
            if not select.select([self._descriptor], [], [], WAIT)[0]:
                yield None
                continue
            data = os.read(self._descriptor, 1024)
            if not data:
                return
            yield from split_keys(data)

    @property
    def size(self) -> os.terminal_size:
        """The columns and lines of the window."""
        return os.get_terminal_size(self._descriptor)


@contextmanager
def pressed(descriptor: int) -> Iterator[Keyboard]:
    """Read single keys inside the `with` block; the terminal is as it was afterwards."""
    try:
        import termios  # noqa: PLC0415 - not on all systems
        import tty  # noqa: PLC0415
    except ImportError as error:
        raise InputError("this system has no terminal that sends single keys; use Linux, macOS or WSL") from error

    before = termios.tcgetattr(descriptor)
    tty.setraw(descriptor)
    try:
        yield Keyboard(descriptor)
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
