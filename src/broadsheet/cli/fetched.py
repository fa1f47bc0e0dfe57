"""The URLs among the PAGE arguments, fetched concurrently and returned in order."""

from collections.abc import Generator, Sequence
from itertools import count

from broadsheet.base import advice
from broadsheet.base.closable import Closable
from broadsheet.base.errors import InputError
from broadsheet.base.manners import Manners
from broadsheet.cli.inputs import LoadedPage, Origin, checked
from broadsheet.crawling.crawl_errors import CrawlError, FetchError
from broadsheet.crawling.fetch_messages import Outcome
from broadsheet.crawling.fetching import fetch
from broadsheet.crawling.one_page import to_page


class FetchedPages(Closable):
    """Returns pages one by one; fetching starts with the first and stops at the end of the `with` block."""

    def __init__(self, urls: Sequence[str | None], manners: Manners) -> None:
        """Set the addresses to fetch, in order."""
        self._urls = [url for url in urls if url is not None]
        self._manners = manners
        self._outcomes: Generator[Outcome] | None = None
        self._early: dict[int, Outcome] = {}
        self._turns = count()
        self._fetcher_error = "was not fetched"

    def next(self, max_bytes: int) -> LoadedPage:
        """Wait for the next page and return it; raise `InputError` if it cannot be fetched or is not a page."""
        turn = next(self._turns)
        outcome = self._outcome(turn)
        try:
            page = to_page(outcome)
        except FetchError as error:
            hint = advice.to_type(error.reason, error.url)
            raise InputError(f"{error.detail}; {hint}" if hint else error.detail) from error
        origin = Origin(self._urls[turn], page.url, fetched_at=page.fetched_at)
        return LoadedPage(origin, checked(page.content, max_bytes), page.content_type)

    def close(self) -> None:
        """Stop fetching."""
        if self._outcomes is not None:
            self._outcomes.close()

    def _outcome(self, turn: int) -> Outcome:
        """Return the outcome for a URL; outcomes that arrive early are kept for their turn."""
        if self._outcomes is None:
            self._outcomes = fetch(self._urls, self._manners)
        while turn not in self._early:
            try:
                outcome = next(self._outcomes)
            except CrawlError as error:
                self._fetcher_error = str(error)
            except StopIteration:
                break
            else:
                self._early[int(outcome.request.tag)] = outcome
        if turn not in self._early:
            raise InputError(self._fetcher_error)
        return self._early.pop(turn)
