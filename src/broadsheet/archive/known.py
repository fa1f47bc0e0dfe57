"""What a batch has to know of what was kept before it."""

from typing import Protocol
from uuid import UUID

from broadsheet.archive.archive_records import PageRecord
from broadsheet.archive.catalogue import Kept, LastContent, Version


class Known(Protocol):
    """What a batch has to know of what was kept before it."""

    @property
    def archive(self) -> UUID:
        """The archive's id."""
        ...

    def admit(self, batch: object) -> None:
        """Refuse a change to a batch that is committed, or after which another was begun."""
        ...

    def next_visit(self) -> int:
        """Return a visit's id, greater than all before it."""
        ...

    def pages(self, keys: tuple[str, ...]) -> dict[str, PageRecord]:
        """Return pages as they are now."""
        ...

    def content(self, key: str) -> LastContent | None:
        """Return the last whole content of a page."""
        ...

    def uncommitted(self, key: str) -> LastContent | None:
        """Return the last whole content of a page if that is still in a batch."""
        ...

    def newest(self, key: str) -> Version | None:
        """Return the newest version of an article."""
        ...

    def kept(self, visit: int) -> Kept:
        """Return where and when a committed visit's answer was kept."""
        ...
