"""Peak memory: each system in its own child process, minus a child that only receives the pages.

A child imports the command again, so no module here imports lxml, NumPy or a system before a system is loaded:
their memory would be part of the baseline and count for no system.
"""

import os
import resource
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

from benchmarks.pages import Page
from benchmarks.quiet import quiet
from benchmarks.system import Run, System


def peaks(
    systems: Sequence[System], pages: Sequence[Page], progress: Callable[[int], None] | None = None
) -> dict[str, float]:
    """Return the peak of each system in megabytes, including its code; a system whose child died has none."""
    # Unlike time, the memory of a process does not depend on what else is running.
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda system: _peak(system, pages), [NOTHING, *systems])
        floor = next(results)
        megabytes = {}
        for index, (system, peak) in enumerate(zip(systems, results, strict=True)):
            if peak is not None and floor is not None:
                megabytes[system.name] = max(0, peak - floor) / 1e6
            if progress:
                progress(index + 1)
    return megabytes


def nothing() -> Run:
    """Load the system that does nothing."""

    def run(_page: object) -> None:
        """Ignore the page."""

    return run


NOTHING = System("nothing", "", nothing)


def _peak(system: System, pages: Sequence[Page]) -> int | None:
    """Run one child over the pages and return its peak in bytes."""
    # A forked child would start with all the memory of this process.
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    child = context.Process(target=_serve, args=(system, theirs), daemon=True)
    child.start()
    theirs.close()
    try:
        for page in pages:
            ours.send((page.id, page.data))
        ours.send(None)
        answer: int = ours.recv()
    except (EOFError, OSError):
        return None
    else:
        return answer
    finally:
        ours.close()
        child.join()


def _serve(system: System, connection: Connection) -> None:
    """Process one page after another in a child, keeping none, and reply with the peak."""
    quiet()
    run = system.load()
    while (message := connection.recv()) is not None:
        page = Page.decode(*message)
        # Failures are counted when time is measured.
        with suppress(Exception):
            run(system.prepare(page))
    connection.send(high_water())


def high_water() -> int:
    """Return the peak resident memory of this process in bytes."""
    status = Path("/proc/self/status")
    if status.exists():
        # On Linux, ru_maxrss starts at the size of the parent process; VmHWM starts at zero.
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
