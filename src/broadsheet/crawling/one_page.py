"""Fetch one page politely, and wait for it."""

from broadsheet.base import advice, reasons, statuses, urls
from broadsheet.base.fetched_page import FetchedPage
from broadsheet.base.manners import Manners
from broadsheet.crawling import fetching
from broadsheet.crawling.crawl_errors import CrawlError, FetchError
from broadsheet.crawling.fetch_messages import Failure, Outcome


def fetch(url: str, *, manners: Manners | None = None) -> FetchedPage:
    """Fetch one page and return it with what `extract` needs: its URL, content type and time.

    It respects robots.txt, retries after temporary failures, and refuses addresses outside the public internet;
    `manners` has the settings. A page that cannot be fetched raises a `FetchError`. The work happens in a child
    process, so you can call it from any thread and in a notebook. Each call asks for robots.txt again: for many pages
    of a site, use `broadsheet.Archive` or `crawling.fetching.fetch`.
    """
    wanted = urls.resolve(str(url), None)
    if wanted is None:
        raise FetchError(
            str(url), reasons.URL, "not an http or https URL (expected one like https://www.example.org/story)"
        )
    try:
        [outcome] = fetching.fetch([wanted], manners or Manners())
    except CrawlError as error:
        raise CrawlError(f"{url}: {error}") from error
    try:
        return to_page(outcome)
    except FetchError as error:
        hint = advice.to_program(error.reason, error.url)
        raise FetchError(error.url, error.reason, f"{error.detail}; {hint}" if hint else error.detail) from error


def to_page(outcome: Outcome) -> FetchedPage:
    """Return the page of an outcome; raise `FetchError` for a failure or an error status."""
    url = outcome.request.url
    if isinstance(outcome, Failure):
        raise FetchError(url, outcome.reason, outcome.message)
    if statuses.is_error(outcome.status):
        reason = reasons.answered(outcome.status)
        raise FetchError(url, reason, str(reason))
    return FetchedPage(outcome.url, outcome.content, outcome.exchanges[-1].header("Content-Type"), outcome.at)
