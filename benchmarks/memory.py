"""Peak memory: each system in a child process of its own, above a child that is only sent the pages.

A child imports the command anew, so no module here imports lxml, NumPy or a system before a system is loaded:
what the child without a system held already would count for nobody.
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
    """Return each system's peak in megabytes, its own code included; a system whose child died has none."""
    # Unlike time, a process's memory does not depend on what runs beside it.
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda system: _peak(system, pages), [NOTHING, *systems])
        floor = next(results)
        found = {}
        for index, (system, peak) in enumerate(zip(systems, results, strict=True)):
            if peak is not None and floor is not None:
                found[system.name] = max(0, peak - floor) / 1e6
            if progress:
                progress(index + 1)
    return found


def nothing() -> Run:
    """Load the system that does nothing."""

    def run(_page: object) -> None:
        """Leave the page as it is."""

    return run


NOTHING = System("nothing", "", nothing)


def _peak(system: System, pages: Sequence[Page]) -> int | None:
    """Run one child over the pages and return the most bytes it held."""
    # A forked child would begin with all that this process holds.
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
    """Do in a child what is measured: take page after page, keep none, and answer with the peak."""
    quiet()
    run = system.load()
    while (sent := connection.recv()) is not None:
        page = Page.of(*sent)
        # Failures are counted where time is measured.
        with suppress(Exception):
            run(system.prepare(page))
    connection.send(high_water())


def high_water() -> int:
    """Return the most bytes this process has held in memory."""
    status = Path("/proc/self/status")
    if status.exists():
        # Linux lets ru_maxrss begin at the size of the process that started this one; VmHWM begins at zero.
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
