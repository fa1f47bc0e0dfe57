"""A crawl as whoever wants it sees it: a child process that tells its progress and can be stopped."""

import subprocess
import tempfile
import threading
from collections.abc import Iterator
from types import TracebackType
from typing import Self

from broadsheet.base.companion import Companion
from broadsheet.base.wire import Packet
from broadsheet.newsroom.crawl_job import (
    BEGUN,
    ENDED,
    FAILED,
    FINISH,
    NOW,
    PROGRESS,
    PULSE,
    WORD,
    CrawlJob,
    Event,
    Pulse,
)
from broadsheet.newsroom.newsroom_errors import CrawlFailed
from broadsheet.newsroom.progress import Progress

#: A child that was told to stop now has this long before it is killed; what it committed is safe either way.
GRACE_SECONDS = 10.0
_CHILD = "broadsheet.newsroom.crawl_process"
#: The environment of a process that runs for weeks, in which freed memory is to go back to the system. Arrow's own
#: allocator keeps several times as much as was ever in use, and each of its threads would get an arena of the C library
#: that does the same. Whole WARC files in the heap of the C library leave holes between what stays, so blocks of that
#: size are kept out of it; by default it raises this limit to the size of the largest block that was ever freed.
ENVIRONMENT = {
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "MALLOC_ARENA_MAX": "2",
    "MALLOC_MMAP_THRESHOLD_": str(2**20),
    "MALLOC_TRIM_THRESHOLD_": str(2**23),
}


class Crawl:
    """Runs from entering its `with` until leaving it; iterating over it gives its progress after every commit."""

    def __init__(self, job: CrawlJob) -> None:
        """Take the job; nothing runs yet."""
        self._job = job
        self._companion: Companion | None = None
        # A pipe that nobody reads while the crawl runs would stop it when it is full.
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - it is closed on leaving
        self._killing: threading.Timer | None = None
        self.sources: tuple[str, ...] = ()
        #: Files of the archive that no commit names, which were moved to `lost+found`.
        self.set_aside: tuple[str, ...] = ()

    def __enter__(self) -> Self:
        """Start the process and hand it the job."""
        try:
            self._companion = Companion.start(_CHILD, output=self._errors, environment=ENVIRONMENT)
        except OSError:
            self._errors.close()
            raise
        self._send(self._job.to_packet())
        return self

    def __iter__(self) -> Iterator[Progress]:
        """Give the progress until the crawl has ended; raise what ended it if that was no wish of ours."""
        return (report for report in self.reports() if isinstance(report, Progress))

    def reports(self) -> Iterator[Progress | Pulse]:
        """Give the progress as iterating does, and in between what is going on."""
        companion = self._running()
        while (packet := companion.wire.receive()) is not None:
            event = Event.of_packet(packet)
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
        code = companion.process.wait()
        self._errors.seek(0)
        raise CrawlFailed(f"the crawling process died ({_death(code)})", self._errors.read().decode(errors="replace"))

    def finish(self) -> None:
        """Begin nothing new, and end when the pages in flight have been fetched and kept."""
        self._send(Packet({WORD: FINISH}))

    def now(self) -> None:
        """End at once; what was fetched is kept, what is in flight will be fetched again.

        A process that does not listen is killed after some seconds; to ask again kills it at once.
        """
        if self._killing is not None:
            self._running().process.kill()
            return
        self._send(Packet({WORD: NOW}))
        self._killing = threading.Timer(GRACE_SECONDS, self._running().process.kill)
        self._killing.daemon = True
        self._killing.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the process, if it still runs."""
        companion = self._running()
        if self._killing is not None:
            self._killing.cancel()
        try:
            # Closing the wire tells it that nobody waits any more.
            companion.wire.close()
            companion.process.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            companion.end()
        finally:
            self._errors.close()

    @property
    def exit_code(self) -> int | None:
        """How the process ended; None while it runs."""
        return self._running().process.returncode

    def _running(self) -> Companion:
        if self._companion is None:
            raise RuntimeError("a crawl can only be used inside its `with` block")
        return self._companion

    def _send(self, packet: Packet) -> None:
        try:
            self._running().wire.send(packet)
        except OSError:
            # It is gone already; reading its events tells why.
            return


def _failure(event: Event) -> CrawlFailed:
    content = event.content
    message = content["message"] if content["expected"] else f"unexpected {content['type']}: {content['message']}"
    return CrawlFailed(message, content["traceback"])


def _death(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"
