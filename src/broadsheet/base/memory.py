"""Memory limits and peak memory of a process."""

import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_STATUS = Path("/proc/self/status")


def limit_memory(allowed: int) -> None:
    """Make this process raise `MemoryError` when its data (as Linux counts it) would exceed so many bytes."""
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if hard != resource.RLIM_INFINITY:
        allowed = min(allowed, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (allowed, hard))


def limit_further_memory(allowed: int) -> None:
    """Make this process raise `MemoryError` when it would use so many bytes more than it does now."""
    limit_memory((_data_size() or 0) + allowed)


@contextmanager
def more_memory(allowed: int) -> Iterator[None]:
    """Make the block raise `MemoryError` when it would use so many bytes more than this process has now."""
    before = resource.getrlimit(resource.RLIMIT_DATA)
    used = _data_size()
    if used is not None:
        limit_memory(used + allowed)
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)


def _data_size() -> int | None:
    """Return the bytes that the system counts as this process's data, or None if it does not report them."""
    if not _STATUS.exists():
        return None
    fields = dict(line.split(":", 1) for line in _STATUS.read_text(encoding="ascii").splitlines() if ":" in line)
    return int(fields["VmData"].split()[0]) * 1024


def peak_memory() -> int:
    """Return the peak resident memory of this process in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
