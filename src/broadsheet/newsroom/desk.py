"""What all parts of a newsroom share: the archive's writer and its open batch, the clock, quotas and progress."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta

from broadsheet.archive import HOME_PAGE, Batch, LastChange, NotMerged, PageRecord, Store, Writer
from broadsheet.base import counter_names
from broadsheet.base.callbacks import do_nothing
from broadsheet.base.clock import Clock
from broadsheet.base.counters import Counted, Counters
from broadsheet.base.incident import Incident
from broadsheet.base.keep_rules import KeepRule
from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.base.quotas import Quotas
from broadsheet.base.reasons import Reason
from broadsheet.base.records import Article
from broadsheet.crawling.fetch_messages import FetchAnswer, Outcome
from broadsheet.newsroom.archive_tidying import Tidying
from broadsheet.newsroom.known_links import KnownLinks
from broadsheet.newsroom.ledger import Ledger
from broadsheet.newsroom.progress import Progress
from broadsheet.newsroom.twins import agree

#: A batch is committed when it holds this much, or when it has waited for so many seconds of the machine.
BATCH_BYTES = 16_000_000
BATCH_VISITS = 200
BATCH_SECONDS = 10.0
#: What the crawler counts that belongs to no source: what it did not fetch, and robots.txt files without their end.
DROPS = frozenset({counter_names.SKIPPED, counter_names.ROBOTS_FILES})


_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Desk:
    """One batch is open at any time; `report` hears of what was made durable, and of nothing else."""

    archive: Store
    writer: Writer
    clock: Clock
    quotas: Quotas = field(default_factory=Quotas)
    settings: NewsroomSettings = field(default_factory=NewsroomSettings)
    #: What the crawler counts; what it drops is counted in the archive too.
    crawled: Counters = field(default_factory=Counters)
    report: Callable[[Progress], None] = do_nothing
    patience: float = BATCH_SECONDS
    progress: Progress = field(default_factory=Progress)
    batch: Batch = field(init=False)
    links: KnownLinks = field(init=False)
    ledger: Ledger = field(init=False)
    _archived: dict[str, Article] = field(init=False, default_factory=dict)
    _filled: float | None = field(init=False, default=None)
    _told: dict[Counted, int] = field(init=False, default_factory=dict)
    _tidying: Tidying = field(init=False)

    def __post_init__(self) -> None:
        """Open the first batch."""
        self.links = KnownLinks(self.archive)
        self.ledger = Ledger(self.writer, self.quotas)
        self._tidying = Tidying(self.writer, self.clock, KeepRule.parse(self.settings.keep), self.settings.max_size)
        self._open()

    def record(self, key: str) -> PageRecord | None:
        """Return what is known of a page, changes that are not committed yet included."""
        return self.writer.page(key)

    def count(self, outcome: Outcome) -> int:
        """Count what an outcome cost, and why it failed if it did; return the bytes received."""
        received = sum(len(exchange.body) for exchange in outcome.exchanges)
        self.progress.requests += len(outcome.exchanges)
        self.progress.bytes += received
        asked = outcome.request
        self.ledger.earn(asked.source, received, outcome.at)
        if isinstance(outcome, FetchAnswer):
            _log.info("fetched %s: status %d, %d bytes", outcome.url, outcome.status, received)
        else:
            _log.warning("failed %s: %s", asked.url, outcome.message)
            self.miss(asked.source, outcome.reason, page=asked.tag, url=asked.url, detail=outcome.message)
        return received

    def miss(  # noqa: PLR0913 - what happened, and where
        self, source: str, reason: Reason, by: int = 1, *, page: str = "", url: str = "", detail: str = ""
    ) -> None:
        """Count pages that a source did not give, or that were skipped, with an example; `page` is the page's key."""
        if not by:
            return
        self.progress.miss(reason, by)
        self.batch.count(reason.event, reason, by, source=source)
        if url:
            told = detail or (reason.meaning if reason.is_skip else str(reason))
            incident = Incident(url, reason, told, self.clock.now()).cut()
            self.progress.examples[str(reason)] = incident
            self.batch.incident(source, reason.event, incident)
            if page == source:
                self.progress.failing[source] = incident
                self.batch.incident(source, HOME_PAGE, incident)

    def reached(self, source: str) -> None:
        """Note that the home page of a source was fetched."""
        self.progress.failing.pop(source, None)

    def archived(self, key: str, article: Article) -> None:
        """Remember what was archived but is not committed yet."""
        self._archived[key] = article

    def is_archived(self, key: str, article: Article) -> bool:
        """Say whether what is archived under a key is an article of this text."""
        other = self.last_article(key)
        return other is not None and agree(other, article)

    def last_article(self, key: str) -> Article | None:
        """Return the newest version of an article, committed or not; None where nothing was archived."""
        if key not in self._archived and (stored := self.archive.last_version(key)):
            self._archived[key] = stored.article
        return self._archived.get(key)

    def last_change(self, key: str) -> LastChange | None:
        """Return when an article last changed, committed or not."""
        for row in reversed(self.batch.new_versions):
            if row["key"] == key:
                return LastChange(row["version"], row["fetched_at"], self._archived[key].published)
        return self.writer.last_change(key)

    def commit_if_due(self) -> None:
        """Make durable what was fetched, if it is much or has waited long."""
        now = self.clock.monotonic()
        # A batch ages from when its first page was fetched: an empty one may be open for hours.
        self._filled = now if self._filled is None else self._filled
        if self.clock.real_seconds(timedelta(seconds=now - self._filled)) >= self.patience:
            self.commit()
        else:
            self.commit_if_full()

    def commit_if_full(self) -> None:
        """Make durable what was fetched, if it is much."""
        if self.batch.size >= BATCH_BYTES or self.batch.visits >= BATCH_VISITS:
            self.commit()

    def commit(self) -> None:
        """Make durable what was fetched, and report it."""
        self._count_drops()
        try:
            self.writer.commit(self.batch)
        except NotMerged as error:
            # The commit holds; the next one tries to merge again.
            _log.warning("%s", error)
        self._tidying.step()
        self.progress.now = self.clock.now().isoformat()
        self.report(self.progress)
        _log.debug("committed: %s", self.progress.to_dict())
        self._open()

    def _count_drops(self) -> None:
        """Count what the crawler dropped since the last commit: it belongs to the crawl, not to a source."""
        counted = self.crawled.snapshot()
        for what, number in counted.items():
            if what.name in DROPS and number > self._told.get(what, 0):
                self.batch.count(what.name, what.reason, number - self._told.get(what, 0))
        self._told = counted

    def _open(self) -> None:
        self.batch = self.writer.batch()
        self._archived.clear()
        self._filled = None
