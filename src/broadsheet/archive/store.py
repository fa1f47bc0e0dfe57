"""An archive: a folder that keeps what was fetched, what it linked to and what was read in it."""

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

import pyarrow.dataset
from sqlalchemy import Connection

from broadsheet.archive import (
    article_versions,
    catalogue,
    catalogued_files,
    deliveries,
    event_log,
    forgetting,
    health,
    incidents,
    layout,
    lease,
    likeness_index,
    linking_visits,
    merge_policy,
    orders,
    page_lookup,
    parquet_files,
    reread_candidates,
    seal,
    text_index,
    tombstones,
    visits,
    warc_reading,
)
from broadsheet.archive import check as checking
from broadsheet.archive import status as standing
from broadsheet.archive.archive_errors import ArchiveError
from broadsheet.archive.article_filter import ArticleFilter
from broadsheet.archive.article_records import NearDuplicate, RecordPlace, StoredArticle
from broadsheet.archive.article_search import ArticleSearch
from broadsheet.archive.database import Database
from broadsheet.archive.discoveries import Discovery, discoveries
from broadsheet.archive.durable_files import Announce
from broadsheet.archive.event_records import DEPARTURES, ArchiveEvent, EventKind, RereadRecord, Tombstone
from broadsheet.archive.forgetting import ForgetPlan
from broadsheet.archive.front_records import FeedRecord, FrontRecord
from broadsheet.archive.keep_ages import KeepRules
from broadsheet.archive.linking_visits import LinkingVisit
from broadsheet.archive.page_history import PageHistory
from broadsheet.archive.page_records import Membership, PageRecord, ScheduledPage, VerdictRecord
from broadsheet.archive.problem import Problem
from broadsheet.archive.reread_candidates import RereadCandidate, RereadSelection
from broadsheet.archive.source_records import Order, OrderKind, SourceRecord
from broadsheet.archive.tidy_plan import TidyPlan, tidy_plan
from broadsheet.archive.writer import Writer, open_writer
from broadsheet.base import urls
from broadsheet.base.clock import Clock, SystemClock
from broadsheet.base.counters import Counters
from broadsheet.base.exchange import Exchange
from broadsheet.base.incident import Incident
from broadsheet.base.keep_rules import KEEP_EVERYTHING, KeepRule
from broadsheet.base.moments import Moment, to_utc
from broadsheet.base.records import Kind, Verdict
from broadsheet.base.search_query import SearchQuery

T = TypeVar("T")

_log = logging.getLogger(__name__)


def _query(text: str | None) -> SearchQuery | None:
    return SearchQuery.parse(text) if text else None


def _silent(step: str) -> None:
    del step


def _first_of_each_story(articles: Iterable[StoredArticle]) -> Iterator[StoredArticle]:
    told: set[str] = set()
    for stored in articles:
        story = stored.story or stored.key
        if story not in told:
            told.add(story)
            yield stored


