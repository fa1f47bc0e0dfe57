"""One page fetched politely, for a program that wants to read it now."""

from broadsheet.base import advice, reasons, statuses, urls
from broadsheet.base.fetched_page import FetchedPage
from broadsheet.base.manners import Manners
from broadsheet.crawling import fetching
from broadsheet.crawling.crawl_errors import CrawlError, FetchError
from broadsheet.crawling.fetch_messages import Failure, Outcome


def fetch(url: str, *, manners: Manners | None = None) -> FetchedPage:
    """Fetch one page, and return it with what `extract` needs to know: its address, content type and time.

    It respects robots.txt, retries after temporary failures, and refuses addresses outside the public internet;
    `manners` has the settings. A page that cannot be fetched raises a `FetchError`. The work happens in a child
    process, so you can call it from any thread and in a notebook. Each call asks for robots.txt again: for many pages
    of a site, use `broadsheet.Archive` or `crawling.fetching.fetch`.
    """
    wanted = urls.resolve(str(url), None)
    if wanted is None:
        raise FetchError(str(url), reasons.URL, "is not an http or https address (https://www.example.org/story)")
    try:
        [outcome] = fetching.fetch([wanted], manners or Manners())
    except CrawlError as error:
        raise CrawlError(f"{url}: {error}") from error
    try:
        return received(outcome)
    except FetchError as error:
        hint = advice.to_program(error.reason, error.url)
        raise FetchError(error.url, error.reason, f"{error.detail}; {hint}" if hint else error.detail) from error


def received(outcome: Outcome) -> FetchedPage:
    """Return the page that came of a request; what cannot be had, and what the server refused, raises."""
    url = outcome.request.url
    if isinstance(outcome, Failure):
        raise FetchError(url, outcome.reason, outcome.told)
    if statuses.is_error(outcome.status):
        reason = reasons.answered(outcome.status)
        raise FetchError(url, reason, str(reason))
    return FetchedPage(outcome.url, outcome.content, outcome.exchanges[-1].header("Content-Type"), outcome.at)
