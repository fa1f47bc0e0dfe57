"""Work on many pages: one that fails is named with its reason, and the others go on."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from broadsheet.base.counters import Counters
from broadsheet.base.deadline import deadline
from broadsheet.base.errors import BroadsheetError, InputError
from broadsheet.base.manners import Manners
from broadsheet.base.memory import more_memory
from broadsheet.base.pool import Failed, Pool
from broadsheet.cli import exits, warcs
from broadsheet.cli.attempts import Attempts, FailedPage, Stopped, attempt
from broadsheet.cli.console import Console
from broadsheet.cli.fetched import Fetched
from broadsheet.cli.inputs import Loaded, Origin, Source, find, is_warc, read
from broadsheet.cli.invocation import PROGRAM
from broadsheet.cli.meters import Meter
from broadsheet.cli.text_table import clean

T = TypeVar("T")

#: What one page may take of a process: far more than any page within the caps was ever seen to take.
MAX_SECONDS = 30.0
MAX_MEMORY = 1_500_000_000


class PageBatch:
    """The pages that the arguments name, and how many of them were done or failed, by kind of failure."""

    def __init__(
        self, arguments: Sequence[str], console: Console, max_bytes: int, manners: Manners | None = None
    ) -> None:
        """Find the pages; none is read before its turn, and URLs are fetched with the manners."""
        self._sources = find(arguments)
        self._fetched = Fetched([source.url for source in self._sources if _is_fetched(source)], manners or Manners())
        self._console = console
        self._max_bytes = max_bytes
        self.counters = Counters()

    def __len__(self) -> int:
        """Return the number of pages; a file that holds many counts as one."""
        return len(self._sources)

    def pages(
        self,
        work: Callable[[Loaded], T],
        *,
        jobs: int | None = None,
        change: Callable[[Loaded], Loaded] | None = None,
    ) -> Iterator[tuple[Origin, T]]:
        """Give each page's origin with what the work makes of the page, in the order of the pages.

        The work on several pages is done in processes, as many as there are `jobs`, so it and what it makes have to be
        fit to be sent there and back. One page alone is worked on in this process, and ends it if it takes too long.
        `change` is done to each page before that, in this process.
        """
        with self._fetched, self._console.meter(len(self)) as meter:
            loaded = self._loaded(meter, change)
            outcomes = self._spread(loaded, work, jobs or 1) if self.is_many else _here(loaded, work)
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
        """The code that says whether all, some or none of the pages could be worked on."""
        if not self.counters.total("failed"):
            return exits.DONE
        return exits.SOME_FAILED if self.counters.total("done") else exits.FAILED

    @property
    def is_many(self) -> bool:
        """Whether there is, or may be, more than one page."""
        return len(self) > 1 or self._has_warc()

    def _has_warc(self) -> bool:
        return any(source.path is not None and is_warc(source.path) for source in self._sources)

    def _spread(
        self, loaded: Iterator[Loaded], work: Callable[[Loaded], T], jobs: int
    ) -> Iterator[tuple[Origin, T | FailedPage]]:
        origins = deque[Origin]()

        def named() -> Iterator[Loaded]:
            for page in loaded:
                origins.append(page.origin)
                yield page

        # More processes than pages would only have to be started.
        size = jobs if self._has_warc() else min(jobs, len(self))
        pool = Pool(Attempts(work), size, self._console.clock, MAX_SECONDS, MAX_MEMORY, waiting=1)
        for outcome in pool.ordered(named()):
            if isinstance(outcome, Stopped):
                raise _error(outcome)
            yield origins.popleft(), FailedPage("Lost", outcome.reason) if isinstance(outcome, Failed) else outcome

    def _loaded(self, meter: Meter, change: Callable[[Loaded], Loaded] | None) -> Iterator[Loaded]:
        """Give the pages one by one; those that cannot be had are named."""
        for number, source in enumerate(self._sources):
            meter.reach(number)
            if source.skipped:
                self.counters.count("skipped", source.skipped)
                continue
            for found in self._found(source, lambda share, number=number: meter.reach(number + share)):  # type: ignore[misc]
                page = attempt(change, found) if change and isinstance(found, Loaded) else found
                if isinstance(page, FailedPage):
                    self._fail(found.origin.name if isinstance(found, Loaded) else source.name, page)
                else:
                    yield page

    def _found(self, source: Source, reached: Callable[[float], None]) -> Iterator[Loaded | FailedPage]:
        if source.path is not None and is_warc(source.path):
            yield from self._records(source.path, reached)
            return
        try:
            yield self._load(source)
        except InputError as error:
            yield FailedPage.by(error)

    def _records(self, path: Path, reached: Callable[[float], None]) -> Iterator[Loaded | FailedPage]:
        for page in warcs.pages(path, self._max_bytes, self.counters, reached):
            yield FailedPage.by(page) if isinstance(page, InputError) else page

    def _fail(self, name: str, refused: FailedPage) -> None:
        self.counters.count("failed", refused.kind)
        self._console.refusal(f"{name}: {refused.reason}", refused.trace)

    def _load(self, source: Source) -> Loaded:
        if _is_fetched(source):
            return self._fetched.next(self._max_bytes)
        origin = Origin(source.name, file=str(source.path) if source.path else None)
        return Loaded(origin, read(source, self._console.stdin, self._max_bytes))


def _here(loaded: Iterator[Loaded], work: Callable[[Loaded], T]) -> Iterator[tuple[Origin, T | FailedPage]]:
    """Work on the one page there is without a process of its own, which would take longer to start than most pages."""
    for page in loaded:
        late = f"{PROGRAM}: {clean(page.origin.name)}: took more than {MAX_SECONDS:g} s"
        try:
            with deadline(MAX_SECONDS, late, exits.FAILED), more_memory(MAX_MEMORY):
                outcome: T | FailedPage = attempt(work, page)
        except MemoryError:
            outcome = FailedPage("Lost", f"took more than {MAX_MEMORY / 1e6:,.0f} MB of memory")
        yield page.origin, outcome


def _error(stopped: Stopped) -> BroadsheetError:
    error = BroadsheetError(stopped.reason)
    error.add_note(stopped.trace)
    return error


def _is_fetched(source: Source) -> bool:
    return source.url is not None and source.error is None
