"""The upkeep of an archive's files: small ones are merged, old ones removed, and forgotten pages taken out of them."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar
from uuid import UUID

from sqlalchemy import Connection

from broadsheet.archive import (
    catalogued_files,
    compaction,
    durable_files,
    forgetting,
    lease,
    old_events,
    prunings,
    text_index,
    tombstones,
)
from broadsheet.archive.archive_errors import ArchiveBusy
from broadsheet.archive.database import Database
from broadsheet.archive.durable_files import Announce
from broadsheet.archive.event_records import Tombstone
from broadsheet.archive.file_shares import FileShare
from broadsheet.archive.pruning import Omission
from broadsheet.archive.prunings import Pruning, PruningKey
from broadsheet.archive.tidy_plan import Tidied, TidyPlan, Tracking
from broadsheet.base.clock import Clock

T = TypeVar("T")

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Purged:
    """What a purge did: how many files it rewrote, by how much they shrank, and which are damaged and stay."""

    files: int = 0
    bytes: int = 0
    damaged: list[str] = field(default_factory=list)


class Upkeep:
    """Does what the holder of a lease does to files that were committed earlier; all of it can be interrupted."""

    def __init__(  # noqa: PLR0913 - all that it works with, each by its name
        self,
        folder: Path,
        database: Database,
        own: lease.Lease,
        *,
        archive: UUID,
        machine: Clock,
        announce: Announce,
        most_files: int,
        full_bytes: int,
    ) -> None:
        """Work with a lease that was taken."""
        self._folder = folder
        self._database = database
        self._lease = own
        self._archive = archive
        self._machine = machine
        self._announce = announce
        self._most_files = most_files
        self._full_bytes = full_bytes
        #: Files that are not merged because something is wrong with them.
        self._unsound: set[str] = set()
        #: The pages that were forgotten; only this process can add to them.
        self.forgotten: frozenset[str] = frozenset()
        #: Files that no commit names, which were found on opening and moved to `lost+found`.
        self.set_aside: tuple[Path, ...] = ()

    def compact(self) -> None:
        """Merge small files where there are too many: each put first, then named in one transaction."""
        plans = self._ask(
            lambda connection: compaction.plans(
                connection, self._lease.shard, self._most_files, self._full_bytes, self._unsound
            )
        )
        self._merge([plan for plan in plans if not self._refuse_unsound(plan)])

    def _merge(
        self,
        plans: Sequence[compaction.MergePlan],
        omission: Omission = compaction.NOTHING,
        removed: Mapping[PruningKey, Pruning] = MappingProxyType({}),
    ) -> None:
        """Put merged files in place of others, without what is left out; `removed` says how much that is."""
        omission = omission._replace(pages=self.forgotten)
        merged = [compaction.merge(self._folder, plan, self._announce, omission) for plan in plans]
        if not merged:
            return
        self._announce("before transaction of merging")
        with self._database.writing() as connection:
            now = self._machine.now()
            lease.confirm(connection, self._lease, now)
            for merging in merged:
                compaction.replace(connection, merging, now)
            prunings.add(connection, removed)
            self._announce("in transaction of merging")
        self._announce("after transaction of merging")

    def _refuse_unsound(self, plan: compaction.MergePlan) -> bool:
        """Say whether files of a plan are damaged; they are then left as they are, for a repair."""
        found = compaction.unsound(self._folder, plan)
        for name in sorted(found):
            _log.warning("%s is damaged or missing, or its visits are; it is not merged: run `broadsheet check`", name)
        self._unsound |= found
        return bool(found)

    def remove_retired(self, grace: timedelta = compaction.GRACE) -> None:
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

    def complete_forgetting(self) -> None:
        """Complete what a killed process began to forget, and restore the file of tombstones if it is damaged."""
        overdue, problem = self._ask(
            lambda connection: (
                tombstones.overdue(self._folder, connection),
                tombstones.file_problem(self._folder, connection),
            )
        )
        if problem:
            self.bury(overdue)
        self.forgotten = self._ask(tombstones.forgotten_pages)
        if self.forgotten:
            text_index.TextIndex(self._folder, str(self._archive), self._ask).discard_if_invalid()

    def bury(self, new: Sequence[Tombstone]) -> None:
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
        self.forgotten = self._ask(tombstones.forgotten_pages)

    def purge(self) -> Purged:
        """Rewrite every file that holds something of forgotten pages without that, and remove the old files at once."""
        done = Purged()
        if not self.forgotten:
            return done
        files = self._ask(lambda connection: list(compaction.affected(self._folder, connection, self.forgotten)))
        for file in files:
            plan = self._ask(partial(compaction.rewriting, file=file))
            if self._refuse_unsound(plan):
                done.damaged.append(f"{file.kind}/{file.name}")
                continue
            before = self._kept_bytes()
            self._merge([plan])
            done.files += 1
            done.bytes += before - self._kept_bytes()
        self.remove_retired(timedelta())
        return done

    def tidy_file(self, plan: TidyPlan, share: FileShare) -> bool:
        """Rewrite a file without what a plan removes from it; return whether it is intact, and so was rewritten."""
        merging = self._ask(partial(compaction.rewriting, file=share.file))
        if self._refuse_unsound(merging):
            return False
        self._merge([merging], Omission(responses=plan.responses, links=plan.links, rows=plan.rows), share.removed)
        return True

    def tidy_events(self, plan: TidyPlan) -> None:
        """Remove the events that a plan removes."""
        if not plan.events:
            return
        with self._database.writing() as connection:
            lease.confirm(connection, self._lease, self._machine.now())
            prunings.add(connection, old_events.remove(connection, plan.events.items()))

    def tidy(self, plan: TidyPlan, track: Tracking = iter) -> Tidied:
        """Rewrite all files from which a plan removes something; the old files go at once."""
        self.tidy_events(plan)
        before = self._kept_bytes()
        done, damaged = list[FileShare](), list[str]()
        for share in track(plan.files):
            if self.tidy_file(plan, share):
                done.append(share)
            else:
                damaged.append(f"{share.file.kind}/{share.file.name}")
        self.remove_retired(timedelta())
        removed, shrunk = replace(plan, files=done).removed, before - self._kept_bytes()
        return Tidied(removed, len(done), shrunk, tuple(damaged), plan.pressure)

    def _kept_bytes(self) -> int:
        return sum(file.size for file in self._ask(catalogued_files.files))

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
                named = {(file.kind, file.name) for file in catalogued_files.files(connection, retired=True)}
                self.set_aside = durable_files.sweep(self._folder, named)
        for path in self.set_aside:
            _log.warning("%s is not part of any commit and was moved to lost+found", path.name)
        self.remove_retired()
        self._announce("after sweep")

    def _ask(self, question: Callable[[Connection], T]) -> T:
        with self._database.glancing() as connection:
            return question(connection)
