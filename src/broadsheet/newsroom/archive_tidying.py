"""Removes what the keep rules no longer keep while a crawl runs: a little after a commit, now and then."""

import logging
import time
from datetime import datetime, timedelta

from broadsheet.archive import ArchiveError, ArchiveTakenOver, KeepRules, TidyPlan, Writer
from broadsheet.base.clock import Clock
from broadsheet.base.keep_rules import KeepRule

#: A file is rewritten if at least this share of it goes, and this share of what the rules will remove from it in time:
#: so it is rewritten a few times, however often the archive is looked through.
MIN_SHARE, RIPE = 0.15, 0.6
#: The archive is looked through so many times in the shortest age that a rule names, but no more often than this, and
#: so rarely that it takes at most this share of the time: all visits are read.
LOOKS = 8
MIN_WAIT = timedelta(minutes=10)
MAX_LOOKING = 0.02

_log = logging.getLogger(__name__)


class Tidying:
    """Looks through the archive from time to time, and rewrites at most one file of each kind after a commit."""

    def __init__(self, writer: Writer, clock: Clock, default: KeepRule, max_bytes: int = 0) -> None:
        """Take the rule for sources without one of their own, and the size that the archive may have; 0 for any."""
        self._writer = writer
        self._clock = clock
        self._default = default
        self._max_bytes = max_bytes
        self._next: datetime | None = None
        self._damaged: set[str] = set()

    def step(self) -> None:
        """Do a little, if it is time; a failure is logged, and tried again later."""
        now = self._clock.now()
        if self._next is not None and now < self._next:
            return
        shortest = KeepRules.of(self._writer.sources(), self._default).shortest
        self._next = now + max((shortest or timedelta()) / LOOKS, MIN_WAIT)
        if shortest is None and not self._max_bytes:
            return
        try:
            began = time.process_time()
            plan = self._writer.plan_tidying(self._default, self._max_bytes)
            took = timedelta(seconds=(time.process_time() - began) / MAX_LOOKING)
            if plan.pressure.stuck:
                _log.warning("the archive is too large, by %s bytes that no keep rule removes", plan.pressure.stuck)
            self._writer.tidy_events(plan)
            # There may be more to do after the next commit.
            self._next = now + took if self._rewrite(plan) else max(self._next, now + took)
        except ArchiveTakenOver:
            raise
        except ArchiveError as error:
            _log.warning("what is older than the keep rules say could not be removed: %s", error)

    def _rewrite(self, plan: TidyPlan) -> bool:
        """Rewrite the file of each kind of which most goes, if that is worth it; return whether one was."""
        intact = (share for share in plan.files if share.file.name not in self._damaged)
        # What is too large cannot wait until more of a file is old.
        ripeness = 0.0 if plan.pressure.excess else RIPE
        ripe = [share for share in intact if share.share >= MIN_SHARE and share.ripeness >= ripeness]
        most = {share.file.kind: share for share in sorted(ripe, key=lambda share: share.share)}
        chosen = list(most.values())
        for share in chosen:
            if not self._writer.tidy_file(plan, share):
                self._damaged.add(share.file.name)
        return bool(chosen)
