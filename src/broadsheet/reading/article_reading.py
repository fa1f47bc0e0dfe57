"""Extract the article of a page without classifying the page first, as `pages.extraction` does."""

from datetime import datetime
from pathlib import Path

from broadsheet.base.errors import InputError
from broadsheet.base.records import Article, Verdict
from broadsheet.document import PageInput, parse
from broadsheet.reading.assembly import has_body, to_article
from broadsheet.reading.profiles import SiteProfile
from broadsheet.reading.readers import DEFAULT, read


def extract(  # noqa: PLR0913 - optional keywords
    page: PageInput,
    url: str | None = None,
    *,
    encoding: str | None = None,
    reader: str = DEFAULT,
    exact: bool = False,
    fetched_at: datetime | None = None,
    force: bool = False,
    profile: SiteProfile | None = None,
    model: Path | None = None,
    verdict: Verdict | None = None,
) -> Article | None:
    """Return the article of any kind of page, or None if it has no article text and `force` is not set.

    `exact` runs the reader's algorithm exactly as published. `fetched_at`, an aware datetime, is the reference for
    dates such as "two hours ago"; a `FetchedPage` brings its own. `profile` holds what the pages of the site have in
    common. `model` is the path of a model that `broadsheet train` wrote; it replaces the reader. `verdict` is what the
    page was classified as, for the article to say.
    """
    check_time(fetched_at)
    document = parse(page, url, encoding=encoding)
    reading = read(document, reader, exact=exact, profile=profile, model=model)
    if not force and not has_body(document, reading):
        return None
    zones = profile.zones if profile else ()
    return to_article(document, reading, fetched_at or document.fetched_at, verdict, zones)


def check_time(fetched_at: datetime | None) -> None:
    """Raise if a time has no UTC offset, because relative dates could not be resolved against it."""
    if fetched_at is not None and fetched_at.utcoffset() is None:
        raise InputError(f"fetched_at needs a UTC offset: pass {fetched_at.isoformat()} with a tzinfo")
