"""A whole archive read again with the models of today, on all cores; a run that is stopped goes on where it stopped.

What the archive says already is kept: a text that differs becomes a new version, marked as reread, and a verdict that
differs replaces the old one, which moves to the earlier verdicts.
"""

import hashlib
import json
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime

from broadsheet._version import __version__
from broadsheet.archive import (
    ArchiveError,
    RereadCandidate,
    RereadRecord,
    RereadSelection,
    Store,
    VerdictRecord,
    VisitReason,
    Writer,
)
from broadsheet.base.clock import Clock
from broadsheet.base.exchange import Exchange
from broadsheet.base.pool import Pool
from broadsheet.crawling.encodings import CorruptBody, TooLargeDecompressed
from broadsheet.newsroom.archived_content import ArchivedContent
from broadsheet.newsroom.judging import FEED, LINKS, judge_addresses, probabilities_of
from broadsheet.newsroom.page_visit import FetchedVisit, FilterResult, Findings
from broadsheet.pages.page_model import page_model
from broadsheet.pages.url_verdicts import url_model
from broadsheet.reading import readers

#: What was read is committed after so many pages, or seconds.
COMMIT_PAGES, COMMIT_SECONDS = 200, 30.0
MAX_EXAMPLES = 10
#: What is compared to say what changed in a text.
_COMPARED = ("title", "authors", "published", "description", "headings", "body")


@dataclass(slots=True)
class RereadSummary:
    """What a run has done, since it first began: numbers of pages, and examples of what changed."""

    pages: int = 0
    #: Articles whose text differs from the newest version that the archive had.
    texts: int = 0
    #: Pages that are articles now and were not archived as such.
    articles: int = 0
    #: Pages whose kind differs.
    kinds: int = 0
    #: Pages that could not be read, by reason.
    failed: dict[str, int] = field(default_factory=dict)
    examples: list[dict[str, str]] = field(default_factory=list)

    def fail(self, reason: str) -> None:
        """Count a page that could not be read."""
        self.failed[reason] = self.failed.get(reason, 0) + 1

    def show(self, url: str, change: str) -> None:
        """Keep an example, while there are few."""
        if len(self.examples) < MAX_EXAMPLES:
            self.examples.append({"url": url, "change": change})


def run_name(reader: str, *chosen: str) -> str:
    """Return what identifies a run, so that it can be resumed: the same models, and the same words that select pages.

    An unknown reader raises an error.
    """
    readers.find(reader)
    models = (__version__, readers.model_of(reader), page_model().card.label, url_model().card.label)
    return hashlib.sha256(json.dumps([models, chosen]).encode()).hexdigest()[:16]


class ArchiveReread:
    """One run over an archive."""

    def __init__(  # noqa: PLR0913 - all that it works with, each by its name
        self,
        archive: Store,
        writer: Writer,
        pool: Pool[FetchedVisit, FilterResult],
        *,
        record: RereadRecord,
        selection: RereadSelection,
        max_decompressed_bytes: int,
        clock: Clock,
    ) -> None:
        """Take what it reads and writes, and how far it came before."""
        self._archive = archive
        self._writer = writer
        self._pool = pool
        self._record = record
        self._selection = selection
        self._max_bytes = max_decompressed_bytes
        self._clock = clock
        self._waiting: deque[RereadCandidate] = deque()
        self._batch = writer.batch()
        self._filled, self._since = 0, clock.monotonic()
        self.summary = RereadSummary(**record.done)
        self.left, self._candidates = archive.reread_candidates(selection, record.last_page)

    def run(self, report: Callable[[RereadSummary], None]) -> RereadSummary:
        """Read every page again; `report` hears after each what was done."""
        for found in self._pool.ordered(self._tasks()):
            candidate = self._waiting.popleft()
            self.summary.pages += 1
            if isinstance(found, Findings):
                self._keep(candidate, found)
            else:
                self.summary.fail(str(found.counted))
            self._advance(candidate.page.key)
            report(self.summary)
        self._record = replace(self._record, finished_at=self._clock.now())
        self._commit()
        return self.summary

    def _tasks(self) -> Iterator[FetchedVisit]:
        """Give the pages as the filters take them; those that cannot be decoded are counted."""
        for candidate in self._candidates:
            try:
                task = self._task(candidate, self._archive.exchange(candidate.place))
            except (ArchiveError, CorruptBody, TooLargeDecompressed) as error:
                self.summary.pages += 1
                self.summary.fail("missing" if isinstance(error, ArchiveError) else "encoding")
                continue
            self._waiting.append(candidate)
            yield task

    def _task(self, candidate: RereadCandidate, exchange: Exchange) -> FetchedVisit:
        content, content_type = ArchivedContent.read(exchange, self._max_bytes)
        why = VisitReason.SECTION if candidate.is_front else VisitReason.CANDIDATE
        address = probabilities_of(judge_addresses([candidate.url], [candidate.anchor]).verdict(0))
        judged = candidate.page.judged
        evidence = judged.evidence if judged else {}
        return FetchedVisit(
            content,
            candidate.url,
            content_type,
            exchange.at,
            why,
            address,
            feed=evidence.get(FEED, {}),
            listed=candidate.listed,
            links=evidence.get(LINKS, {}),
        )

    def _keep(self, candidate: RereadCandidate, found: Findings) -> None:
        now, page = self._clock.now(), candidate.page
        before = page.verdict
        if found.verdict is not None and (before is None or before.to_dict() != found.verdict.to_dict()):
            judged = VerdictRecord(verdict=found.verdict, at=now, evidence=found.evidence)
            self._batch.replace_verdict(page, judged)
            if before is not None and before.kind != found.verdict.kind:
                self.summary.kinds += 1
                self.summary.show(page.url, f"{before.kind} → {found.verdict.kind}")
        if found.article is not None:
            self._keep_article(candidate, found, now)

    def _keep_article(self, candidate: RereadCandidate, found: Findings, now: datetime) -> None:
        key, article = candidate.page.key, found.article
        assert article is not None  # noqa: S101 - the caller has looked
        had_one = self._writer.newest(key) is not None
        is_other = self._batch.article(
            key, candidate.source, article, visit=candidate.visit, form=found.form, reread_at=now
        )
        if not is_other:
            return
        if not had_one:
            self.summary.articles += 1
            self.summary.show(candidate.page.url, f"new article: {article.title or 'without a title'}")
            return
        self.summary.texts += 1
        if len(self.summary.examples) < MAX_EXAMPLES:
            old = self._archive.versions(key)[-1].article
            changed = [name for name in _COMPARED if getattr(old, name) != getattr(article, name)]
            self.summary.show(candidate.page.url, f"{', '.join(changed)} changed")

    def _advance(self, key: str) -> None:
        self._record = replace(self._record, last_page=key)
        self._filled += 1
        if self._filled >= COMMIT_PAGES or self._clock.monotonic() - self._since >= COMMIT_SECONDS:
            self._commit()

    def _commit(self) -> None:
        self._batch.reread(replace(self._record, done=asdict(self.summary)))
        self._writer.commit(self._batch)
        self._batch = self._writer.batch()
        self._filled, self._since = 0, self._clock.monotonic()
