"""A browser in a child process, which renders one page at a time and can be killed at any moment."""

import os
import shutil
import subprocess
import tempfile
import weakref
from pathlib import Path
from typing import IO

from broadsheet.base.clock import Clock
from broadsheet.base.companion import Companion
from broadsheet.crawling.rendering import _processes
from broadsheet.crawling.rendering._render_errors import (
    BrowserFailed,
    BrowserGone,
    RenderFailed,
    RenderTimeout,
    RenderTooMuchMemory,
)
from broadsheet.crawling.rendering._render_limits import RenderLimits
from broadsheet.crawling.rendering._render_messages import RenderAnswer, RenderJob, RenderOutcome

_DRIVER = "broadsheet.crawling.rendering.driver"
_START_SECONDS = 60.0
_END_SECONDS = 10.0
_CHECK_SECONDS = 0.25


class Browser:
    """The connection to a driver and its browser; after any error it must be ended, because its state is unknown."""

    def __init__(self, executable: str, limits: RenderLimits, clock: Clock) -> None:
        """Start the browser and wait until it is ready."""
        self._limits = limits
        self._clock = clock
        self.pages = 0
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the browser
        self.folder = tempfile.mkdtemp(prefix="broadsheet-")
        try:
            # Playwright creates the browser profile in TMPDIR.
            companion = Companion.start(
                _DRIVER, executable, self.folder, output=self._log, environment={"TMPDIR": self.folder}
            )
        except OSError as error:
            Path(self.folder).rmdir()
            self._log.close()
            raise BrowserFailed(f"the driver of the browser could not be started: {error}") from error
        self._process, self._wire = companion.process, companion.wire
        #: Ends the browser once: when called, on garbage collection or at exit.
        self.end = weakref.finalize(self, _end, companion, self.folder, self._log, os.getpid())
        try:
            self._wait_until_ready()
        except BaseException:
            self.end()
            raise

    @property
    def is_alive(self) -> bool:
        """Whether the driver is still running."""
        return self._process.poll() is None

    def render(self, job: RenderJob) -> RenderAnswer:
        """Render a page within the time limit and return the answer."""
        self.pages += 1
        deadline = self._clock.monotonic() + self._limits.max_seconds
        try:
            self._wire.send(job.to_packet(), self._limits.max_seconds)
            return self._receive(deadline)
        except TimeoutError:
            seconds = self._limits.max_seconds
            raise RenderTimeout(f"the page was not rendered within {seconds:g} seconds") from None
        except ConnectionError as error:
            # The connection is reset, not closed, only if the driver had not read the whole job.
            raise BrowserGone("the browser exited before it received the page") from error
        except EOFError as error:
            raise RenderFailed("the browser exited while it was rendering the page") from error

    def _wait_until_ready(self) -> None:
        try:
            answer = self._receive(self._clock.monotonic() + _START_SECONDS)
        except TimeoutError:
            raise BrowserFailed(f"the browser did not start within {_START_SECONDS:g} seconds") from None
        except (ConnectionError, EOFError) as error:
            raise BrowserFailed(f"the browser did not start: {self._last_log_line()}") from error
        if answer.outcome is not RenderOutcome.DONE:
            raise BrowserFailed(f"the browser did not start: {answer.message}")

    def _receive(self, deadline: float) -> RenderAnswer:
        """Return the next answer; raise TimeoutError if none arrives in time."""
        while (packet := self._wire.arrived()) is None:
            seconds = deadline - self._clock.monotonic()
            if seconds <= 0:
                raise TimeoutError
            try:
                if not self._wire.listen(min(seconds, _CHECK_SECONDS)):
                    raise EOFError
            except TimeoutError:
                self._check_memory()
        return RenderAnswer.from_packet(packet)

    def _check_memory(self) -> None:
        used = _processes.memory(_processes.descendants(self._process.pid))
        if used > self._limits.max_memory:
            raise RenderTooMuchMemory(used, self._limits.max_memory)

    def _last_log_line(self) -> str:
        self._log.seek(0)
        lines = self._log.read().decode("utf-8", "replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "it printed no reason")


def _end(companion: Companion, folder: str, log: IO[bytes], owner: int) -> None:
    if os.getpid() != owner:
        # A forked process that drops its copy of this object must not end the parent's browser.
        return
    process = companion.process
    companion.wire.close()
    try:
        process.wait(_END_SECONDS)
    except subprocess.TimeoutExpired:
        _processes.kill_all(lambda: _processes.descendants(process.pid))
        process.kill()
        process.wait()
    # A driver that was killed could not clean up; the processes it left have the folder on their command lines.
    _processes.kill_all(lambda: _processes.with_command_line(folder))
    shutil.rmtree(folder, ignore_errors=True)
    log.close()
