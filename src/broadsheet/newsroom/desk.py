"""What all filters of a newsroom share: the archive's writer, the clock, the judge and the reader."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta

from broadsheet.archive import Archive, Batch, PageRecord, SourceRecord, Writer
from broadsheet.base.clock import Clock
from broadsheet.base.limits import Limits
from broadsheet.crawling.messages import Outcome, Page
from broadsheet.newsroom.judge import Judge
from broadsheet.newsroom.links import KnownLinks
from broadsheet.newsroom.progress import Progress

#: A batch is committed when it holds this much, or when it has waited for so many seconds of the machine.
BATCH_BYTES = 16_000_000
BATCH_VISITS = 200
BATCH_SECONDS = 10.0


def _silent(progress: Progress) -> None:
    del progress


@dataclass(slots=True)
class Desk:
    """One batch is open at any time; `report` hears of what was made durable, and of nothing else."""

    archive: Archive
    writer: Writer
    clock: Clock
    judge: Judge
    limits: Limits = field(default_factory=Limits)
    reader: str = "coreex"
    report: Callable[[Progress], None] = _silent
    progress: Progress = field(default_factory=Progress)
    batch: Batch = field(init=False)
    links: KnownLinks = field(init=False)
    _filled: float | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        """Open the first batch."""
        self.links = KnownLinks(self.archive)
        self._open()

    def record(self, key: str) -> PageRecord | None:
        """Return what is known of a page, changes that are not committed yet included."""
        return self.writer.pages([key]).get(key)

    def count(self, outcome: Outcome) -> None:
        """Count what an outcome cost, and why it failed if it did."""
        self.progress.requests += len(outcome.exchanges)
        self.progress.bytes += sum(len(exchange.body) for exchange in outcome.exchanges)
        if not isinstance(outcome, Page):
            self.fail(outcome.request.tag, outcome.reason)

    def fail(self, source: str, reason: str) -> None:
        """Count something that a source did not give, or that was dropped, here and in the archive."""
        self.progress.fail(reason)
        self.batch.count("failed", reason, source=source)

    def finish(self, source: SourceRecord) -> None:
        """Forget the goal of a source that has reached it."""
        if source.until_round is not None or source.until is not None:
            self.batch.source(replace(source, until_round=None, until=None))

    def commit_if_due(self) -> None:
        """Make durable what has come, if it is much or has waited long."""
        now = self.clock.monotonic()
        # A batch ages from when the first page came: an empty one may be open for hours.
        self._filled = now if self._filled is None else self._filled
        full = self.batch.size >= BATCH_BYTES or self.batch.visits >= BATCH_VISITS
        if full or self.clock.wait(timedelta(seconds=now - self._filled)) >= BATCH_SECONDS:
            self.commit()

    def commit(self) -> None:
        """Make durable what has come, and report it."""
        self.writer.commit(self.batch)
        self.progress.now = self.clock.now().isoformat()
        self.report(self.progress)
        self._open()

    def _open(self) -> None:
        self.batch = self.writer.batch()
        self._filled = None