class Store:
    """What is kept, for reading by any number of processes; `writer` is for the one that adds to it."""

    def __init__(self, folder: Path, database: Database) -> None:
        """Read an archive that was opened; `Store.open` does that."""
        self.folder = folder
        self._database = database
        self.id = self._ask(lambda connection: layout.identity(folder, connection))
        self._search = ArticleSearch(folder, str(self.id), self._ask)

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

    def place(self, order: Order) -> tuple[Order, lease.Lease] | None:
        """Leave an order for whoever writes, and return it with its number and who that is; None if nobody writes.

        An order to stop is for the one who writes now, and for nobody after that.
        """
        database = Database(self.folder, writable=True)
        try:
            with database.writing() as connection:
                # While this transaction is open, the writer cannot end and seal the catalogue.
                holder = next(iter(lease.writers(connection, lease.mine(SystemClock().now()))), None)
                if holder is None:
                    return None
                if order.what is OrderKind.STOP:
                    order = replace(order, values={**order.values, "holder": holder.holder})
                return replace(order, id=orders.place(connection, order)), holder
        finally:
            database.close()

    def order(self, number: int) -> Order:
        """Return the order of a number, and what became of it."""
        found = self._ask(lambda connection: orders.find(connection, number))
        if found is None:
            raise ArchiveError(f"{self.folder}: there is no order {number}")
        return found

    def holder(self) -> lease.Lease | None:
        """Return who is writing, as far as this machine can tell."""
        observer = lease.mine(SystemClock().now())
        return self._ask(lambda connection: next(iter(lease.writers(connection, observer)), None))

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

    def page_keys(self, *, source: str | None = None, kind: Kind | None = None) -> set[str]:
        """Return the keys of the pages that a source leads to and that are of a kind; home pages are sections."""
        key = self._key(source)
        return self._ask(lambda connection: catalogue.page_keys(connection, key, kind))

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

    def front_records(self, source: str | None = None) -> list[FrontRecord]:
        """Return what is known of the fronts of one source, given by address or key, or of all."""
        key = self._key(source)
        return self._ask(lambda connection: catalogue.front_records(connection, key))

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
        is_revised: bool = False,
        similar_to: str | None = None,
        distinct: bool = False,
        on_damage: article_versions.OnDamage | None = None,
    ) -> Iterator[StoredArticle]:
        """Give the newest version of every article, the newest article first.

        An article's moment is when the page says it was published, or else when it was first fetched; `since`
        leaves out what is older, and `until` what is of that moment or newer. `words` leaves out articles that lack
        one of them in title and body, in whatever case, with or without accents: words, "a phrase", begin*, -not. With
        `best_first` those come first that match them best. `section` is the address of a page that led to the article,
        or a name as the article gives it; `tag` is one that the user gave to its source. `similar_to` leaves out all
        but the near-duplicates of the article at an address, and `distinct` all but the first of each story. With
        `is_revised` only articles are given that have more than one version, the one that changed last first. A
        damaged row raises `DamagedRow`, or is passed to `on_damage` and left out.
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
            keys=None if similar_to is None else frozenset(near.key for near in self.near_duplicates(similar_to)),
            is_revised=is_revised,
        )
        if not distinct:
            return self._search.articles(choice, limit, on_damage, best_first=best_first)
        every = self._search.articles(choice, None, on_damage, best_first=best_first)
        return islice(_first_of_each_story(every), limit)

    def refresh_index(
        self, progress: text_index.IndexProgress = text_index.unheard, *, most: int | None = None
    ) -> bool:
        """Bring the index of words up to date, by at most so many articles, and return whether it is.

        A search does that by itself; what takes long can be done before, and `progress` hears of it.
        """
        return self._search.index.refresh(progress, most)

    @property
    def has_index(self) -> bool:
        """Whether somebody has searched this archive, so that there is an index of words."""
        return self._search.index.path.exists()

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

    def near_duplicates(self, url: str) -> list[NearDuplicate]:
        """Return the articles that tell the story of the one at an address, the most similar first."""
        key = urls.key(url)
        return self._ask(lambda connection: likeness_index.near_duplicates(connection, key))

    def revised(  # noqa: PLR0913 - each a way to select
        self,
        since: Moment | None = None,
        source: str | None = None,
        limit: int | None = None,
        *,
        until: Moment | None = None,
        words: Sequence[str] = (),
        on_damage: article_versions.OnDamage | None = None,
    ) -> Iterator[StoredArticle]:
        """Give the newest version of every article that has more than one, the one that changed last first.

        The arguments select as those of `articles` do.
        """
        return self.articles(since, source, limit, until=until, words=words, is_revised=True, on_damage=on_damage)

    def departures(self, source: str | None = None) -> dict[str, ArchiveEvent]:
        """Return how each article went that was deleted or moved and has not returned, by its key."""
        newest = {event.page: event for event in self.events(kinds=DEPARTURES | {EventKind.RETURN}, source=source)}
        return {page: event for page, event in newest.items() if event.kind in DEPARTURES}

    def arrivals(self, after: int = 0) -> list[StoredArticle]:
        """Return what visits after one have brought, in the order of the visits."""
        return self._ask(lambda connection: article_versions.arrivals(connection, after))

    def discoveries(self, source: str, since: datetime) -> list[Discovery]:
        """Return the articles of a source that were found since a moment, and the pages that led to them."""
        return self._ask(lambda connection: discoveries(connection, source, since))

    def last_visit(self) -> int:
        """Return the last visit that was committed, 0 where there is none."""
        return self._ask(lambda connection: catalogue.last_visit(connection, 0))

    def versions(self, key: str) -> list[StoredArticle]:
        """Return all versions of an article, the oldest first.

        One with `reread_at` is not a revision by the publisher: the page of an earlier visit was read again then, by
        the model that it names.
        """
        return self._ask(lambda connection: article_versions.versions(connection, key))

    def last_version(self, key: str) -> StoredArticle | None:
        """Return the newest version of an article, None where there is no such article."""
        return self._ask(lambda connection: article_versions.last_version(connection, key))

    def verdict(self, url: str) -> Verdict | None:
        """Say what the page at an address is, if it was judged."""
        key = urls.key(url)
        page = self.pages((key,)).get(key)
        return page.verdict if page else None

    def earlier_verdicts(self, url: str) -> list[VerdictRecord]:
        """Return the verdicts on the page at an address that reading it again has replaced, the oldest first."""
        return self._ask(lambda connection: reread_candidates.earlier_verdicts(connection, urls.key(url)))

    def reread(self, name: str) -> RereadRecord | None:
        """Return a run over the archived pages by its name."""
        return self._ask(lambda connection: reread_candidates.find_reread(connection, name))

    def reread_candidates(self, selection: RereadSelection, after: str = "") -> tuple[int, Iterator[RereadCandidate]]:
        """Return how many pages can be read again after one, and give them in the order of their keys."""
        number = self._ask(lambda connection: reread_candidates.count(connection, selection, after))
        return number, reread_candidates.candidates(self._ask, selection, after)

    def why(self, url: str) -> PageHistory:
        """Return all that is known of the page at an address: why it is archived, or why it is not."""
        return page_lookup.look_up(self.folder, self._ask, url)

    def status(self) -> standing.Status:
        """Say how the archive stands."""
        observer = lease.mine(SystemClock().now())
        return self._ask(lambda connection: standing.status(self.folder, connection, observer))

    def ailments(self, now: datetime | None = None) -> list[health.Ailment]:
        """Return what is wrong with the sources that are followed: late, failing, or silent for unusually long."""
        moment = now or SystemClock().now()
        return self._ask(lambda connection: health.ailments(connection, moment))

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

    def tombstones(self) -> list[Tombstone]:
        """Return the pages and sources that were forgotten."""
        return self._ask(tombstones.stored)

    def plan_forgetting(self, *targets: str, because: str = "", now: datetime | None = None) -> ForgetPlan:
        """Return what `Writer.forget` would take away: pages and sources, given by address or key."""
        at = now or SystemClock().now()
        return self._ask(lambda connection: forgetting.plan(self.folder, connection, targets, because, at))

    def plan_tidying(
        self, default: KeepRule = KEEP_EVERYTHING, now: datetime | None = None, max_bytes: int = 0
    ) -> TidyPlan:
        """Return what `Writer.tidy` would remove by the rules of the sources, or else by the default."""
        at = now or SystemClock().now()
        rules = KeepRules.of(self.sources(), default)
        return self._ask(lambda connection: tidy_plan(self.folder, connection, rules, at, max_bytes=max_bytes))

    def last_event(self) -> int:
        """Return the id of the newest event, 0 where there is none."""
        return self._ask(event_log.last)

    def delivered(self, hook: str) -> int | None:
        """Return the last event that a listener outside has confirmed; None if it was never told of any."""
        return self._ask(lambda connection: deliveries.delivered(connection, hook))

    def note_delivery(self, hook: str, event: int) -> None:
        """Keep that a listener outside has received all events up to one; that needs no lease."""
        database = Database(self.folder, writable=True)
        was_sealed = False
        try:
            with database.writing() as connection:
                was_sealed = seal.is_there(self.folder)
                seal.break_seal(self.folder)
                deliveries.note(connection, hook, event, SystemClock().now())
        finally:
            if was_sealed:
                database.close_sealed()
            else:
                database.close()

    @property
    def counters(self) -> Counters:
        """What was counted, over all sources and commits."""
        return self._ask(catalogue.counters)

    def source_counters(self, source: str) -> Counters:
        """Return what was counted for one source, given by its key."""
        return self._ask(lambda connection: catalogue.counters(connection, source))

    def visits(self, *, forgotten: bool = False) -> pyarrow.dataset.Dataset:
        """Return all committed visits; those of forgotten pages, as far as they are still there, only if asked for."""
        if forgotten:
            return parquet_files.dataset(
                "visits", [self.folder / "visits" / file.name for file in self._files("visits")]
            )
        return self._dataset("visits")

    def occurrences(self) -> pyarrow.dataset.Dataset:
        """Return all committed link occurrences; a visit with `same_as` has those of that visit."""
        return self._dataset("occurrences")

    def last_links(self, page: str) -> list[tuple[str, str, str | None]]:
        """Return key, address and text of each link of a page when it was last fetched whole, in page order."""
        content, forgotten = self._ask(
            lambda connection: (catalogue.content(connection, page), tombstones.forgotten_pages(connection))
        )
        found = visits.links(self.folder, self._ask, content.visit) if content else []
        return [link for link in found if link[0] not in forgotten]

    def linking_visits(self, source: str, pages: Collection[str], since: datetime) -> Iterator[LinkingVisit]:
        """Give the visits since a moment that were made for a source, or to some pages, with the links they found."""
        return linking_visits.linking_visits(self.folder, self._ask, source, pages, since)

    def exchange(self, kept: StoredArticle | RecordPlace | int) -> Exchange:
        """Read back what was fetched: for an article, at a place, or in a visit, whose body may lie with another."""
        if isinstance(kept, int):
            return warc_reading.visit(self.folder, self._ask, kept)
        place = kept.place if isinstance(kept, StoredArticle) else kept
        return warc_reading.wherever(self.folder, self._ask, place)

    def locate(self, place: RecordPlace) -> RecordPlace | None:
        """Return where a record lies now whose WARC file was merged into another; None where it was not."""
        return self._ask(partial(catalogued_files.moved, place=place))

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
        """Return who is writing; nobody where the catalogue cannot say so."""
        try:
            return self.holder()
        except ArchiveError:
            # A check goes on to say what is wrong with the catalogue.
            return None

    def _key(self, source: str | None) -> str | None:
        return None if source is None else self.find_source(source).key

    def _dataset(self, kind: str) -> pyarrow.dataset.Dataset:
        return self._ask(lambda connection: catalogued_files.dataset(self.folder, connection, kind))

    def _files(self, kind: str) -> list[catalogued_files.FileRow]:
        return self._ask(lambda connection: catalogued_files.files(connection, kind))

    def _ask(self, question: Callable[[Connection], T]) -> T:
        with self._database.reading() as connection:
            return question(connection)
