"""The CPU time of child processes, which is independent of the machine's load."""

import os
from pathlib import Path


def cpu_seconds(name: str) -> float:
    """Return the CPU time so far of our descendant processes whose name begins with `name`."""
    parents: dict[int, int] = {}
    times: dict[int, float] = {}
    ticks = os.sysconf("SC_CLK_TCK")
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            before, _, after = (folder / "stat").read_text().rpartition(")")
        except OSError:
            # The process ended in the meantime.
            continue
        process = int(folder.name)
        fields = after.split()
        parents[process] = int(fields[1])
        if before.partition("(")[2].startswith(name):
            times[process] = (int(fields[11]) + int(fields[12])) / ticks
    return sum(seconds for process, seconds in times.items() if _descends(process, parents))


def _descends(process: int, parents: dict[int, int]) -> bool:
    while process in parents:
        process = parents[process]
        if process == os.getpid():
            return True
    return False
