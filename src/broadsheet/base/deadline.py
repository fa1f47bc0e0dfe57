"""A deadline for work in this process: when it passes, the process ends with one clear line.

Neither a signal handler nor a Python thread runs while compiled code holds the GIL, so a native thread watches the
time.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from broadsheet.base._deadline import Deadline


@contextmanager
def deadline(seconds: float, line: str, code: int) -> Iterator[None]:
    """End this process with a line on standard error and an exit code if the block takes longer than `seconds`."""
    watch = Deadline(seconds, f"{line}\n".encode("utf-8", "replace"), code)
    try:
        yield
    finally:
        watch.cancel()
