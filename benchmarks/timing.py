"""Timing: every system on every page in one run, interleaved, in CPU time.

Systems take turns on one page before any sees the next, so a slow minute of the machine falls on all of them.
CPU time of the whole process is counted: other programs' work is not, and a system's own threads are.
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
    """What one system did."""

    system: System
    #: The least time it took for each page, in nanoseconds.
    times: dict[str, int] = field(default_factory=dict)
    #: Why it failed, for each page on which it did; such a page has no time.
    errors: dict[str, str] = field(default_factory=dict)


def measure(
    systems: Sequence[System],
    pages: Iterable[Page],
    repeat: int,
    progress: Callable[[int], None] | None = None,
) -> list[Record]:
    """Run every system on every page `repeat` times and keep the least time of each."""
    records = [Record(system) for system in systems]
    runs = [system.load() for system in systems]
    # What the imports left alive is no garbage, and to look through it after every page would take long.
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

    A plain rotation would give each system the same predecessor for ever, and one that follows a light parse
    of the same page finds warmer caches than one that follows a heavy peer. In this order (a Williams square:
    a zigzag, rotated, and mirrored every other time) each comes after each other one equally often.
    """
    zigzag = [(position + 1) // 2 * (-1) ** position for position in range(count)]
    rotated = [(step + turn) % count for step in zigzag]
    return rotated[::-1] if turn // count % 2 else rotated


def _time(record: Record, run: Run, page: Page) -> None:
    """Time one call; a system that raised on this page once is not tried on it again."""
    if page.id in record.errors:
        return
    try:
        given = record.system.prepare(page)
        begun = time.process_time_ns()
        run(given)
        taken = time.process_time_ns() - begun
    except Exception as error:  # noqa: BLE001 - whatever a system raises, it is counted and the run goes on
        record.errors[page.id] = _reason(error)
        record.times.pop(page.id, None)
        return
    record.times[page.id] = min(taken, record.times.get(page.id, taken))


def _reason(error: Exception) -> str:
    """Say what was raised and where, without its message, which may quote the page."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {Path(place.filename).name}, {place.name}"
