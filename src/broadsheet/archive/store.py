"""An archive: a folder that keeps what was fetched, what it linked to and what was read in it."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import datetime
from functools import partial
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

import pyarrow.dataset
from sqlalchemy import Connection

from broadsheet.archive import (
    catalogue,
    event_log,
    incidents,
    layout,
    lease,
    merge_policy,
    search,
    visits,
    warc_reading,
)
from broadsheet.archive import check as checking
from broadsheet.archive import status as standing
from broadsheet.archive.archive_errors import ArchiveError, DamagedRow
from broadsheet.archive.archive_records import (
    ArchiveEvent,
    EventKind,
    FeedRecord,
    PageRecord,
    RecordPlace,
    ScheduledPage,
    SourceRecord,
    StoredArticle,
)
from broadsheet.archive.database import Database
from broadsheet.archive.durable_files import Announce
from broadsheet.archive.problem import Problem
from broadsheet.archive.writer import Writer, open_writer
from broadsheet.base import urls
from broadsheet.base.clock import Clock, SystemClock
from broadsheet.base.counters import Counters
from broadsheet.base.exchange import Exchange
from broadsheet.base.incident import Incident
from broadsheet.base.moments import Moment, to_utc
from broadsheet.base.records import Verdict

#: So many articles are in memory while a caller goes through them.
ARTICLES_AT_ONCE = 100

T = TypeVar("T")


def _silent(step: str) -> None:
    del step


class Store:
    """What is kept, for reading by any number of processes; `writer` is for the one that adds to it."""

    def __init__(self, folder: Path, database: Database) -> None:
        """Read an archive that was opened; `Store.open` does that."""
        self.folder = folder
        self._database = database
        self.id = self._ask(lambda connection: layout.identity(folder, connection))

    @classmethod
    def open(cls, folder: Path | str, *, create: bool = False, clock: Clock | None = None) -> Self:
        """Open the archive in a folder, or make the folder one if asked to."""
        place = Path(folder)
        if create and (not layout.is_there(place) or layout.is_begun(place)):
            layout.require_no_files(place)
            layout.create(place, clock or SystemClock())
        layout.require(place)
        layout.upgrade(place)
        database = Database(place)
        try:
            return cls(place, database)
        except BaseException:
            database.close()
            raise

    def __enter__(self) -> Self:
        """Give the archive, which is open already."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the archive."""
        self.close()

    def close(self) -> None:
        """Let go of the catalogue."""
        self._database.close()

    def writer(  # noqa: PLR0913 - each by its name
        self,
        *,
        clock: Clock | None = None,
        on_step: Announce = _silent,
        machine: Clock | None = None,
        most_files: int = merge_policy.MOST_FILES,
        full_bytes: int = merge_policy.FULL_BYTES,
        shard: int = 0,
    ) -> Writer:
        """Give the one writer of a shard: it holds the lease until it is closed, and begins by sweeping leftovers.

        `clock` dates commits, and may be a simulated one; `machine` dates the lease, which processes on other
        machines compare with their own time, and the removal of files that were merged. `on_step` is told every step's
        name (`STEPS`) as it is reached, also by a heartbeat. Neighbouring files are merged when there are more than
        `most_files` of similar size, and left alone from `full_bytes` of WARC on.
        """
        wall = SystemClock()
        return open_writer(
            self.folder,
            self.id,
            shard=shard,
            clock=clock or wall,
            machine=machine or wall,
            announce=on_step,
            most_files=most_files,
            full_bytes=full_bytes,
        )

    def unlock(self, *, force: bool = False) -> lease.Lease | None:
        """Take the lease from a writer that is dead, and return who held it; `force` is for other machines' writers."""
        database = Database(self.folder, writable=True)
        try:
            with database.writing() as connection:
                return lease.unlock(connection, lease.mine(SystemClock().now()), force=force)
        finally:
            database.close()

    def sources(self) -> list[SourceRecord]:
        """Return all sources, in the order they were added."""
        return self._ask(catalogue.sources)

    def find_source(self, address: str) -> SourceRecord:
        """Return the source of an address or key."""
        known = {source.key: source for source in self.sources()}
        found = known.get(address) or known.get(urls.key(address))
        if found is None:
            names = ", ".join(known) or "none"
            raise ArchiveError(f"{self.folder}: does not follow {address}; its sources are {names}")
        return found

    def pages(self, keys: Iterable[str]) -> dict[str, PageRecord]:
        """Return the pages of keys, those that are known."""
        return self._ask(lambda connection: catalogue.pages(connection, keys))

    def agenda(self, source: str) -> list[ScheduledPage]:
        """Return the visits that are planned for a source, what is due first first."""
        key = self.find_source(source).key
        return self._ask(lambda connection: catalogue.agenda(connection, key))

    def sections(self, source: str | None = None) -> list[ScheduledPage]:
        """Return the pages that are visited again and again, of one source or of all: home pages and sections."""
        key = self._key(source)
        return self._ask(lambda connection: catalogue.sections(connection, key))

    def feeds(self, source: str | None = None) -> list[FeedRecord]:
        """Return the feeds and sitemaps that were found, of one source or of all, good or bad."""
        key = self._key(source)
        return self._ask(lambda connection: catalogue.feeds(connection, key))

    def sources_of(self, url: str) -> list[str]:
        """Return the keys of the sources that lead to the page at an address."""
        return self._ask(lambda connection: catalogue.sources_of(connection, urls.key(url)))

    def articles(  # noqa: PLR0913 - each a way to select
        self,
        since: Moment | None = None,
        source: str | None = None,
        limit: int | None = None,
        *,
        until: Moment | None = None,
        words: Sequence[str] = (),
        on_damage: catalogue.OnDamage | None = None,
    ) -> Iterator[StoredArticle]:
        """Give the newest version of every article, the newest article first.

        An article's moment is when the page says it was published, or else when it was first fetched; `since`
        leaves out what is older, and `until` what is of that moment or newer. `words` leaves out articles that lack
        one of them in title and body, in whatever case. A damaged row raises `DamagedRow`, or is passed to `on_damage`
        and left out.
        """
        first, last = (None if moment is None else to_utc(moment) for moment in (since, until))
        return self._articles(first, last, self._key(source), limit, words, on_damage)

    def _articles(  # noqa: PLR0913, PLR0917 - each a way to select
        self,
        since: datetime | None,
        until: datetime | None,
        source: str | None,
        limit: int | None,
        words: Sequence[str],
        on_damage: catalogue.OnDamage | None,
    ) -> Iterator[StoredArticle]:
        has_words = search.finder(words)
        numbers = self._ask(lambda connection: catalogue.article_rows(connection, since, source, until=until))
        found = self._stored(numbers, on_damage)
        wanted = (stored for stored in found if has_words(stored.article)) if words else found
        yield from islice(wanted, limit)

    def _stored(self, numbers: Sequence[int], on_damage: catalogue.OnDamage | None) -> Iterator[StoredArticle]:
        """Give the articles in rows of the catalogue; no transaction is open while a caller works with one of them."""
        for start in range(0, len(numbers), ARTICLES_AT_ONCE):
            some = numbers[start : start + ARTICLES_AT_ONCE]
            for read in self._ask(partial(catalogue.articles, numbers=some)):
                if not isinstance(read, DamagedRow):
                    yield read.stored
                elif on_damage is None:
                    raise read
                else:
                    on_damage(read)

    def arrivals(self, after: int = 0) -> list[StoredArticle]:
        """Return what visits after one have brought, in the order of the visits."""
        return self._ask(lambda connection: catalogue.arrivals(connection, after))

    def last_visit(self) -> int:
        """Return the last visit that was committed, 0 where there is none."""
        return self._ask(lambda connection: catalogue.last_visit(connection, 0))

    def versions(self, key: str) -> list[StoredArticle]:
        """Return all versions of an article, the oldest first."""
        return self._ask(lambda connection: catalogue.versions(connection, key))

    def verdict(self, url: str) -> Verdict | None:
        """Say what the page at an address is, if it was judged."""
        key = urls.key(url)
        page = self.pages((key,)).get(key)
        return page.verdict if page else None

    def status(self) -> standing.Status:
        """Say how the archive stands."""
        observer = lease.mine(SystemClock().now())
        return self._ask(lambda connection: standing.status(self.folder, connection, observer))

    def failing(self) -> dict[str, Incident]:
        """Return the sources, by their keys, whose home page did not come the last time it was asked for, and why."""
        return self._ask(incidents.failing)

    def events(
        self,
        after: int = 0,
        *,
        kinds: Collection[EventKind] = (),
        source: str | None = None,
        url: str | None = None,
        limit: int | None = None,
    ) -> list[ArchiveEvent]:
        """Return what happened after an event: articles that came, changed or went, and sections and sources."""
        key, page = self._key(source), None if url is None else urls.key(url)
        return self._ask(
            lambda connection: event_log.events(
                connection, after=after, kinds=kinds, source=key, page=page, limit=limit
            )
        )

    @property
    def counters(self) -> Counters:
        """What was counted, over all sources and commits."""
        return self._ask(catalogue.counters)

    def visits(self) -> pyarrow.dataset.Dataset:
        """Return all committed visits."""
        return self._dataset("visits")

    def occurrences(self) -> pyarrow.dataset.Dataset:
        """Return all committed link occurrences; a visit with `same_as` has those of that visit."""
        return self._dataset("occurrences")

    def last_links(self, page: str) -> list[tuple[str, str, str | None]]:
        """Return key, address and text of each link of a page when it was last fetched whole, in page order."""
        content = self._ask(lambda connection: catalogue.content(connection, page))
        return visits.links(self.folder, self._ask, content.visit) if content else []

    def exchange(self, kept: StoredArticle | RecordPlace | int) -> Exchange:
        """Read back what was fetched: for an article, at a place, or in a visit, whose body may lie with another."""
        if isinstance(kept, int):
            return warc_reading.visit(self.folder, self._ask, kept)
        place = kept.place if isinstance(kept, StoredArticle) else kept
        return warc_reading.wherever(self.folder, self._ask, place)

    def locate(self, place: RecordPlace) -> RecordPlace | None:
        """Return where a record lies now whose WARC file was merged into another; None where it was not."""
        return self._ask(partial(catalogue.moved, place=place))

    def warcs(self) -> list[Path]:
        """Return the committed WARC files, the oldest first."""
        return [self.folder / "warc" / place.warc for place in self.warc_places()]

    def warc_places(self) -> list[RecordPlace]:
        """Return all bytes of the committed WARC files, the oldest first; `locate` finds them after a merging."""
        return [RecordPlace(file.name, 0, file.size) for file in self._files("warc")]

    def check(self) -> Iterator[Problem]:
        """Give all that is wrong with the archive; nothing, if it is clean."""
        is_written_to = self._holder() is not None
        return checking.check(self.folder, self._ask, is_written_to=is_written_to)

    def _holder(self) -> lease.Lease | None:
        """Return who is writing, as far as this machine can tell."""
        try:
            observer = lease.mine(SystemClock().now())
            return self._ask(lambda connection: next(iter(lease.writers(connection, observer)), None))
        except ArchiveError:
            # A check goes on to say what is wrong with the catalogue.
            return None

    def _key(self, source: str | None) -> str | None:
        return None if source is None else self.find_source(source).key

    def _dataset(self, kind: str) -> pyarrow.dataset.Dataset:
        return self._ask(lambda connection: catalogue.dataset(self.folder, connection, kind))

    def _files(self, kind: str) -> list[catalogue.FileRow]:
        return self._ask(lambda connection: catalogue.files(connection, kind))

    def _ask(self, question: Callable[[Connection], T]) -> T:
        with self._database.reading() as connection:
            return question(connection)
