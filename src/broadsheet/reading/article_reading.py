"""From a page to its article, whatever the page is: `pages.extraction` asks that first."""

from datetime import datetime

from broadsheet.base.errors import InputError
from broadsheet.base.records import Article
from broadsheet.document import PageInput, parse
from broadsheet.reading.assembly import has_body, to_article
from broadsheet.reading.profiles import SiteProfile
from broadsheet.reading.readers import DEFAULT, read


def extract(  # noqa: PLR0913 - all that may be known of a page, each by its name
    page: PageInput,
    url: str | None = None,
    *,
    encoding: str | None = None,
    reader: str = DEFAULT,
    exact: bool = False,
    fetched_at: datetime | None = None,
    force: bool = False,
    profile: SiteProfile | None = None,
) -> Article | None:
    """Return the article of a page, whatever it is; None where it has no text of one, unless `force` asks for it.

    `exact` asks for the reader's published algorithm to the letter. `fetched_at`, an aware datetime, is what dates
    such as "two hours ago" are relative to; a `FetchedPage` brings its own. `profile` is what other pages of the
    site have in common.
    """
    check_time(fetched_at)
    document = parse(page, url, encoding=encoding)
    reading = read(document, reader, exact=exact, profile=profile)
    return to_article(document, reading, fetched_at or document.fetched_at) if force or has_body(reading) else None


def check_time(fetched_at: datetime | None) -> None:
    """Refuse a time that no date could be relative to."""
    if fetched_at is not None and fetched_at.utcoffset() is None:
        raise InputError(f"fetched_at needs an offset: {fetched_at.isoformat()} has none")
