"""Work on many pages: one that fails is named with its reason, and the others go on."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from broadsheet.base.counters import Counters
from broadsheet.base.errors import InputError
from broadsheet.base.manners import Manners
from broadsheet.cli import exits, warcs
from broadsheet.cli.console import Console
from broadsheet.cli.fetched import Fetched
from broadsheet.cli.inputs import Loaded, Source, find, read
from broadsheet.cli.warcs import is_warc

T = TypeVar("T")


class Batch:
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
        """Return the number of pages."""
        return len(self._sources)

    def results(self, work: Callable[[str, bytes], T]) -> Iterator[T]:
        """Give what the work makes of each page's name and bytes."""
        return self.pages(lambda page: work(page.name, page.content))

    def pages(self, work: Callable[[Loaded], T]) -> Iterator[T]:
        """Give what the work makes of each page."""
        with self._fetched:
            for source in self._console.track(self._sources):
                if source.path is not None and is_warc(source.path):
                    yield from self._records(source.path, work)
                else:
                    yield from self._result(source.name, partial(self._load, source), work)

    def _records(self, path: Path, work: Callable[[Loaded], T]) -> Iterator[T]:
        for page in warcs.pages(path, self._max_bytes, self.counters):
            if isinstance(page, InputError):
                self._fail(page, str(page))
            else:
                yield from self._result(page.name, partial(_itself, page), work)

    def _result(self, name: str, load: Callable[[], Loaded], work: Callable[[Loaded], T]) -> Iterator[T]:
        try:
            result = work(load())
        except InputError as error:
            self._fail(error, f"{name}: {error}")
            return
        self.counters.count("done")
        yield result

    def _fail(self, error: InputError, text: str) -> None:
        self.counters.count("failed", type(error).__name__)
        self._console.failure(error, text)

    def _load(self, source: Source) -> Loaded:
        if _is_fetched(source):
            return self._fetched.next(self._max_bytes)
        return Loaded(source.name, read(source, self._console.stdin, self._max_bytes))

    @property
    def exit_code(self) -> int:
        """The code that says whether all, some or none of the pages could be worked on."""
        if not self.counters.total("failed"):
            return exits.DONE
        return exits.SOME_FAILED if self.counters.total("done") else exits.FAILED


def _itself(page: Loaded) -> Loaded:
    return page


def _is_fetched(source: Source) -> bool:
    return source.url is not None and source.error is None
