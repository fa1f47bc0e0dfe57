"""A fetched page, with the facts about its fetch that help to read it."""

from dataclasses import dataclass
from datetime import datetime

from broadsheet.base.errors import InputError


@dataclass(frozen=True, slots=True, repr=False)
class FetchedPage:
    """A page from the web, which you can pass to `extract`, `analyse`, `identify` or `parse`.

    `url` is its address after redirects. `content` is the page, decompressed; `content_type` is the header that came
    with it; `fetched_at` is the moment when the answer was complete.
    """

    url: str
    content: bytes
    content_type: str | None
    fetched_at: datetime

    def __post_init__(self) -> None:
        """Refuse a time without a UTC offset, which relative dates could not refer to."""
        if self.fetched_at.utcoffset() is None:
            raise InputError(f"fetched_at needs a UTC offset: {self.fetched_at.isoformat()} has none")

    def __repr__(self) -> str:
        """Summarise the response in one line, without the page itself."""
        at = self.fetched_at.isoformat(timespec="seconds")
        return f"FetchedPage({self.url!r}, {len(self.content):,} bytes, {self.content_type!r}, {at})"
