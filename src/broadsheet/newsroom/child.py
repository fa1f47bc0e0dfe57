"""The process that crawls: it owns the crawler, the archive's lease and nothing else.

It is started by `newsroom.crawl`, so that a program can crawl twice, and from a notebook. It reads a job and
then words on standard input, and writes events to standard output. When whoever started it is gone, it stops.
"""

import logging
import os
import signal
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from io import FileIO
from typing import BinaryIO

from broadsheet.archive import Archive, ArchiveBusy, ArchiveError, ArchiveTakenOver, Writer
from broadsheet.base.clock import Clock, SystemClock
from broadsheet.base.counters import Counters
from broadsheet.base.errors import BroadsheetError
from broadsheet.base.parent import end_with
from broadsheet.crawling import live
from broadsheet.crawling.stop import Stop
from broadsheet.newsroom.arrival import PageWork
from broadsheet.newsroom.assignment import assign
from broadsheet.newsroom.desk import READER, Desk
from broadsheet.newsroom.job import BEGUN, ENDED, FAILED, FINISH, PROGRESS, Event, Job
from broadsheet.newsroom.naive import NaiveJudge
from broadsheet.newsroom.newsroom import Newsroom, usual_filters
from broadsheet.newsroom.progress import Progress
from broadsheet.newsroom.supervision import Preparation, supervised

#: A holder that was just killed may need a moment to be gone.
PATIENCE_SECONDS = 5.0
#: Between two rounds there may be hours without a commit; on other machines the lease must not look dead.
HEARTBEAT_SECONDS = 60.0
#: When whoever started us is gone, a page in hand may still be kept, but the lease must not be held for long.
ORPHAN_SECONDS = 3.0

_log = logging.getLogger(__name__)


class Teller:
    """Writes events; when nobody listens any more, the crawl has to stop."""

    def __init__(self, stream: BinaryIO, stop: Stop) -> None:
        """Take the stream to the other process."""
        self._stream = stream
        self._stop = stop

    def tell(self, event: Event) -> None:
        """Write one event at once."""
        try:
            self._stream.write(event.encode())
            self._stream.flush()
        except BrokenPipeError:
            self._stop.now()


def main() -> int:
    """Do the job that standard input names, and return the exit code."""
    # The terminal's Ctrl-C goes to whoever started us, who then says what to do.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    stop = Stop()
    teller = Teller(_own_output(), stop)
    # Unbuffered: a thread that waits in a buffered stream cannot be ended with the process.
    words = FileIO(os.dup(0))
    job = Job.decode(words.readline())
    threading.Thread(target=_listen, args=(words, stop), daemon=True).start()
    end_with(int(sys.argv[1]), first=stop.now, grace=ORPHAN_SECONDS)
    try:
        if job.log:
            job.log.open()
        _crawl(job, stop, teller)
    except Exception as error:  # noqa: BLE001 - whatever happens is told to whoever waits for it
        _log.error("the crawl failed: %s", error)
        teller.tell(Event(FAILED, _failure(error)))
        return 1
    teller.tell(Event(ENDED))
    return 0


def _crawl(job: Job, stop: Stop, teller: Teller) -> None:
    clock = job.clock()
    with ExitStack() as stack:
        archive = stack.enter_context(Archive.open(job.folder, create=True))
        writer = _lease(stack, archive, clock)
        stack.enter_context(_heartbeat(writer, stop))
        sources = assign(writer, job.assignment, clock.now())
        aside = [str(path) for path in writer.set_aside]
        _log.info("crawling %s into %s", ", ".join(source.url for source in sources), job.folder)
        teller.tell(Event(BEGUN, {"sources": [source.url for source in sources], "set_aside": aside}))

        def report(progress: Progress) -> None:
            teller.tell(Event(PROGRESS, progress.to_dict()))

        judge = NaiveJudge()
        work = PageWork(judge, job.limits, READER, job.quotas)
        reader = stack.enter_context(supervised(Preparation(work)))
        counters = Counters()
        desk = Desk(archive, writer, clock, judge, quotas=job.quotas, work=reader, crawled=counters, report=report)
        newsroom = Newsroom(desk, usual_filters(desk), sources)
        live.crawl(
            newsroom.first(),
            newsroom.decide,
            manners=job.manners,
            clock=clock,
            idle=newsroom.idle,
            counters=counters,
            stop=stop,
        )
        # What came before a stop is kept as well.
        desk.commit()
        _log.info("ended after %s requests", desk.progress.requests)


def _lease(stack: ExitStack, archive: Archive, clock: Clock) -> Writer:
    """Take the archive's lease; one that is held is asked for again for a few seconds."""
    machine = SystemClock()
    patience = machine.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return stack.enter_context(archive.writer(clock=clock))
        except ArchiveBusy:
            if machine.monotonic() > patience:
                raise
        threading.Event().wait(0.2)


@contextmanager
def _heartbeat(writer: Writer, stop: Stop) -> Iterator[None]:
    """Give signs of life while inside; whoever has lost the lease must not go on."""
    over = threading.Event()

    def beat() -> None:
        while not over.wait(HEARTBEAT_SECONDS):
            try:
                writer.heartbeat()
            except ArchiveTakenOver:
                # The next commit says so; until then nothing more should be fetched in vain.
                stop.finish()
                return
            except ArchiveError:
                # A lock that passes, or a disk that is full for a while: the next commit finds out.
                continue

    thread = threading.Thread(target=beat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _listen(words: FileIO, stop: Stop) -> None:
    while words.readline().strip() == FINISH.encode():
        stop.finish()
    stop.now()


def _own_output() -> BinaryIO:
    """Take standard output for events alone: whatever else is printed goes to standard error."""
    own = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return own


def _failure(error: Exception) -> dict[str, str | bool]:
    text = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.filename else str(error)
    return {
        "type": type(error).__name__,
        "message": text,
        "expected": isinstance(error, (BroadsheetError, OSError)),
        "traceback": "".join(traceback.format_exception(error)),
    }
