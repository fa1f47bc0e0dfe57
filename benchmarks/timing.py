"""Timing: every system on every page in one run, interleaved, in CPU time.

All systems take turns on one page before the next, so that a slow phase of the machine affects all of them.
The CPU time of the whole process counts, which includes a system's threads but not other programs.
"""

import gc
import time
import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.pages import Page
from benchmarks.system import Run, System


@dataclass
class Record:
    """The times and errors of one system."""

    system: System
    #: The minimum time for each page, in nanoseconds.
    times: dict[str, int] = field(default_factory=dict)
    #: The reason for each page that it failed on; such a page has no time.
    errors: dict[str, str] = field(default_factory=dict)


def measure(
    systems: Sequence[System],
    pages: Iterable[Page],
    repeat: int,
    progress: Callable[[int], None] | None = None,
) -> list[Record]:
    """Run every system on every page `repeat` times and keep the minimum time of each."""
    records = [Record(system) for system in systems]
    runs = [system.load() for system in systems]
    # Objects of the imports are not garbage, and traversing them after every page would be slow.
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        for index, page in enumerate(pages):
            for turn in range(index * repeat, (index + 1) * repeat):
                for which in order(len(systems), turn):
                    _time(records[which], runs[which], page)
            gc.collect()
            if progress:
                progress(index + 1)
    finally:
        gc.enable()
        gc.unfreeze()
    return records


def order(count: int, turn: int) -> list[int]:
    """Return the order of systems in a turn.

    In a plain rotation each system would always have the same predecessor, and after a light parse of the same page
    the caches are warmer than after a heavy peer. In this order (a Williams square: a zigzag, rotated, and mirrored
    every other time) each system follows each other one equally often.
    """
    zigzag = [(position + 1) // 2 * (-1) ** position for position in range(count)]
    rotated = [(step + turn) % count for step in zigzag]
    return rotated[::-1] if turn // count % 2 else rotated


def _time(record: Record, run: Run, page: Page) -> None:
    """Time one call; a system that has failed on this page is not tried again."""
    if page.id in record.errors:
        return
    try:
        argument = record.system.prepare(page)
        start = time.process_time_ns()
        run(argument)
        elapsed = time.process_time_ns() - start
    except Exception as error:  # noqa: BLE001 - any error of a system is counted, and the run continues
        record.errors[page.id] = _reason(error)
        record.times.pop(page.id, None)
        return
    record.times[page.id] = min(elapsed, record.times.get(page.id, elapsed))


def _reason(error: Exception) -> str:
    """Return the type and place of an error, without its message, which may quote the page."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {Path(place.filename).name}, {place.name}"
