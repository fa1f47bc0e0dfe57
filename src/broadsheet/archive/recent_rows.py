"""What a writer has read or committed lately: nobody else writes, so it need not be asked for again."""

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import TypeVar

from broadsheet.archive.catalogue import LastContent
from broadsheet.archive.page_records import PageRecord

T = TypeVar("T")

#: A page with its verdict takes about three kilobytes, measured with `tracemalloc`.
MAX_PAGES = 10_000


class Memory:
    """The pages and contents of the catalogue as they were last seen there; when it is full, the older half goes."""

    def __init__(self, most: int = MAX_PAGES) -> None:
        """Remember nothing yet."""
        self._most = most
        self._pages: dict[str, PageRecord] = {}
        self._contents: dict[str, LastContent | None] = {}

    def page(self, key: str) -> PageRecord | None:
        """Return a page, if it is remembered."""
        return self._pages.get(key)

    def pages(self, keys: Iterable[str]) -> dict[str, PageRecord]:
        """Return the pages of keys, those that are remembered."""
        return {key: self._pages[key] for key in keys if key in self._pages}

    def remember(self, pages: Mapping[str, PageRecord]) -> None:
        """Keep pages as the catalogue has them."""
        _make_room(self._pages, self._most)
        for key, page in pages.items():
            # At the end, where what was seen last is.
            self._pages.pop(key, None)
            self._pages[key] = page

    def knows(self, key: str) -> bool:
        """Say whether it is remembered what content a page has, or that it has none."""
        return key in self._contents

    def content(self, key: str) -> LastContent | None:
        """Return the content that is remembered."""
        return self._contents[key]

    def remember_content(self, key: str, content: LastContent | None) -> None:
        """Keep what content a page has in the catalogue, or that it has none."""
        _make_room(self._contents, self._most)
        self._contents.pop(key, None)
        self._contents[key] = content


def _make_room(remembered: dict[str, T], most: int) -> None:
    """Forget the older half of what is remembered, if that is too much."""
    if len(remembered) >= most:
        for key in list(islice(remembered, len(remembered) // 2 + 1)):
            del remembered[key]
