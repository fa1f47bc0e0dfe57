"""Ending a process together with its parent, whatever it is doing at that moment.

A closing pipe is not enough: another process may have inherited its other end. Nor is a Python thread, which does not
run while compiled code holds the GIL. So a native thread watches.
"""

import os
import threading
from collections.abc import Callable

from broadsheet.base._parent import exit_with

#: Seconds between two checks of the parent: the longest that a process outlives it.
CHECK_SECONDS = 0.5


def exit_with_parent(parent: int, *, first: Callable[[], None] | None = None, grace: float = 0.0) -> None:
    """End this process when `parent`, the process that started it, is gone.

    `first` is then called in a thread, and the process has `grace` seconds to end normally before it is killed.
    """
    exit_with(parent, CHECK_SECONDS, grace)
    if first is not None:
        threading.Thread(target=_wait, args=(parent, first), daemon=True).start()


def _wait(parent: int, first: Callable[[], None]) -> None:
    while os.getppid() == parent:
        threading.Event().wait(CHECK_SECONDS)
    first()
