"""A request to end that comes as a signal: what was begun is tidied up first, as after Ctrl-C."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_REQUESTS = (signal.SIGTERM, signal.SIGHUP)


class Ended(SystemExit):
    """The process was asked to end, with the exit code that shells give to a program which a signal ended."""

    def __init__(self, number: int) -> None:
        """Take the signal's number."""
        super().__init__(128 + number)
        self.signal = signal.Signals(number).name


@contextmanager
def orderly_end() -> Iterator[None]:
    """Let a request to end raise `Ended` while inside; what the caller's shell ignores (`nohup`) stays ignored."""
    ours = [number for number in _REQUESTS if signal.getsignal(number) is signal.SIG_DFL]
    for number in ours:
        signal.signal(number, _end)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


def _end(number: int, frame: FrameType | None) -> None:
    del frame
    # Tidying up takes a moment, and must not be interrupted by an impatient second request.
    for request in _REQUESTS:
        signal.signal(request, signal.SIG_IGN)
    raise Ended(number)
