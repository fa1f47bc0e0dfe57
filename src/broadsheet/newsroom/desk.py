"""What all filters of a newsroom share: the archive's writer, the clock, the judge and the reader."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta

from broadsheet.archive import Archive, Batch, LinkRows, PageRecord, PageState, SourceRecord, Writer
from broadsheet.base.clock import Clock
from broadsheet.base.limits import Limits
from broadsheet.base.quotas import Quotas
from broadsheet.base.records import Article
from broadsheet.crawling.messages import Outcome, Page
from broadsheet.document import Document
from broadsheet.newsroom.cycle import tagged
from broadsheet.newsroom.judge import Judge
from broadsheet.newsroom.ledger import Ledger
from broadsheet.newsroom.links import KnownLinks, PageLinks, link_rows, page_links
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
    quotas: Quotas = field(default_factory=Quotas)
    reader: str = "coreex"
    report: Callable[[Progress], None] = _silent
    patience: float = BATCH_SECONDS
    progress: Progress = field(default_factory=Progress)
    batch: Batch = field(init=False)
    links: KnownLinks = field(init=False)
    ledger: Ledger = field(init=False)
    _archived: dict[str, Article] = field(init=False, default_factory=dict)
    _filled: float | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        """Open the first batch."""
        self.links = KnownLinks(self.archive)
        self.ledger = Ledger(self.writer, self.quotas)
        self._open()

    def record(self, key: str) -> PageRecord | None:
        """Return what is known of a page, changes that are not committed yet included."""
        return self.writer.pages([key]).get(key)

    def count(self, outcome: Outcome) -> None:
        """Count what an outcome cost, and why it failed if it did."""
        received = sum(len(exchange.body) for exchange in outcome.exchanges)
        self.progress.requests += len(outcome.exchanges)
        self.progress.bytes += received
        self.ledger.earn(tagged(outcome)[0], received, outcome.at)
        if not isinstance(outcome, Page):
            self.fail(tagged(outcome)[0], outcome.reason)

    def fail(self, source: str, reason: str, by: int = 1) -> None:
        """Count something that a source did not give, or that was dropped, here and in the archive."""
        if by:
            self.progress.fail(reason, by)
            self.batch.count("failed", reason, by, source=source)

    def linked(self, source: str, document: Document) -> tuple[PageLinks, LinkRows]:
        """Return what a page links to, as far as the quotas go, and count the rest."""
        links = page_links(document, self.quotas.max_page_links)
        rows = link_rows(document, self.quotas.max_page_rows)
        self.fail(source, "too many links on a page", links.dropped)
        occurrences = int((document.links.target >= 0).sum())
        self.fail(source, "too many link occurrences on a page", occurrences - len(rows))
        return links, rows

    def archived(self, key: str, article: Article) -> None:
        """Remember what was archived but is not committed yet."""
        self._archived[key] = article

    def is_archived(self, key: str, article: Article) -> bool:
        """Say whether what is archived under a key is an article of this title or text."""
        if key not in self._archived:
            self._archived.update((stored.key, stored.article) for stored in self.archive.versions(key)[-1:])
        other = self._archived.get(key)
        return other is not None and (other.title == article.title or other.body == article.body)

    def put_aside(self, source: str, page: str, error: Exception) -> None:
        """Let a page alone that could not be worked on: it would stop the crawl again and again."""
        self.fail(source, f"unexpected {type(error).__name__}")
        record = self.record(page)
        if record is not None:
            gone = record.every is None
            self.batch.page(
                replace(record, etag=None, last_modified=None, state=PageState.FAILED if gone else record.state)
            )

    def finish(self, source: SourceRecord) -> None:
        """Forget the goal of a source that has reached it."""
        if source.until_round is not None or source.until is not None:
            self.batch.source(replace(source, until_round=None, until=None, goal=None))

    def commit_if_due(self) -> None:
        """Make durable what has come, if it is much or has waited long."""
        now = self.clock.monotonic()
        # A batch ages from when the first page came: an empty one may be open for hours.
        self._filled = now if self._filled is None else self._filled
        if self.clock.wait(timedelta(seconds=now - self._filled)) >= self.patience:
            self.commit()
        else:
            self.commit_if_full()

    def commit_if_full(self) -> None:
        """Make durable what has come, if it is much."""
        if self.batch.size >= BATCH_BYTES or self.batch.visits >= BATCH_VISITS:
            self.commit()

    def commit(self) -> None:
        """Make durable what has come, and report it."""
        self.writer.commit(self.batch)
        self.progress.now = self.clock.now().isoformat()
        self.report(self.progress)
        self._open()

    def _open(self) -> None:
        self.batch = self.writer.batch()
        self._archived.clear()
        self._filled = None
