"""Find, measure and kill all processes of a browser.

Chromium's processes are in sessions of their own, so killing a process group would miss most of them. They are found
through `/proc`; on systems without it, the browser still exits by itself when its driver does.
"""

import contextlib
import ctypes
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

_PROC = Path("/proc")
_PR_SET_CHILD_SUBREAPER = 36
_PAUSE_SECONDS = 0.01
_TRIES = 500


def adopt_orphans() -> None:
    """Become the parent of orphaned descendants, so that none escapes `descendants`."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def descendants(ancestor: int) -> list[int]:
    """Return the living descendants of a process, parents before children."""
    children: dict[int, list[int]] = {}
    for pid in _pids():
        fields = _read(pid, "stat").rpartition(b")")[2].split()
        if fields and fields[0] != b"Z":
            children.setdefault(int(fields[1]), []).append(pid)
    pids = [ancestor]
    for pid in pids:
        pids.extend(children.get(pid, ()))
    return pids[1:]


def with_command_line(text: str) -> list[int]:
    """Return the living processes whose command line contains a text."""
    return [pid for pid in _pids() if text.encode() in _read(pid, "cmdline")]


def memory(pids: Iterable[int]) -> int:
    """Return the anonymous and shared memory of processes, in bytes."""
    total = 0
    for pid in pids:
        for line in _read(pid, "status").splitlines():
            if line.startswith((b"RssAnon:", b"RssShmem:")):
                total += int(line.split()[1]) * 1024
    return total


def kill_all(find: Callable[[], list[int]]) -> bool:
    """Kill the processes that `find` returns until it returns none; return whether that succeeded in time."""
    for _ in range(_TRIES):
        pids = find()
        if not pids:
            return True
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(_PAUSE_SECONDS)
    return False


def reap() -> None:
    """Wait for every child to exit, so that none stays in the process table."""
    with contextlib.suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)


def _pids() -> list[int]:
    return [int(entry.name) for entry in _PROC.glob("[0-9]*")]


def _read(pid: int, name: str) -> bytes:
    try:
        return (_PROC / str(pid) / name).read_bytes()
    except OSError:
        # The process exited after it was listed.
        return b""
