"""A page that came whole, as the archive keeps it."""

from dataclasses import replace

from broadsheet.archive import LinkRows, PageRecord, PageState
from broadsheet.base import urls
from broadsheet.crawling.fetch_messages import FetchAnswer
from broadsheet.newsroom.desk import Desk

#: What is sent back with every request must not be long, nor anything but text of one line.
MAX_VALIDATOR = 500


def keep_visit(
    desk: Desk,
    record: PageRecord,
    page: FetchAnswer,
    links: LinkRows | None = None,
    state: PageState = PageState.FETCHED,
) -> int:
    """Put a page into the batch with its bytes, its validators and what it links to; return the visit's number."""
    answer = page.exchanges[-1]
    # Validators speak of the address that gave them, which is another where the request was sent on.
    direct = len(page.exchanges) == 1 and urls.normalise(record.url) == urls.normalise(page.url)
    desk.batch.page(
        replace(
            record,
            state=state,
            attempts=0,
            fetched_at=page.at,
            etag=_validator(answer.header("etag")) if direct else None,
            last_modified=_validator(answer.header("last-modified")) if direct else None,
        )
    )
    return desk.batch.visit(page_key=record.key, url=page.url, exchanges=page.exchanges, links=links)


def _validator(value: str | None) -> str | None:
    sound = value is not None and len(value) <= MAX_VALIDATOR and value.isprintable()
    return value if sound else None
