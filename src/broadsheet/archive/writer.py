"""The one who writes: holds the lease, gives out batches, sees what they changed, and commits them."""

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self, TypeVar
from uuid import UUID

import pyarrow.dataset
from sqlalchemy import Connection

from broadsheet.archive import (
    catalogue,
    commit,
    compaction,
    durable_files,
    forgetting,
    lease,
    merge_policy,
    orders,
    seal,
    tallies,
    text_index,
    tombstones,
    visits,
)
from broadsheet.archive.archive_errors import ArchiveBusy, ArchiveError, ArchiveTakenOver, NotMerged
from broadsheet.archive.archive_records import (
    NEVER_FETCHED,
    FeedRecord,
    Membership,
    Order,
    PageRecord,
    ScheduledPage,
    SourceRecord,
    Tombstone,
)
from broadsheet.archive.batch import BYTES_KEPT, Batch
from broadsheet.archive.catalogue import Kept, LastContent, Version
from broadsheet.archive.database import Database
from broadsheet.archive.durable_files import Announce
from broadsheet.archive.recent_rows import Memory
from broadsheet.archive.shards import require_shard
from broadsheet.base.clock import Clock

#: All that a writer announces, in order: opening, a commit, the merging that a commit may end with, closing.
STEPS = (
    "before lease",
    "after lease",
    "before sweep",
    "after sweep",
    *commit.COMMIT_STEPS,
    *compaction.COMPACTION_STEPS,
    *compaction.REMOVAL_STEPS,
    "before release",
    "after release",
)

T = TypeVar("T")


class _OrdersSeen(NamedTuple):
    """The last order that was seen, and the version of the catalogue that was looked at for it."""

    version: int | None = None
    last: int = 0


_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Purged:
    """What a purge did: how many files it rewrote, by how much they shrank, and which are damaged and stay."""

    files: int = 0
    bytes: int = 0
    damaged: list[str] = field(default_factory=list)


