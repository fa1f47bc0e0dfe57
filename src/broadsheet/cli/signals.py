"""Graceful termination: SIGTERM and SIGHUP raise an exception, so that cleanup runs as it does after Ctrl-C."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_SIGNALS = (signal.SIGTERM, signal.SIGHUP)


class Terminated(SystemExit):
    """The process received a signal to terminate; carries the exit code that shells use for it."""

    def __init__(self, number: int) -> None:
        """Set the exit code from the number of the signal."""
        super().__init__(128 + number)
        self.signal = signal.Signals(number).name


@contextmanager
def graceful_termination() -> Iterator[None]:
    """Raise `Terminated` on a signal inside the `with` block; ignored signals (`nohup`) stay ignored."""
    handled = [number for number in _SIGNALS if signal.getsignal(number) is signal.SIG_DFL]
    for number in handled:
        signal.signal(number, _raise_terminated)
    try:
        yield
    finally:
        for number in handled:
            signal.signal(number, signal.SIG_DFL)


def _raise_terminated(number: int, frame: FrameType | None) -> None:
    del frame
    # A second signal must not interrupt the cleanup.
    for other in _SIGNALS:
        signal.signal(other, signal.SIG_IGN)
    raise Terminated(number)
