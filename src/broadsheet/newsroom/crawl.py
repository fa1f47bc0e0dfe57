"""A crawl as whoever wants it sees it: a child process that tells its progress and can be stopped."""

import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from types import TracebackType
from typing import Self

from broadsheet.newsroom.errors import CrawlFailed
from broadsheet.newsroom.job import BEGUN, ENDED, FAILED, FINISH, NOW, PROGRESS, PULSE, Event, Job, Pulse
from broadsheet.newsroom.progress import Progress

#: A child that was told to stop now has this long before it is killed; what it committed is safe either way.
GRACE_SECONDS = 10.0
# Not run as a module, because the processes that it starts would load that module again.
_PROGRAM = "import sys; from broadsheet.newsroom.child import main; sys.exit(main())"


class Crawl:
    """Runs from entering its `with` until leaving it; iterating over it gives its progress after every commit."""

    def __init__(self, job: Job) -> None:
        """Take the job; nothing runs yet."""
        self._job = job
        self._process: subprocess.Popen[bytes] | None = None
        # A pipe that nobody reads while the crawl runs would stop it when it is full.
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - it is closed on leaving
        self._killing: threading.Timer | None = None
        self.sources: tuple[str, ...] = ()
        #: Files of the archive that no commit names, which were moved to `lost+found`.
        self.set_aside: tuple[str, ...] = ()

    def __enter__(self) -> Self:
        """Start the process and hand it the job."""
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-c", _PROGRAM, str(os.getpid())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            # The terminal's signals are for this process, which passes on what they mean.
            start_new_session=True,
        )
        self._send(self._job.encode())
        return self

    def __iter__(self) -> Iterator[Progress]:
        """Give the progress until the crawl has ended; raise what ended it if that was no wish of ours."""
        return (told for told in self.told() if isinstance(told, Progress))

    def told(self) -> Iterator[Progress | Pulse]:
        """Give the progress as iterating does, and in between what is going on."""
        process = self._running()
        assert process.stdout is not None  # noqa: S101 - it was asked for
        for line in process.stdout:
            event = Event.decode(line)
            if event.name == BEGUN:
                self.sources = tuple(event.content["sources"])
                self.set_aside = tuple(event.content["set_aside"])
            elif event.name == PROGRESS:
                yield Progress.from_dict(event.content)
            elif event.name == PULSE:
                yield Pulse(**event.content)
            elif event.name == ENDED:
                return
            elif event.name == FAILED:
                raise _failure(event)
        code = process.wait()
        self._errors.seek(0)
        raise CrawlFailed(
            f"the process that crawls died ({_death(code)})", self._errors.read().decode(errors="replace")
        )

    def finish(self) -> None:
        """Begin nothing new, and end when the pages in flight have come and are kept."""
        self._send(FINISH.encode() + b"\n")

    def now(self) -> None:
        """End at once; what has come is kept, what is in flight will be fetched again.

        A process that does not listen is killed after some seconds; to ask again kills it at once.
        """
        if self._killing is not None:
            self._running().kill()
            return
        self._send(NOW.encode() + b"\n")
        self._killing = threading.Timer(GRACE_SECONDS, self._running().kill)
        self._killing.daemon = True
        self._killing.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the process, if it still runs."""
        process = self._running()
        if self._killing is not None:
            self._killing.cancel()
        try:
            # Closing its input tells it that nobody waits any more.
            process.communicate(timeout=GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
        finally:
            self._errors.close()

    @property
    def exit_code(self) -> int | None:
        """How the process ended; None while it runs."""
        return self._running().returncode

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            raise RuntimeError("a crawl runs only inside its `with`")
        return self._process

    def _send(self, line: bytes) -> None:
        process = self._running()
        assert process.stdin is not None  # noqa: S101 - it was asked for
        try:
            process.stdin.write(line)
            process.stdin.flush()
        except (BrokenPipeError, ValueError):
            # It is gone already; reading its events tells why.
            return


def _failure(event: Event) -> CrawlFailed:
    content = event.content
    message = content["message"] if content["expected"] else f"unexpected {content['type']}: {content['message']}"
    return CrawlFailed(message, content["traceback"])


def _death(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"
