"""Repeating an action in the background, from a thread, for as long as a block of code runs."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def repeatedly(seconds: float, action: Callable[[], None]) -> Iterator[None]:
    """Call the action every so many seconds while inside; at the end, a call in progress is waited for."""
    over = threading.Event()

    def repeat() -> None:
        while not over.wait(seconds):
            action()

    thread = threading.Thread(target=repeat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
