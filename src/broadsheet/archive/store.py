"""An archive: a folder that keeps what was fetched, what it linked to and what was read in it."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Self

from broadsheet.archive import catalogue, forgetting, health, incidents, layout, lease, merge_policy, orders
from broadsheet.archive import check as checking
from broadsheet.archive import status as standing
from broadsheet.archive.archive_errors import ArchiveError
from broadsheet.archive.database import Database
from broadsheet.archive.durable_files import Announce
from broadsheet.archive.forgetting import ForgetPlan
from broadsheet.archive.keep_ages import KeepRules
from broadsheet.archive.kept_events import KeptEvents
from broadsheet.archive.kept_files import KeptFiles
from broadsheet.archive.known_pages import KnownPages
from broadsheet.archive.problem import Problem
from broadsheet.archive.source_records import Order, OrderKind
from broadsheet.archive.stored_articles import StoredArticles
from broadsheet.archive.tidy_plan import TidyPlan, tidy_plan
from broadsheet.archive.writer import Writer, open_writer
from broadsheet.base.callbacks import do_nothing
from broadsheet.base.clock import Clock, SystemClock
from broadsheet.base.counters import Counters
from broadsheet.base.incident import Incident
from broadsheet.base.keep_rules import KEEP_EVERYTHING, KeepRule


class Store(KnownPages, StoredArticles, KeptFiles, KeptEvents):
    """What is kept, for reading by any number of processes; `writer` is for the one that adds to it."""

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

    def writer(  # noqa: PLR0913 - each by its name
        self,
        *,
        clock: Clock | None = None,
        on_step: Announce = do_nothing,
        machine: Clock | None = None,
        most_files: int = merge_policy.MAX_FILES,
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

        An order to stop is for the process that writes now, and for none after it.
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

    def status(self) -> standing.Status:
        """Say how the archive stands."""
        observer = lease.mine(SystemClock().now())
        return self._ask(lambda connection: standing.status(self.folder, connection, observer))

    def ailments(self, now: datetime | None = None) -> list[health.Ailment]:
        """Return what is wrong with the sources that are followed: late, failing, or silent for unusually long."""
        moment = now or SystemClock().now()
        return self._ask(lambda connection: health.ailments(connection, moment))

    def failing(self) -> dict[str, Incident]:
        """Return the sources, by their keys, whose home page could not be fetched at the last visit, and why."""
        return self._ask(incidents.failing)

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

    @property
    def counters(self) -> Counters:
        """What was counted, over all sources and commits."""
        return self._ask(catalogue.counters)

    def source_counters(self, source: str) -> Counters:
        """Return what was counted for one source, given by its key."""
        return self._ask(lambda connection: catalogue.counters(connection, source))

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