class Writer:
    """Works on one archive alone. Call `heartbeat` while waiting for long, so that no other process presumes it dead.

    Batches are filled and committed one after the other: the next may be filled while the last is being
    committed in another thread.
    """

    def __init__(  # noqa: PLR0913 - all that it works with, each by its name
        self,
        folder: Path,
        database: Database,
        own: lease.Lease,
        *,
        archive: UUID,
        shard: int,
        last_visit: int,
        clock: Clock,
        machine: Clock,
        announce: Announce,
        most_files: int = merge_policy.MOST_FILES,
        full_bytes: int = merge_policy.FULL_BYTES,
    ) -> None:
        """Work with a lease that was taken."""
        self.archive = archive
        self.shard = shard
        self._folder = folder
        self._database = database
        self._lease = own
        self._last_visit = last_visit
        self._clock = clock
        self._machine = machine
        self._announce = announce
        self._most_files = most_files
        self._full_bytes = full_bytes
        #: Files that are not merged because something is wrong with them.
        self._unsound: set[str] = set()
        self._open: list[Batch] = []
        self._memory = Memory()
        #: The pages that were forgotten; only this process can add to them.
        self._forgotten: frozenset[str] = frozenset()
        self._orders_seen = _OrdersSeen()
        #: Files that no commit names, which were found on opening and moved to `lost+found`.
        self.set_aside: tuple[Path, ...] = ()

    @property
    def holder(self) -> str:
        """What tells this writer from all others, as its lease says."""
        return self._lease.holder

    def __enter__(self) -> Self:
        """Give the writer, which holds the lease already."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give the lease back; what was not committed is not kept."""
        self.close()

    def close(self) -> None:
        """Give the lease back."""
        self._open.clear()
        try:
            self._announce("before release")
            with self._database.writing() as connection:
                lease.release(connection, self._lease)
            self._announce("after release")
        except BaseException:
            self._database.close()
            raise
        self._database.close_sealed()

    def batch(self) -> Batch:
        """Begin a batch; the one before it can then no longer be added to, only committed."""
        batch = Batch(self)
        self._open.append(batch)
        return batch

    def commit(self, batch: Batch) -> None:
        """Keep a batch: when this returns, all of it is durable; when it fails, nothing of it counts.

        After a failure the batch may be committed again, for example when there is room on the disk. One failure
        comes after the commit, which holds: `NotMerged`.
        """
        earlier = [other for other in self._open[: self._position(batch)] if not other.is_empty]
        if earlier:
            raise ArchiveError(
                "an earlier batch has not been committed: commit batches in the order in which they were begun"
            )
        if not batch.is_empty:
            stored = commit.put_files(self._folder, batch, self._announce)
            self._announce("before transaction")
            with self._database.writing() as connection:
                lease.confirm(connection, self._lease, self._machine.now())
                known = self._memory.pages(batch.changed_pages)
                commit.move(connection, batch, stored, kept=self.kept, known=known, now=self._clock.now())
                self._announce("in transaction")
            self._announce("after transaction")
        self._remember(batch)
        self._open.remove(batch)
        if not batch.is_empty:
            try:
                self._compact()
                self._remove_retired()
            except ArchiveTakenOver:
                raise
            except ArchiveError as error:
                raise NotMerged(f"the commit succeeded, but small files could not be merged: {error}") from error

    def heartbeat(self) -> None:
        """Give a sign of life, and remove merged files whose time has passed; may be called from another thread.

        A failure says that the archive was taken over, or that the disk did not let it.
        """
        with self._database.writing() as connection:
            lease.confirm(connection, self._lease, self._machine.now())
        self._remove_retired()

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

    def order(self, order: Order) -> Order:
        """Place an order, for this writer itself to take, and return it with its number."""
        with self._database.writing() as connection:
            lease.confirm(connection, self._lease, self._machine.now())
            return replace(order, id=orders.place(connection, order))

    def new_orders(self) -> list[Order]:
        """Return the orders that have come since this was last called and that nobody has taken, the oldest first."""
        version = self._database.version()
        if version == self._orders_seen.version:
            return []
        found = self._ask(lambda connection: orders.pending(connection, self._orders_seen.last))
        last = max((order.id for order in found), default=self._orders_seen.last)
        self._orders_seen = _OrdersSeen(version, last)
        return found

    def feeds(self, source: str) -> dict[str, FeedRecord]:
        """Return the feeds of a source, good or bad, by their keys."""
        found = {feed.page: feed for feed in self._ask(lambda connection: catalogue.feeds(connection, source))}
        for batch in tuple(self._open):
            found.update((page, feed) for (own, page), feed in batch.changed_feeds.items() if own == source)
        return found

    def footprint(self, source: str, since: datetime) -> tuple[int, int, int]:
        """Return the committed pages of a source, how many are new since a moment, and the bytes received."""
        pages, new = self._ask(lambda connection: catalogue.page_counts(connection, source, since))
        counted = self._ask(lambda connection: catalogue.counters(connection, source))
        return pages, new, counted.total(BYTES_KEPT)

    def occurrences(self) -> pyarrow.dataset.Dataset:
        """Return the committed link occurrences; those of open batches are not among them."""
        return self._ask(lambda connection: catalogue.dataset(self._folder, connection, "occurrences"))

    def admit(self, batch: object) -> None:
        """Refuse a change to a batch that is committed, or after which another was begun."""
        if not self._open or self._open[-1] is not batch:
            raise ArchiveError("this batch is closed: it was committed, or a later one was begun")

    def next_visit(self) -> int:
        """Return a visit's id, greater than all before it."""
        self._last_visit += 1
        return self._last_visit

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
        return self._ask(lambda connection: catalogue.newest(connection, key))

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

    def _position(self, batch: Batch) -> int:
        if batch not in self._open:
            raise ArchiveError("this batch was already committed, or belongs to another writer")
        return self._open.index(batch)

    def _compact(self) -> None:
        """Merge small files where there are too many: each put first, then named in one transaction."""
        plans = self._ask(
            lambda connection: compaction.plans(
                connection, self.shard, self._most_files, self._full_bytes, self._unsound
            )
        )
        self._merge([plan for plan in plans if not self._refuse_unsound(plan)])

    def _merge(self, plans: Sequence[compaction.MergePlan]) -> None:
        merged = [compaction.merge(self._folder, plan, self._announce, self._forgotten) for plan in plans]
        if not merged:
            return
        self._announce("before transaction of merging")
        with self._database.writing() as connection:
            now = self._machine.now()
            lease.confirm(connection, self._lease, now)
            for merging in merged:
                compaction.replace(connection, merging, now)
            self._announce("in transaction of merging")
        self._announce("after transaction of merging")

    def _refuse_unsound(self, plan: compaction.MergePlan) -> bool:
        """Say whether files of a plan are damaged; they are then left as they are, for a repair."""
        found = compaction.unsound(self._folder, plan)
        for name in sorted(found):
            _log.warning("%s is damaged or missing, or its visits are; it is not merged: run `broadsheet check`", name)
        self._unsound |= found
        return bool(found)

    def _remove_retired(self, grace: timedelta = compaction.GRACE) -> None:
        """Remove files that were merged into others and that nobody reads any more; the names go last."""
        old = self._ask(lambda connection: compaction.expired(connection, self._machine.now(), grace))
        if not old:
            return
        before, removed, forgotten = compaction.REMOVAL_STEPS
        self._announce(before)
        for file in old:
            durable_files.remove(self._folder / file.kind / file.name)
        self._announce(removed)
        with self._database.writing() as connection:
            lease.confirm(connection, self._lease, self._machine.now())
            compaction.forget(connection, old)
        self._announce(forgotten)

    def is_forgotten(self, key: str) -> bool:
        """Return whether a page was forgotten, and is not to be fetched again."""
        return key in self._forgotten

    def tombstone(self, key: str) -> Tombstone | None:
        """Return the tombstone of a source or page, if it was forgotten."""
        return self._ask(lambda connection: tombstones.find(connection, key))

    def forget(self, plan: forgetting.ForgetPlan) -> None:
        """Forget pages and sources: when this returns, no answer mentions them, and they stay forgotten.

        Their bytes go when their files are merged, or with `purge`.
        """
        if any(not batch.is_empty for batch in self._open):
            raise ArchiveError("commit what is open before something is forgotten: it may concern the same pages")
        self._bury(plan.tombstones)

    def complete_forgetting(self) -> None:
        """Complete what a killed process began to forget, and restore the file of tombstones if it is damaged."""
        overdue, problem = self._ask(
            lambda connection: (
                tombstones.overdue(self._folder, connection),
                tombstones.file_problem(self._folder, connection),
            )
        )
        if problem:
            self._bury(overdue)
        self._forgotten = self._ask(tombstones.forgotten_pages)
        if self._forgotten:
            text_index.TextIndex(self._folder, str(self.archive), self._ask).discard_if_invalid()

    def _bury(self, new: Sequence[Tombstone]) -> None:
        """Set tombstones: in the file first, so that what was begun is completed whenever this is interrupted."""
        before, inside, after = forgetting.FORGET_STEPS[-3:]
        known = self._ask(tombstones.stored)
        in_file = tombstones.read_file(self._folder).tombstones
        tombstones.write_file(self._folder, tombstones.united(known, in_file, new), self._announce)
        self._announce(before)
        with self._database.writing() as connection:
            self._confirm_alone(connection)
            forgetting.apply(connection, new)
            self._announce(inside)
        self._announce(after)
        # The words of what was forgotten are in it. Whoever searches next makes it anew.
        text_index.discard(self._folder)
        self._memory = Memory()
        self._forgotten = self._ask(tombstones.forgotten_pages)

    def purge(self) -> Purged:
        """Rewrite every file that holds something of forgotten pages without that, and remove the old files at once."""
        done = Purged()
        if not self._forgotten:
            return done
        files = self._ask(lambda connection: list(compaction.affected(self._folder, connection, self._forgotten)))
        for file in files:
            plan = self._ask(partial(compaction.rewriting, file=file))
            if self._refuse_unsound(plan):
                done.damaged.append(f"{file.kind}/{file.name}")
                continue
            before = self._kept_bytes()
            self._merge([plan])
            done.files += 1
            done.bytes += before - self._kept_bytes()
        self._remove_retired(timedelta())
        return done

    def _kept_bytes(self) -> int:
        return sum(file.size for file in self._ask(catalogue.files))

    def _confirm_alone(self, connection: Connection) -> None:
        lease.confirm(connection, self._lease, self._machine.now())
        others = lease.others(connection, self._lease)
        if others:
            raise ArchiveBusy(f"another part of the archive is being written to by {others[0]}; stop it first")

    def sweep(self) -> None:
        """Tidy up what killed writers left, unless other shards are being written to, and what was merged long ago."""
        self._announce("before sweep")
        with self._database.writing() as connection:
            # Files that are not named yet may be about to be named by the writer of another shard. While this
            # transaction is open nobody becomes one.
            if not lease.others(connection, self._lease):
                named = {(file.kind, file.name) for file in catalogue.files(connection, retired=True)}
                self.set_aside = durable_files.sweep(self._folder, named)
        for path in self.set_aside:
            _log.warning("%s is not part of any commit and was moved to lost+found", path.name)
        self._remove_retired()
        self._announce("after sweep")


def open_writer(  # noqa: PLR0913 - all that a writer works with, each by its name
    folder: Path,
    archive: UUID,
    *,
    shard: int,
    clock: Clock,
    machine: Clock,
    announce: Announce,
    most_files: int,
    full_bytes: int,
) -> Writer:
    """Take a shard's lease and sweep what killed writers left; the writer gives the lease back when it is closed."""
    require_shard(shard)
    database = Database(folder, writable=True)
    own = lease.mine(machine.now(), shard)
    try:
        announce("before lease")
        with database.writing() as connection:
            lease.take(connection, own)
            # Before anything is written, and while nobody else can seal it.
            seal.break_seal(folder)
            last_visit = catalogue.last_visit(connection, shard)
            tallies.ensure(connection)
        announce("after lease")
    except BaseException:
        database.close()
        raise
    writer = Writer(
        folder,
        database,
        own,
        archive=archive,
        shard=shard,
        last_visit=last_visit,
        clock=clock,
        machine=machine,
        announce=announce,
        most_files=most_files,
        full_bytes=full_bytes,
    )
    try:
        writer.complete_forgetting()
        writer.sweep()
    except BaseException:
        writer.close()
        raise
    return writer
