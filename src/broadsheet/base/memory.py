"""How much memory a process has used at most, and may use."""

import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_STATUS = Path("/proc/self/status")


def limit_memory(allowed: int) -> None:
    """Let this process fail with `MemoryError` where its data would outgrow so many bytes (as Linux counts them)."""
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if hard != resource.RLIM_INFINITY:
        allowed = min(allowed, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (allowed, hard))


@contextmanager
def more_memory(allowed: int) -> Iterator[None]:
    """Let the block fail with `MemoryError` where its data would take so many bytes more than this process has now."""
    before = resource.getrlimit(resource.RLIMIT_DATA)
    used = _data()
    if used is not None:
        limit_memory(used + allowed)
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)


def _data() -> int | None:
    """Return how many bytes the system counts as this process's data; None where it does not say."""
    if not _STATUS.exists():
        return None
    fields = dict(line.split(":", 1) for line in _STATUS.read_text(encoding="ascii").splitlines() if ":" in line)
    return int(fields["VmData"].split()[0]) * 1024


def peak_memory() -> int:
    """Return the most bytes of memory that this process has held at once."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
