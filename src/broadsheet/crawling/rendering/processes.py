"""The processes of a browser: found, weighed and ended, all of them.

Chromium's processes are in sessions of their own, so ending a process group would miss most of them. They are
found through `/proc`; where there is none, a browser still ends by itself when its driver does.
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
    """Become the parent of every descendant whose own parent ends, so that none escapes `descendants`."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def descendants(ancestor: int) -> list[int]:
    """Return the living processes below one, parents before their children."""
    children: dict[int, list[int]] = {}
    for pid in _pids():
        fields = _read(pid, "stat").rpartition(b")")[2].split()
        if fields and fields[0] != b"Z":
            children.setdefault(int(fields[1]), []).append(pid)
    found = [ancestor]
    for pid in found:
        found.extend(children.get(pid, ()))
    return found[1:]


def mentioning(text: str) -> list[int]:
    """Return the living processes whose command line holds a text."""
    return [pid for pid in _pids() if text.encode() in _read(pid, "cmdline")]


def memory(pids: Iterable[int]) -> int:
    """Return the bytes that processes hold and that no file backs."""
    total = 0
    for pid in pids:
        for line in _read(pid, "status").splitlines():
            if line.startswith((b"RssAnon:", b"RssShmem:")):
                total += int(line.split()[1]) * 1024
    return total


def end(find: Callable[[], list[int]]) -> bool:
    """Kill what is found until nothing is found any more; say whether that came before patience ran out."""
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
    """Wait for every child to end and take note of it, so that none stays in the process table."""
    with contextlib.suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)


def _pids() -> list[int]:
    return [int(entry.name) for entry in _PROC.glob("[0-9]*")]


def _read(pid: int, name: str) -> bytes:
    try:
        return (_PROC / str(pid) / name).read_bytes()
    except OSError:
        # It ended between being listed and being looked at.
        return b""
