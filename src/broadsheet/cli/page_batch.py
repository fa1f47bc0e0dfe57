"""Process many pages: failures are reported one by one, and the rest continue."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from broadsheet.base.counters import Counters
from broadsheet.base.deadline import deadline
from broadsheet.base.errors import BroadsheetError, InputError
from broadsheet.base.manners import Manners
from broadsheet.base.memory import more_memory
from broadsheet.base.pool import Failed, Pool, cores
from broadsheet.cli import exits, warcs
from broadsheet.cli.attempts import AttemptFactory, BatchFailure, FailedPage, attempt
from broadsheet.cli.console import Console
from broadsheet.cli.fetched import FetchedPages
from broadsheet.cli.inputs import LoadedPage, Origin, Source, find, is_warc, read
from broadsheet.cli.invocation import PROGRAM
from broadsheet.cli.meters import Meter
from broadsheet.cli.text_table import clean

T = TypeVar("T")

#: Limits for one page: far more than any page within the size limits has been seen to need.
MAX_SECONDS = 30.0
MAX_MEMORY = 1_500_000_000
#: A further worker takes longer to start than another one takes for this many pages.
PAGES_PER_WORKER = 24


class PageBatch:
    """The pages that the arguments name, and counts of those done, skipped and failed, by type of error."""

    def __init__(
        self, arguments: Sequence[str], console: Console, max_bytes: int, manners: Manners | None = None
    ) -> None:
        """Find the pages without reading them yet; URLs are fetched politely, according to `manners`."""
        self._sources = find(arguments)
        self._fetched = FetchedPages(
            [source.url for source in self._sources if _is_fetched(source)], manners or Manners()
        )
        self._console = console
        self._max_bytes = max_bytes
        self.counters = Counters()

    def __len__(self) -> int:
        """Return the number of inputs; a file with many pages counts as one."""
        return len(self._sources)

    def pages(
        self,
        work: Callable[[LoadedPage], T],
        *,
        jobs: int | None = None,
        change: Callable[[LoadedPage], LoadedPage] | None = None,
    ) -> Iterator[tuple[Origin, T]]:
        """Yield each page's origin with the result of the work on it, in order.

        Several pages are processed by `jobs` worker processes, or by as many as are worth their start, so the work and
        its results must be picklable. A single page is processed in this process, which exits if the page takes too
        long. `change` is applied to each page first, in this process.
        """
        with self._fetched, self._console.meter(len(self)) as meter:
            loaded = self._loaded(meter, change)
            outcomes = self._in_workers(loaded, work, jobs) if self.is_many else _in_process(loaded, work)
            for origin, outcome in outcomes:
                if isinstance(outcome, FailedPage):
                    self._fail(origin.name, outcome)
                else:
                    self.counters.count("done")
                    yield origin, outcome
                meter.count(self.counters.total("done"), self.counters.total("failed"))
        for counted, number in self.counters:
            if counted.name == "skipped":
                self._console.warning(f"skipped {number:,}: {counted.reason}")

    @property
    def exit_code(self) -> int:
        """The exit code for all, some or none of the pages done."""
        if not self.counters.total("failed"):
            return exits.DONE
        return exits.SOME_FAILED if self.counters.total("done") else exits.FAILED

    @property
    def is_many(self) -> bool:
        """Whether there is, or may be, more than one page."""
        return len(self) > 1 or self._has_warc()

    def _has_warc(self) -> bool:
        return any(source.path is not None and is_warc(source.path) for source in self._sources)

    def _in_workers(
        self, loaded: Iterator[LoadedPage], work: Callable[[LoadedPage], T], jobs: int | None
    ) -> Iterator[tuple[Origin, T | FailedPage]]:
        origins = deque[Origin]()

        def with_origins_recorded() -> Iterator[LoadedPage]:
            for page in loaded:
                origins.append(page.origin)
                yield page

        pool = Pool(AttemptFactory(work), self._workers(jobs), self._console.clock, MAX_SECONDS, MAX_MEMORY, waiting=1)
        for outcome in pool.ordered(with_origins_recorded()):
            if isinstance(outcome, BatchFailure):
                raise _to_error(outcome)
            yield origins.popleft(), FailedPage("Lost", outcome.reason) if isinstance(outcome, Failed) else outcome

    def _workers(self, jobs: int | None) -> int:
        """Return how many processes to start, of which none should be without work; a WARC may have any number."""
        if self._has_warc():
            return jobs or cores()
        return min(jobs, len(self)) if jobs else min(cores(), -(-len(self) // PAGES_PER_WORKER))

    def _loaded(self, meter: Meter, change: Callable[[LoadedPage], LoadedPage] | None) -> Iterator[LoadedPage]:
        """Yield the pages; report those that cannot be loaded."""
        for number, source in enumerate(self._sources):
            meter.reach(number)
            if source.skipped:
                self.counters.count("skipped", source.skipped)
                continue
            for original in self._load_all(source, lambda share, number=number: meter.reach(number + share)):  # type: ignore[misc]
                page = attempt(change, original) if change and isinstance(original, LoadedPage) else original
                if isinstance(page, FailedPage):
                    self._fail(original.origin.name if isinstance(original, LoadedPage) else source.name, page)
                else:
                    yield page

    def _load_all(self, source: Source, reached: Callable[[float], None]) -> Iterator[LoadedPage | FailedPage]:
        if source.path is not None and is_warc(source.path):
            yield from self._load_warc(source.path, reached)
            return
        try:
            yield self._load(source)
        except InputError as error:
            yield FailedPage.from_error(error)

    def _load_warc(self, path: Path, reached: Callable[[float], None]) -> Iterator[LoadedPage | FailedPage]:
        for page in warcs.pages(path, self._max_bytes, self.counters, reached):
            yield FailedPage.from_error(page) if isinstance(page, InputError) else page

    def _fail(self, name: str, failure: FailedPage) -> None:
        self.counters.count("failed", failure.kind)
        self._console.report_error(f"{name}: {failure.reason}", failure.trace)

    def _load(self, source: Source) -> LoadedPage:
        if _is_fetched(source):
            return self._fetched.next(self._max_bytes)
        origin = Origin(source.name, file=str(source.path) if source.path else None)
        return LoadedPage(origin, read(source, self._console.stdin, self._max_bytes))


def _in_process(
    loaded: Iterator[LoadedPage], work: Callable[[LoadedPage], T]
) -> Iterator[tuple[Origin, T | FailedPage]]:
    """Process a single page without a worker, which would take longer to start than most pages need."""
    for page in loaded:
        timeout_message = f"{PROGRAM}: {clean(page.origin.name)}: took more than {MAX_SECONDS:g} s"
        try:
            with deadline(MAX_SECONDS, timeout_message, exits.FAILED), more_memory(MAX_MEMORY):
                outcome: T | FailedPage = attempt(work, page)
        except MemoryError:
            outcome = FailedPage("Lost", f"took more than {MAX_MEMORY / 1e6:,.0f} MB of memory")
        yield page.origin, outcome


def _to_error(failure: BatchFailure) -> BroadsheetError:
    error = BroadsheetError(failure.reason)
    error.add_note(failure.trace)
    return error


def _is_fetched(source: Source) -> bool:
    return source.url is not None and source.error is None
