"""A process that ends with the one that started it, whatever it is doing at that moment.

A pipe that closes is not enough: another process may have inherited its other end. Nor is a thread of Python's, which
does not run while compiled code holds the interpreter. So a thread of the system's watches, which needs neither.
"""

import os
import threading
from collections.abc import Callable

from broadsheet.base._parent import exit_with

#: Seconds between two looks at who the parent is: a process outlives its parent by no more.
CHECK_SECONDS = 0.5


def end_with(parent: int, *, first: Callable[[], None] | None = None, grace: float = 0.0) -> None:
    """End this process when `parent`, the process that started it, is gone.

    Where something is to be done `first`, it is called in a thread, and the process has `grace` seconds to end by
    itself; it is ended after them in any case.
    """
    exit_with(parent, CHECK_SECONDS, grace)
    if first is not None:
        threading.Thread(target=_wait, args=(parent, first), daemon=True).start()


def _wait(parent: int, first: Callable[[], None]) -> None:
    while os.getppid() == parent:
        threading.Event().wait(CHECK_SECONDS)
    first()
