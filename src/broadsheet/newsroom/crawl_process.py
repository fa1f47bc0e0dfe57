"""The process that crawls: it owns the crawler, the archive's lease and nothing else.

It is started by `newsroom.crawl`, so that a program can crawl twice, and from a notebook. It is sent a job and
then words, and sends events. When whoever started it is gone, it stops.
"""

# On import, this searches the stack and all modules three times: with few of either, the process starts 0.3 s sooner.
import scrapy.core.downloader.contextfactory  # noqa: F401

# isort: split
import logging
import signal
import threading
import traceback
from contextlib import AbstractContextManager, ExitStack
from dataclasses import asdict
from pathlib import Path

from broadsheet.archive import (
    ArchiveBusy,
    ArchiveError,
    ArchiveTakenOver,
    ProvisionalArchive,
    Store,
    Writer,
    returned_memory,
)
from broadsheet.base.clock import Clock, SystemClock
from broadsheet.base.companion import connect_to_parent
from broadsheet.base.counters import Counters
from broadsheet.base.errors import BroadsheetError
from broadsheet.base.garbage import search_less_often, spare_what_stays
from broadsheet.base.repetition import repeatedly
from broadsheet.base.wire import Wire
from broadsheet.crawling import live_crawl
from broadsheet.crawling.capture import in_flight
from broadsheet.crawling.stop import Ending, Stop
from broadsheet.newsroom.assignment import assign
from broadsheet.newsroom.crawl_job import BEGUN, ENDED, FAILED, FINISH, PROGRESS, PULSE, WORD, CrawlJob, Event, Pulse
from broadsheet.newsroom.cycle import Newsroom
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.line import FilterSettings
from broadsheet.newsroom.progress import Progress
from broadsheet.newsroom.scripted_pages import rendering_thread
from broadsheet.newsroom.supervision import supervised

#: A holder that was just killed may need a moment to be gone.
PATIENCE_SECONDS = 5.0
#: Between two visits there may be hours without a commit; on other machines the lease must not look dead.
HEARTBEAT_SECONDS = 60.0
#: How often it is told how many requests are in flight, if that has changed.
PULSE_SECONDS = 0.5
#: When whoever started us is gone, a page in hand may still be kept, but the lease must not be held for long.
ORPHAN_SECONDS = 3.0

_log = logging.getLogger(__name__)


class Teller:
    """Sends events; when nobody listens any more, the crawl has to stop."""

    def __init__(self, wire: Wire, stop: Stop) -> None:
        """Take the wire to the other process."""
        self._wire = wire
        self._stop = stop
        # The crawl and its pulse tell from different threads.
        self._lock = threading.Lock()

    def tell(self, event: Event) -> None:
        """Send one event."""
        try:
            with self._lock:
                self._wire.send(event.to_packet())
        except ConnectionError:
            self._stop.now()


def main() -> int:
    """Do the job that the first packet names, and return the exit code."""
    # The terminal's Ctrl-C goes to whoever started us, who then says what to do.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    stop = Stop()
    wire = connect_to_parent(first=stop.now, grace=ORPHAN_SECONDS)
    teller = Teller(wire, stop)
    packet = wire.receive()
    if packet is None:
        return 1
    job = CrawlJob.of_packet(packet)
    threading.Thread(target=_listen, args=(wire, stop), daemon=True).start()
    spare_what_stays()
    search_less_often()
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


def _crawl(job: CrawlJob, stop: Stop, teller: Teller) -> None:
    """Crawl into the archive, which is made if it is missing; where no page was fetched, none is left behind."""
    archive, progress = ProvisionalArchive(Path(job.folder)), Progress()
    try:
        _follow(job, stop, teller, progress)
    finally:
        if not progress.visits:
            archive.withdraw()


def _follow(job: CrawlJob, stop: Stop, teller: Teller, progress: Progress) -> None:
    clock = job.clock()
    with ExitStack() as stack:
        stack.enter_context(returned_memory())
        archive = stack.enter_context(Store.open(job.folder, create=True))
        writer = _lease(stack, archive, clock)
        stack.enter_context(_heartbeat(writer, stop))
        filters = FilterSettings(job.limits, job.quotas, job.settings)
        readers = stack.enter_context(supervised(filters))
        if job.pace:
            # The time of the assignment begins when it is given, and hours of it would pass while readers start.
            readers.begin(clock.now())
        sources = assign(writer, job.assignment, clock.now())
        aside = [str(path) for path in writer.set_aside]
        _log.info("crawling %s into %s", ", ".join(source.url for source in sources), job.folder)
        teller.tell(Event(BEGUN, {"sources": [source.url for source in sources], "set_aside": aside}))

        def report(progress: Progress) -> None:
            teller.tell(Event(PROGRESS, progress.to_dict()))

        counters = Counters()
        stack.enter_context(_pulse(counters, teller))
        desk = Desk(
            archive,
            writer,
            clock,
            quotas=job.quotas,
            settings=job.settings,
            crawled=counters,
            report=report,
            progress=progress,
        )
        renderer = stack.enter_context(rendering_thread(job.manners.networks()))
        newsroom = Newsroom(desk, readers, sources, renderer=renderer, assignment=job.assignment, stop=stop.finish)
        live_crawl.crawl(
            newsroom.first(),
            newsroom.decide,
            manners=job.manners,
            clock=clock,
            idle=newsroom.idle,
            wake=newsroom.wake,
            every=job.wake_seconds(),
            is_wanted=newsroom.is_wanted,
            is_lasting=newsroom.is_lasting,
            counters=counters,
            stop=stop,
        )
        if stop.ending is Ending.BY_ITSELF:
            newsroom.finish()
        else:
            # What came before the stop is kept as well.
            desk.commit()
        _log.info("ended after %s requests", desk.progress.requests)


def _pulse(counters: Counters, teller: Teller) -> AbstractContextManager[None]:
    """Tell while inside how many requests are in flight, whenever that has changed."""
    last = Pulse()

    def tell_change() -> None:
        nonlocal last
        pulse = Pulse(in_flight(counters))
        if pulse != last:
            teller.tell(Event(PULSE, asdict(pulse)))
            last = pulse

    return repeatedly(PULSE_SECONDS, tell_change)


def _lease(stack: ExitStack, archive: Store, clock: Clock) -> Writer:
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


def _heartbeat(writer: Writer, stop: Stop) -> AbstractContextManager[None]:
    """Give signs of life while inside; whoever has lost the lease must not go on."""

    def beat() -> None:
        try:
            writer.heartbeat()
        except ArchiveTakenOver:
            # The next commit says so; until then nothing more should be fetched in vain.
            stop.finish()
        except ArchiveError as error:
            # A lock that passes, or a disk that is full for a while: the next commit finds out. If there is none for
            # long, another machine may take this process for dead.
            _log.warning("no heartbeat could be written: %s", error)

    return repeatedly(HEARTBEAT_SECONDS, beat)


def _listen(wire: Wire, stop: Stop) -> None:
    while (packet := wire.receive()) is not None and packet.head[WORD] == FINISH:
        stop.finish()
    stop.now()


def _failure(error: Exception) -> dict[str, str | bool]:
    text = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.filename else str(error)
    return {
        "type": type(error).__name__,
        "message": text,
        "expected": isinstance(error, (BroadsheetError, OSError)),
        "traceback": "".join(traceback.format_exception(error)),
    }
