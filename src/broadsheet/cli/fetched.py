"""The URLs among the pages of a command, fetched together in one process and given in their order."""

from collections.abc import Generator, Sequence
from itertools import count
from types import TracebackType
from typing import Self

from broadsheet.base import advice
from broadsheet.base.errors import InputError
from broadsheet.base.manners import Manners
from broadsheet.cli.inputs import Loaded, Origin, checked
from broadsheet.crawling.crawl_errors import CrawlError, FetchError
from broadsheet.crawling.fetch_messages import Outcome
from broadsheet.crawling.fetching import fetch
from broadsheet.crawling.one_page import to_page


class Fetched:
    """Gives one page after the other; fetching begins with the first and ends when the `with` block is left."""

    def __init__(self, urls: Sequence[str | None], manners: Manners) -> None:
        """Remember what to fetch."""
        self._urls = [url for url in urls if url is not None]
        self._manners = manners
        self._outcomes: Generator[Outcome] | None = None
        self._early: dict[int, Outcome] = {}
        self._turns = count()
        self._broken = "was not fetched"

    def next(self, max_bytes: int) -> Loaded:
        """Return the next page, once it is there; what cannot be had or is not a page is refused."""
        turn = next(self._turns)
        outcome = self._outcome(turn)
        try:
            page = to_page(outcome)
        except FetchError as error:
            hint = advice.to_type(error.reason, error.url)
            raise InputError(f"{error.detail}; {hint}" if hint else error.detail) from error
        origin = Origin(self._urls[turn], page.url, fetched_at=page.fetched_at)
        return Loaded(origin, checked(page.content, max_bytes), page.content_type)

    def __enter__(self) -> Self:
        """Return what is fetched."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the fetching."""
        if self._outcomes is not None:
            self._outcomes.close()

    def _outcome(self, turn: int) -> Outcome:
        """Return what came of a URL; others that come earlier are kept for their turn."""
        if self._outcomes is None:
            self._outcomes = fetch(self._urls, self._manners)
        while turn not in self._early:
            try:
                outcome = next(self._outcomes)
            except CrawlError as error:
                self._broken = str(error)
            except StopIteration:
                break
            else:
                self._early[int(outcome.request.tag)] = outcome
        if turn not in self._early:
            raise InputError(self._broken)
        return self._early.pop(turn)
