"""Work in this process that must not take for ever: one clear line, and the process ends.

Neither a signal handler nor a thread of Python's runs while compiled code holds the interpreter, so a thread of the
system's watches the time.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from broadsheet.base._deadline import Deadline


@contextmanager
def deadline(seconds: float, line: str, code: int) -> Iterator[None]:
    """End this process with a line on standard error and an exit code if the block takes longer than some seconds."""
    watch = Deadline(seconds, f"{line}\n".encode("utf-8", "replace"), code)
    try:
        yield
    finally:
        watch.cancel()
