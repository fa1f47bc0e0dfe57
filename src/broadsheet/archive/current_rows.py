"""The catalogue as its writer sees it: rows as they were committed, with the changes of the batches that are open."""

from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path
from typing import TypeVar

import pyarrow.dataset
from sqlalchemy import Connection

from broadsheet.archive import article_versions, catalogue, catalogued_files, visits
from broadsheet.archive.article_versions import LastChange, Version
from broadsheet.archive.batch import Batch
from broadsheet.archive.catalogue import Kept, LastContent
from broadsheet.archive.database import Database
from broadsheet.archive.front_records import FeedRecord, FrontRecord
from broadsheet.archive.page_records import NEVER_FETCHED, Membership, PageRecord, ScheduledPage
from broadsheet.archive.recent_rows import Memory
from broadsheet.archive.source_records import SourceRecord
from broadsheet.archive.visit_counts import BYTES_KEPT

T = TypeVar("T")


class CurrentRows:
    """Answers what is known now; nobody else writes, so what was read or committed lately is not read again."""

    def __init__(self, folder: Path, database: Database) -> None:
        """Begin without a batch."""
        self._folder = folder
        self._database = database
        #: In the order in which they were begun; only the last one can be added to.
        self._open: list[Batch] = []
        self._memory = Memory()

    def sources(self) -> list[SourceRecord]:
        """Return all sources."""
        found = {source.key: source for source in self._ask(catalogue.sources)}
        for batch in tuple(self._open):
            found.update(batch.changed_sources)
        return sorted(found.values(), key=lambda source: (source.added_at, source.key))

    def page(self, key: str) -> PageRecord | None:
        """Return a page, if it is known."""
        for batch in reversed(self._open):
            if key in batch.changed_pages:
                return batch.changed_pages[key]
        return self._memory.page(key) or self.pages((key,)).get(key)

    def pages(self, keys: Iterable[str]) -> dict[str, PageRecord]:
        """Return the pages of keys, those that are known."""
        wanted = list(keys)
        changed = {
            key: batch.changed_pages[key] for batch in tuple(self._open) for key in wanted if key in batch.changed_pages
        }
        known = self._memory.pages(key for key in wanted if key not in changed)
        missing = [key for key in wanted if key not in changed and key not in known]
        if missing:
            found = self._ask(lambda connection: catalogue.pages(connection, missing))
            self._memory.remember(found)
            known |= found
        return known | changed

    def members(self, source: str, keys: Iterable[str]) -> dict[str, Membership]:
        """Return which of some pages a source leads to, by their keys."""
        wanted = list(keys)
        changed = {
            key: batch.changed_members[source, key]
            for batch in tuple(self._open)
            for key in wanted
            if (source, key) in batch.changed_members
        }
        missing = [key for key in wanted if key not in changed]
        if not missing:
            return changed
        return self._ask(lambda connection: catalogue.members(connection, source, missing)) | changed

    def agenda(self, source: str) -> list[ScheduledPage]:
        """Return what is planned for a source, what is due first first."""
        found = {one.entry.page: one for one in self._ask(lambda connection: catalogue.agenda(connection, source))}
        for batch in tuple(self._open):
            for (its_source, key), entry in batch.changed_agenda.items():
                if its_source == source:
                    found.pop(key, None)
                    if entry is not None:
                        found[key] = ScheduledPage(entry, self.pages((key,))[key])
        return sorted(found.values(), key=lambda one: (one.entry.due, -one.entry.priority, one.entry.page))

    def feeds(self, source: str) -> dict[str, FeedRecord]:
        """Return the feeds of a source, good or bad, by their keys."""
        found = {feed.page: feed for feed in self._ask(lambda connection: catalogue.feeds(connection, source))}
        for batch in tuple(self._open):
            found.update((page, feed) for (own, page), feed in batch.changed_feeds.items() if own == source)
        return found

    def front_records(self, source: str) -> dict[str, FrontRecord]:
        """Return what is known of the fronts of a source, by their keys."""
        known = self._ask(lambda connection: catalogue.front_records(connection, source))
        found = {front.page: front for front in known}
        for batch in tuple(self._open):
            found.update((page, front) for (own, page), front in batch.changed_fronts.items() if own == source)
        return found

    def footprint(self, source: str, since: datetime) -> tuple[int, int, int]:
        """Return the committed pages of a source, how many are new since a moment, and the bytes received."""
        pages, new = self._ask(lambda connection: catalogue.page_counts(connection, source, since))
        counted = self._ask(lambda connection: catalogue.counters(connection, source))
        return pages, new, counted.total(BYTES_KEPT)

    def occurrences(self) -> pyarrow.dataset.Dataset:
        """Return the committed link occurrences; those of open batches are not among them."""
        return self._ask(lambda connection: catalogued_files.dataset(self._folder, connection, "occurrences"))

    def content(self, key: str) -> LastContent | None:
        """Return the last whole content of a page."""
        found = self.uncommitted(key)
        if found is not None:
            return found
        page = self.page(key)
        if page is None or page.fetch is NEVER_FETCHED:
            # Most visits are to new pages, which need not be looked up.
            return None
        if not self._memory.knows(key):
            self._memory.remember_content(key, self._ask(lambda connection: catalogue.content(connection, key)))
        return self._memory.content(key)

    def uncommitted(self, key: str) -> LastContent | None:
        """Return the last whole content of a page if that is still in a batch."""
        return next((found for batch in reversed(self._open) if (found := batch.changed_contents.get(key))), None)

    def newest(self, key: str) -> Version | None:
        """Return the newest version of an article."""
        for batch in reversed(self._open):
            if key in batch.newest:
                return batch.newest[key]
        return self._ask(lambda connection: article_versions.newest(connection, key))

    def last_change(self, key: str) -> LastChange | None:
        """Return when a committed article last changed."""
        return self._ask(lambda connection: article_versions.last_change(connection, key))

    def kept(self, visit: int) -> Kept:
        """Return where and when a committed visit's answer was kept."""
        return visits.kept(self._folder, self._ask, visit)

    def _ask(self, question: Callable[[Connection], T]) -> T:
        with self._database.glancing() as connection:
            return question(connection)

    def _remember(self, batch: Batch) -> None:
        self._memory.remember(batch.changed_pages)
        for key, content in batch.changed_contents.items():
            self._memory.remember_content(key, content)
