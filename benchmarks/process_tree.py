"""The CPU time of a process and of those that it starts, as Linux counts it.

On a machine that others use, the time of a clock on the wall says little about a program; its CPU time says more.
"""

import os
import threading
import time
from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

#: Seconds between two looks at the processes; what one does after the last look at it is not seen.
_LOOK = 0.02
_TICKS = os.sysconf("SC_CLK_TCK")


class TreeWatch:
    """Watches a process and all its descendants while inside its `with` block."""

    def __init__(self, pid: int) -> None:
        """Take the process at the top, which need not be a child of this one."""
        self._pid = pid
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        #: Looks: the monotonic time, and the CPU seconds until then of every process that was seen, by its id.
        self._history: list[tuple[float, dict[int, float]]] = []

    def __enter__(self) -> Self:
        """Begin to watch."""
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop watching."""
        self._over.set()
        self._thread.join()

    def between(self, begin: float, end: float) -> dict[int, float]:
        """Return the CPU seconds of every process between two moments of the monotonic clock."""
        before, after = self._until(begin), self._until(end)
        return {pid: seconds - before.get(pid, 0.0) for pid, seconds in after.items()}

    def _until(self, moment: float) -> dict[int, float]:
        place = bisect_right(self._history, moment, key=lambda entry: entry[0])
        return self._history[place - 1][1] if place else {}

    def _watch(self) -> None:
        while not self._over.wait(_LOOK):
            self._look()

    def _look(self) -> None:
        # Processes that have ended keep what was last seen of them.
        known = dict(self._history[-1][1]) if self._history else {}
        for pid in (self._pid, *descendants(self._pid)):
            seconds = cpu_seconds(pid)
            if seconds is not None:
                known[pid] = seconds
        self._history.append((time.monotonic(), known))


def descendants(pid: int) -> Iterator[int]:
    """Yield the processes that a process has started, and those that they have started."""
    for child in children(pid):
        yield child
        yield from descendants(child)


def children(pid: int) -> Iterator[int]:
    """Yield the processes that a process has started and that still run."""
    try:
        files = list(Path(f"/proc/{pid}/task").glob("*/children"))
    except (FileNotFoundError, ProcessLookupError):
        return
    for file in files:
        yield from map(int, text(file).split())


def cpu_seconds(pid: int) -> float | None:
    """Return the CPU time of one process, all its threads included; None if it is gone."""
    # The name of the program stands in parentheses and may contain anything, spaces and parentheses included.
    fields = text(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS if fields else None


def text(file: Path) -> str:
    """Return the content of a file of /proc; nothing, if its process has ended since it was listed."""
    try:
        return file.read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""
