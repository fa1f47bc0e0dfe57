"""An archive: a folder that keeps what was fetched, what it linked to and what was read in it."""

import logging
import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

import pyarrow.dataset
from sqlalchemy import Connection

from broadsheet.archive import (
    article_rows,
    catalogue,
    event_log,
    incidents,
    layout,
    lease,
    merge_policy,
    page_lookup,
    text_index,
    visits,
    warc_reading,
)
from broadsheet.archive import check as checking
from broadsheet.archive import status as standing
from broadsheet.archive.archive_errors import ArchiveError, DamagedRow
from broadsheet.archive.archive_records import (
    ArchiveEvent,
    EventKind,
    Membership,
    PageRecord,
    RecordPlace,
    ScheduledPage,
    SourceRecord,
    StoredArticle,
)
from broadsheet.archive.article_filter import ArticleFilter
from broadsheet.archive.database import Database
from broadsheet.archive.durable_files import Announce
from broadsheet.archive.page_history import PageHistory
from broadsheet.archive.problem import Problem
from broadsheet.archive.writer import Writer, open_writer
from broadsheet.base import urls
from broadsheet.base.clock import Clock, SystemClock
from broadsheet.base.counters import Counters
from broadsheet.base.exchange import Exchange
from broadsheet.base.incident import Incident
from broadsheet.base.moments import Moment, to_utc
from broadsheet.base.records import Verdict
from broadsheet.base.search_query import SearchQuery

#: So many articles are in memory while a caller goes through them.
ARTICLES_AT_ONCE = 100

T = TypeVar("T")

_log = logging.getLogger(__name__)


def _query(text: str | None) -> SearchQuery | None:
    return SearchQuery.parse(text) if text else None


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

    def sources_of(self, url: str) -> list[str]:
        """Return the keys of the sources that lead to the page at an address."""
        return self._ask(lambda connection: catalogue.sources_of(connection, urls.key(url)))

    def found(self, url: str) -> list[Membership]:
        """Return on which page each source found the page at an address, the first one first."""
        return self._ask(lambda connection: catalogue.memberships(connection, urls.key(url)))

    def articles(  # noqa: PLR0913 - each a way to select
        self,
        since: Moment | None = None,
        source: str | None = None,
        limit: int | None = None,
        *,
        until: Moment | None = None,
        words: Sequence[str] = (),
        section: str | None = None,
        author: str | None = None,
        language: str | None = None,
        tag: str | None = None,
        best_first: bool = False,
        on_damage: catalogue.OnDamage | None = None,
    ) -> Iterator[StoredArticle]:
        """Give the newest version of every article, the newest article first.

        An article's moment is when the page says it was published, or else when it was first fetched; `since`
        leaves out what is older, and `until` what is of that moment or newer. `words` leaves out articles that lack
        one of them in title and body, in whatever case, with or without accents: words, "a phrase", begin*, -not. With
        `best_first` those come first that match them best. `section` is the address of a page that led to the article,
        or a name as the article gives it; `tag` is one that the user gave to its source. A damaged row raises
        `DamagedRow`, or is passed to `on_damage` and left out.
        """
        first, last = (None if moment is None else to_utc(moment) for moment in (since, until))
        front = None if section is None else self._front(section)
        choice = ArticleFilter(
            since=first,
            until=last,
            sources=self._sources(source, tag),
            found_on=front,
            query=_query(" ".join(words)),
            author=_query(author),
            section=_query(section) if front is None else None,
            language=_query(language),
        )
        return self._articles(choice, limit, on_damage, best_first=best_first)

    def refresh_index(
        self, progress: text_index.IndexProgress = text_index.unheard, *, most: int | None = None
    ) -> bool:
        """Bring the index of words up to date, by at most so many articles, and return whether it is.

        A search does that by itself; what takes long can be done before, and `progress` hears of it.
        """
        return self._index().refresh(progress, most)

    @property
    def has_index(self) -> bool:
        """Whether somebody has searched this archive, so that there is an index of words."""
        return self._index().path.exists()

    def _articles(
        self, choice: ArticleFilter, limit: int | None, on_damage: catalogue.OnDamage | None, *, best_first: bool
    ) -> Iterator[StoredArticle]:
        expression = choice.expression()
        if expression is None:
            numbers = self._ask(lambda connection: article_rows.article_rows(connection, choice, limit))
            yield from self._stored(numbers, on_damage)
        elif self._can_search():
            found = self._best if best_first else self._newest
            yield from self._stored(found(choice, expression, limit), on_damage)
        else:
            numbers = self._ask(lambda connection: article_rows.article_rows(connection, choice))
            every = self._stored(numbers, on_damage)
            yield from islice((stored for stored in every if choice.matches(stored.article)), limit)

    def _can_search(self) -> bool:
        """Bring the index up to date; where that is impossible, articles are read one by one instead."""
        index = self._index()
        if not os.access(self.folder, os.W_OK):
            return index.is_current()
        try:
            return index.refresh()
        except ArchiveError as error:
            _log.warning("the articles are searched without an index, which takes longer: %s", error)
            return False

    def _newest(self, choice: ArticleFilter, expression: str, limit: int | None) -> Sequence[int]:
        matching = self._index().find(expression)
        return self._ask(lambda connection: article_rows.among(connection, choice, matching, limit))

    def _best(self, choice: ArticleFilter, expression: str, limit: int | None) -> Sequence[int]:
        most = max(2 * (limit or 0), ARTICLES_AT_ONCE) if limit is not None else sys.maxsize
        while True:
            ranked = self._index().best(expression, most)
            chosen = frozenset(self._ask(partial(article_rows.among, choice=choice, numbers=ranked)))
            if len(ranked) < most or len(chosen) >= (limit or 0) or most >= text_index.MOST_RANKED:
                return [number for number in ranked if number in chosen][:limit]
            most *= 4

    def _index(self) -> text_index.TextIndex:
        return text_index.TextIndex(self.folder, str(self.id), self._ask)

    def _front(self, section: str) -> str | None:
        """Return the key of a page that was named as a section, if there is one."""
        key = urls.key(section)
        return key if key in self.pages((key,)) else None

    def _sources(self, source: str | None, tag: str | None) -> tuple[str, ...] | None:
        """Return the keys of the sources that were named or have a tag; None if that is all."""
        if source is None and tag is None:
            return None
        named = self.sources() if source is None else [self.find_source(source)]
        return tuple(each.key for each in named if tag is None or tag in each.settings.tags)

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

    def why(self, url: str) -> PageHistory:
        """Return all that is known of the page at an address: why it is archived, or why it is not."""
        return page_lookup.look_up(self.folder, self._ask, url)

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
        return checking.check(self.folder, self._ask, str(self.id), is_written_to=is_written_to)

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
