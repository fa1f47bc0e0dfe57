"""What a writer has read or committed lately: nobody else writes, so it need not be asked for again."""

from collections.abc import Iterable, Mapping

from broadsheet.archive.archive_records import PageRecord
from broadsheet.archive.catalogue import LastContent

#: A page takes about a kilobyte.
MOST_PAGES = 50_000


class Memory:
    """The pages and contents of the catalogue as they were last seen there; when it is full it begins anew."""

    def __init__(self, most: int = MOST_PAGES) -> None:
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
        if len(self._pages) + len(pages) > self._most:
            self._pages.clear()
        self._pages.update(pages)

    def knows(self, key: str) -> bool:
        """Say whether it is remembered what content a page has, or that it has none."""
        return key in self._contents

    def content(self, key: str) -> LastContent | None:
        """Return the content that is remembered."""
        return self._contents[key]

    def remember_content(self, key: str, content: LastContent | None) -> None:
        """Keep what content a page has in the catalogue, or that it has none."""
        if len(self._contents) >= self._most:
            self._contents.clear()
        self._contents[key] = content
