"""A browser in a process of its own, which is asked one thing at a time and can be ended at any moment."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import weakref
from pathlib import Path
from typing import IO

from broadsheet.base.clock import Clock
from broadsheet.crawling.rendering import processes
from broadsheet.crawling.rendering.render_errors import (
    BrowserFailed,
    BrowserGone,
    RenderFailed,
    RenderTimeout,
    RenderTooMuchMemory,
)
from broadsheet.crawling.rendering.render_limits import RenderLimits
from broadsheet.crawling.rendering.render_messages import RenderAnswer, RenderJob, RenderOutcome

_DRIVER = "broadsheet.crawling.rendering.driver"
_START_SECONDS = 60.0
_END_SECONDS = 10.0
_CHECK_SECONDS = 0.25
_CHUNK = 1 << 20


class Browser:
    """The line to a driver and its browser; after any error it must be ended, as nobody knows its state."""

    def __init__(self, executable: str, limits: RenderLimits, clock: Clock) -> None:
        """Start the browser and wait until it is ready."""
        self._limits = limits
        self._clock = clock
        self.pages = 0
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the browser
        self.folder = tempfile.mkdtemp(prefix="broadsheet-")
        self._line, theirs = socket.socketpair()
        try:
            with theirs:
                self._process = _start(executable, self.folder, theirs, self._log)
        except OSError as error:
            Path(self.folder).rmdir()
            self._line.close()
            self._log.close()
            raise BrowserFailed(f"the browser's driver did not start: {error}") from error
        #: Ends the browser, whoever comes first: a caller, the garbage collector or the end of the program.
        self.end = weakref.finalize(self, _end, self._line, self._process, self.folder, self._log, os.getpid())
        try:
            self._wait_until_ready()
        except BaseException:
            self.end()
            raise

    @property
    def is_alive(self) -> bool:
        """Whether the driver still runs."""
        return self._process.poll() is None

    def render(self, job: RenderJob) -> RenderAnswer:
        """Hand a page over and return what became of it, before its time is up."""
        self.pages += 1
        deadline = self._clock.monotonic() + self._limits.max_seconds
        try:
            self._line.settimeout(self._limits.max_seconds)
            self._line.sendall(job.encode())
            return RenderAnswer.decode(self._receive(deadline))
        except TimeoutError:
            seconds = self._limits.max_seconds
            raise RenderTimeout(f"the page did not answer within {seconds:g} seconds") from None
        except ConnectionError as error:
            # A line breaks, instead of ending, only when what was sent had not been read to its end.
            raise BrowserGone("the browser ended before it had the page") from error
        except EOFError as error:
            raise RenderFailed("the browser ended while it had the page") from error

    def _wait_until_ready(self) -> None:
        try:
            answer = RenderAnswer.decode(self._receive(self._clock.monotonic() + _START_SECONDS))
        except TimeoutError:
            raise BrowserFailed(f"the browser did not start within {_START_SECONDS:g} seconds") from None
        except (ConnectionError, EOFError) as error:
            raise BrowserFailed(f"the browser did not start: {self._last_words()}") from error
        if answer.outcome is not RenderOutcome.DONE:
            raise BrowserFailed(f"the browser did not start: {answer.message}")

    def _receive(self, deadline: float) -> bytes:
        """Return the next line; TimeoutError means that none came in time."""
        chunks: list[bytes] = []
        while not chunks or not chunks[-1].endswith(b"\n"):
            seconds = deadline - self._clock.monotonic()
            if seconds <= 0:
                raise TimeoutError
            self._line.settimeout(min(seconds, _CHECK_SECONDS))
            try:
                chunk = self._line.recv(_CHUNK)
            except TimeoutError:
                self._check_memory()
                continue
            if not chunk:
                raise EOFError
            chunks.append(chunk)
        return b"".join(chunks)

    def _check_memory(self) -> None:
        held = processes.memory(processes.descendants(self._process.pid))
        if held > self._limits.max_memory:
            raise RenderTooMuchMemory(held, self._limits.max_memory)

    def _last_words(self) -> str:
        self._log.seek(0)
        lines = self._log.read().decode("utf-8", "replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "it gave no reason")


def _start(executable: str, folder: str, line: socket.socket, log: IO[bytes]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-P", "-m", _DRIVER]
    return subprocess.Popen(  # noqa: S603 - every part of the command is ours
        [*command, str(line.fileno()), executable, folder, str(os.getpid())],
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        pass_fds=(line.fileno(),),
        # Playwright puts the profile where temporary files go; modules are found where we found ours.
        env={
            **os.environ,
            "TMPDIR": folder,
            "PYTHONPATH": os.pathsep.join(str(Path(entry).absolute()) for entry in sys.path),
        },
        # A Ctrl-C is for the program, which then ends its browser in good order.
        start_new_session=True,
    )


def _end(line: socket.socket, process: subprocess.Popen[bytes], folder: str, log: IO[bytes], owner: int) -> None:
    if os.getpid() != owner:
        # A forked process that forgets its copy of the browser must not end ours.
        return
    line.close()
    try:
        process.wait(_END_SECONDS)
    except subprocess.TimeoutExpired:
        processes.end(lambda: processes.descendants(process.pid))
        process.kill()
        process.wait()
    # A driver that was killed could end nothing; what it left still carries the name of its folder.
    processes.end(lambda: processes.mentioning(folder))
    shutil.rmtree(folder, ignore_errors=True)
    log.close()
