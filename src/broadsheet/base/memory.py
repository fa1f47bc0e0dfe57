"""How much memory a process has used at most, and may use."""

import resource
import sys


def limit_memory(allowed: int) -> None:
    """Let this process fail with `MemoryError` where its data would outgrow so many bytes (as Linux counts them)."""
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if hard != resource.RLIM_INFINITY:
        allowed = min(allowed, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (allowed, hard))


def peak_memory() -> int:
    """Return the most bytes of memory that this process has held at once."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
