"""The writer of an archive: it holds the lease, gives out batches, records what they changed, and commits them."""

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

from broadsheet.archive import (
    catalogue,
    commit,
    compaction,
    forgetting,
    lease,
    merge_policy,
    orders,
    seal,
    tallies,
    tombstones,
)
from broadsheet.archive.archive_errors import ArchiveError, ArchiveTakenOver, NotMerged
from broadsheet.archive.batch import Batch
from broadsheet.archive.current_rows import CurrentRows
from broadsheet.archive.database import Database
from broadsheet.archive.durable_files import Announce
from broadsheet.archive.event_records import Tombstone
from broadsheet.archive.file_shares import FileShare
from broadsheet.archive.keep_ages import KeepRules
from broadsheet.archive.recent_rows import Memory
from broadsheet.archive.shards import require_shard
from broadsheet.archive.source_records import Order
from broadsheet.archive.tidy_plan import Tidied, TidyPlan, Tracking, tidy_plan
from broadsheet.archive.upkeep import Purged, Upkeep
from broadsheet.base.clock import Clock
from broadsheet.base.closable import Closable
from broadsheet.base.keep_rules import KEEP_EVERYTHING, KeepRule

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


class _OrdersSeen(NamedTuple):
    """The last order that was seen, and the version of the catalogue that was looked at for it."""

    version: int | None = None
    last: int = 0


class Writer(CurrentRows, Closable):
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
        most_files: int = merge_policy.MAX_FILES,
        full_bytes: int = merge_policy.FULL_BYTES,
    ) -> None:
        """Work with a lease that was taken."""
        super().__init__(folder, database)
        self.archive = archive
        self.shard = shard
        self._lease = own
        self._last_visit = last_visit
        self._clock = clock
        self._machine = machine
        self._announce = announce
        self._upkeep = Upkeep(
            folder,
            database,
            own,
            archive=archive,
            machine=machine,
            announce=announce,
            most_files=most_files,
            full_bytes=full_bytes,
        )
        self._orders_seen = _OrdersSeen()

    @property
    def holder(self) -> str:
        """What tells this writer from all others, as its lease says."""
        return self._lease.holder

    def close(self) -> None:
        """Give the lease back; what was not committed is not kept."""
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
            files = commit.put_files(self._folder, batch, self._announce)
            self._announce("before transaction")
            with self._database.writing() as connection:
                lease.confirm(connection, self._lease, self._machine.now())
                known = self._memory.pages(batch.changed_pages)
                commit.move(connection, batch, files, kept=self.kept, known=known, now=self._clock.now())
                self._announce("in transaction")
            self._announce("after transaction")
        self._remember(batch)
        self._open.remove(batch)
        if not batch.is_empty:
            try:
                self._upkeep.compact()
                self._upkeep.remove_retired()
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
        self._upkeep.remove_retired()

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

    def admit(self, batch: object) -> None:
        """Refuse a change to a batch that is committed, or after which another was begun."""
        if not self._open or self._open[-1] is not batch:
            raise ArchiveError("this batch is closed: it was committed, or a later one was begun")

    def next_visit(self) -> int:
        """Return a visit's id, greater than all before it."""
        self._last_visit += 1
        return self._last_visit

    def _position(self, batch: Batch) -> int:
        if batch not in self._open:
            raise ArchiveError("this batch was already committed, or belongs to another writer")
        return self._open.index(batch)

    @property
    def set_aside(self) -> tuple[Path, ...]:
        """Files that no commit names, which were found on opening and moved to `lost+found`."""
        return self._upkeep.set_aside

    @property
    def has_forgotten(self) -> bool:
        """Whether any page was forgotten."""
        return bool(self._upkeep.forgotten)

    def is_forgotten(self, key: str) -> bool:
        """Return whether a page was forgotten, and is not to be fetched again."""
        return key in self._upkeep.forgotten

    def tombstone(self, key: str) -> Tombstone | None:
        """Return the tombstone of a source or page, if it was forgotten."""
        return self._ask(lambda connection: tombstones.find(connection, key))

    def forget(self, plan: forgetting.ForgetPlan) -> None:
        """Forget pages and sources: when this returns, no answer mentions them, and they stay forgotten.

        Their bytes go when their files are merged, or with `purge`.
        """
        if any(not batch.is_empty for batch in self._open):
            raise ArchiveError("commit what is open before something is forgotten: it may concern the same pages")
        try:
            self._upkeep.bury(plan.tombstones)
        finally:
            self._memory = Memory()

    def purge(self) -> Purged:
        """Rewrite every file that holds something of forgotten pages without that, and remove the old files at once."""
        return self._upkeep.purge()

    def plan_tidying(self, default: KeepRule = KEEP_EVERYTHING, max_bytes: int = 0) -> TidyPlan:
        """Return what the rules of the sources, or else the default, remove now from the files of this shard.

        If the archive is larger than `max_bytes`, the oldest responses of fronts and other pages go beyond that.
        """
        rules = KeepRules.of(self.sources(), default)
        now = self._clock.now()
        return self._ask(
            lambda connection: tidy_plan(self._folder, connection, rules, now, shard=self.shard, max_bytes=max_bytes)
        )

    def tidy_file(self, plan: TidyPlan, share: FileShare) -> bool:
        """Rewrite a file without what a plan removes from it; return whether it is intact, and so was rewritten.

        The plan must be as old as the last commit, or younger.
        """
        return self._upkeep.tidy_file(plan, share)

    def tidy_events(self, plan: TidyPlan) -> None:
        """Remove the events that a plan removes."""
        self._upkeep.tidy_events(plan)

    def tidy(self, default: KeepRule = KEEP_EVERYTHING, track: Tracking = iter, max_bytes: int = 0) -> Tidied:
        """Remove at once all that the rules of the sources, or else the default, remove; the old files go, too."""
        done = self._upkeep.tidy(self.plan_tidying(default, max_bytes), track)
        if any(rule.visits for rule in KeepRules.of(self.sources(), default).every()):
            # Rows can go now whose responses and links have just gone.
            done = done.plus(self._upkeep.tidy(self.plan_tidying(default), track))
        return done

    def recover(self) -> None:
        """Complete what killed writers began to forget, and tidy up what they left."""
        self._upkeep.complete_forgetting()
        self._upkeep.sweep()


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
        writer.recover()
    except BaseException:
        writer.close()
        raise
    return writer
