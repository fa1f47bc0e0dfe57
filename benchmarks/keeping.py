"""How large an archive becomes in a month with and without a keep rule: python -m benchmarks.keeping [--days 30].

Commits are made as a crawl makes them, but of synthetic visits: every hour, each source's home page and sections, three
in ten of which have changed, one new article, and now and then a page that is neither. Bodies are random bytes, which
do not compress, and all sizes are divided by `--scale`. What the rule removes is removed as a running crawl does it,
after commits. The clock is simulated.
"""

import argparse
import random
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from benchmarks.machine import describe
from benchmarks.table import lay_out
from broadsheet.archive import (
    Batch,
    FetchRecord,
    LinkRows,
    Membership,
    PageRecord,
    PageState,
    SourceRecord,
    Store,
    VerdictRecord,
)
from broadsheet.archive.folder import KINDS
from broadsheet.archive.merge_policy import FULL_BYTES
from broadsheet.base.clock import ManualClock
from broadsheet.base.exchange import Exchange
from broadsheet.base.keep_rules import KeepRule
from broadsheet.base.records import Article, Kind, Verdict
from broadsheet.newsroom.archive_tidying import Tidying

START = datetime(2026, 1, 1, tzinfo=UTC)
RULE = "fronts 7d, other 2d, links 14d"
#: Home page and sections of a source, how many links each has, and the share of them that changes in an hour.
FRONTS, LINKS, CHANGED = 8, 60, 0.3
FRONT_BYTES, PAGE_BYTES = 40_000, 25_000


class Paper:
    """A source whose fronts change by chance, and that publishes every hour."""

    def __init__(self, number: int, scale: int, *, publishes: bool = True) -> None:
        """Begin with fronts that nobody has seen; one that does not publish has no other pages."""
        self.key = f"paper{number}.example"
        self._scale, self._publishes = scale, publishes
        self._chance, self._hour = random.Random(number), 0

    def source(self) -> SourceRecord:
        """Return the source."""
        return SourceRecord(key=self.key, url=f"https://{self.key}", name=self.key, added_at=START)

    def fill(self, batch: Batch, now: datetime) -> None:
        """Add what came in an hour."""
        for number in range(FRONTS):
            key = f"{self.key}/section/{number}" if number else self.key
            if self._chance.random() < CHANGED or not self._hour:
                self._visit(batch, key, now, "section", self._body(FRONT_BYTES), self._links())
            else:
                self._visit(batch, key, now, "section", b"", status=304)
        self._hour += 1
        if self._publishes:
            key = f"{self.key}/article/{self._hour}"
            visit = self._visit(batch, key, now, "article", self._body(PAGE_BYTES))
            batch.article(key, self.key, Article(title=key, body="A short text. " * 10, published=now), visit=visit)
            if self._hour % 3 == 0:
                self._visit(batch, f"{self.key}/other/{self._hour % 48}", now, "other", self._body(PAGE_BYTES))

    def _visit(  # noqa: PLR0913, PLR0917 - what a visit is made of
        self,
        batch: Batch,
        key: str,
        now: datetime,
        kind: Kind,
        body: bytes,
        links: LinkRows | None = None,
        status: int = 200,
    ) -> int:
        headers = (("Content-Type", "text/html"), ("Content-Encoding", "gzip"), ("ETag", f'"{len(body)}"'))
        judged = VerdictRecord(verdict=Verdict(kind, None, 1.0, {kind: 1.0}, (), "benchmark"), at=now)
        fetched = FetchRecord(state=PageState.FETCHED, fetched_at=now)
        first = now if kind == "article" else START
        batch.page(PageRecord(key=key, url=f"https://{key}", first_seen=first, fetch=fetched, judged=judged))
        batch.member(Membership(source=self.key, page=key, first_seen=first, found_on=self.key))
        answer = Exchange(f"https://{key}", now, status, headers, body, (("Host", self.key),))
        return batch.visit(key, answer.url, (answer,), links=links, source=self.key)

    def _body(self, size: int) -> bytes:
        return self._chance.randbytes(self._chance.randint(size // 2, size * 3 // 2) // self._scale)

    def _links(self) -> LinkRows:
        number = max(1, LINKS // self._scale)
        targets = [f"{self.key}/article/{max(1, self._hour - index)}" for index in range(number)]
        return LinkRows(
            targets=targets,
            urls=[f"https://{target}" for target in targets],
            collections=["main"] * number,
            positions=np.arange(number, dtype=np.int32),
            paths=[f"/html/body/main/ul/li[{index}]/a" for index in range(number)],
            anchors=[f"Headline {index}" for index in range(number)],
        )


def month(  # noqa: PLR0913, PLR0917 - what is crawled, and how
    folder: Path, papers: list[Paper], rule: str, days: int, scale: int, hours: int = 1
) -> Iterator[dict[str, int]]:
    """Crawl every so many hours by a rule, and give the bytes of each kind of file at the end of every day."""
    clock = ManualClock(START)
    with (
        Store.open(folder, create=True) as archive,
        archive.writer(clock=clock, machine=clock, full_bytes=FULL_BYTES // scale) as writer,
    ):
        tidying = Tidying(writer, clock, KeepRule.parse(rule))
        for hour in range(0, days * 24, hours):
            batch = writer.batch()
            for paper in papers:
                if not hour:
                    batch.source(paper.source())
                paper.fill(batch, clock.now())
            writer.commit(batch)
            tidying.step()
            clock.advance(timedelta(hours=hours))
            writer.heartbeat()
            if (hour + hours) % 24 == 0:
                yield sizes(folder)


def sizes(folder: Path) -> dict[str, int]:
    """Return the bytes of each kind of file."""
    found = {kind: sum(path.stat().st_size for path in (folder / kind).iterdir()) for kind in KINDS}
    # Without its write-ahead log, which is emptied when the writer is closed.
    return {**found, "catalogue": (folder / "catalogue.sqlite").stat().st_size}


def main() -> None:
    """Simulate both, and print the sizes of some days."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--sources", type=int, default=5)
    parser.add_argument("--scale", type=int, default=10, help="divide sizes by this")
    parser.add_argument("--keep", default=RULE, help="the rule")
    options = parser.parse_args()
    rows = []
    for rule in ("everything", options.keep):
        papers = [Paper(number, options.scale) for number in range(options.sources)]
        cpu = time.process_time()
        with tempfile.TemporaryDirectory(prefix="keeping-") as folder:
            for day, found in enumerate(month(Path(folder), papers, rule, options.days, options.scale), 1):
                if day in {options.days // 4, options.days // 2, options.days}:
                    mega = [f"{size / 1e6:,.1f}" for size in (*found.values(), sum(found.values()))]
                    rows.append([rule, str(day), *mega, f"{time.process_time() - cpu:,.0f}"])
    print(lay_out(["rule", "day", *(f"{kind} MB" for kind in (*KINDS, "catalogue", "all")), "CPU s"], rows, left=1))
    print(", ".join(map(str, describe().values())))


if __name__ == "__main__":
    main()
