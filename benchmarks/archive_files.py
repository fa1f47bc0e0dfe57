"""How many files a year of hourly rounds leaves in an archive: python -m benchmarks.archive_files [--days 365].

Commits are made as a crawl makes them, but of synthetic visits. For every four sources (`GROUP`) and each hour, one
visit stands for their home pages and sections, most of them unchanged, and one for their new pages: they have as many
bytes and links, but fewer records. Pages are random bytes, which do not compress. All sizes are divided by `--scale`,
and so is the size at which a file is full, so the files are as many as at full size. The clock is simulated, so merged
files are removed as they would be.
"""

import argparse
import random
import tempfile
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from benchmarks.machine import describe
from benchmarks.memory import high_water
from broadsheet.archive import (
    Batch,
    FetchRecord,
    LinkRows,
    Membership,
    PageRecord,
    PageState,
    SourceRecord,
    Store,
    Writer,
)
from broadsheet.archive.folder import KINDS
from broadsheet.archive.merge_policy import FULL_BYTES
from broadsheet.base.clock import ManualClock
from broadsheet.base.exchange import Exchange
from broadsheet.base.records import Article

START = datetime(2026, 1, 1, tzinfo=UTC)
#: A round of one source: eleven home pages and sections of 20 to 60 KB, as compressed, of which three in ten have
#: changed, with 60 links each; and five new pages of 10 to 40 KB.
GROUP, FOLLOWED, CHANGED, LINKS = 4, 11, 0.3, 60
SECTION_BYTES, PAGE_BYTES = (
    (GROUP * FOLLOWED * 20_000, GROUP * FOLLOWED * 60_000),
    (GROUP * 5 * 10_000, GROUP * 5 * 40_000),
)


class Tally:
    """The files of an archive, looked at after each commit: how many there are, and what was written in all."""

    def __init__(self, folder: Path) -> None:
        """Look at the archive in a folder, which has no files yet."""
        self._folder = folder
        self._sizes: dict[Path, int] = {}
        self.written = Counter[str]()
        self.files = Counter[str]()
        self.most = 0

    def look(self) -> None:
        """Count the files that there are now; those that came since the last time were written in between."""
        now = {path: path.stat().st_size for kind in KINDS for path in (self._folder / kind).iterdir()}
        for path in now.keys() - self._sizes.keys():
            self.written[path.parent.name] += now[path]
        self._sizes = now
        self.files = Counter(path.parent.name for path in now)
        self.most = max(self.most, len(now))

    def kept(self, kind: str) -> int:
        """Return the bytes that there are now of a kind."""
        return sum(size for path, size in self._sizes.items() if path.parent.name == kind)


class Site:
    """A group of sources that change and publish by chance."""

    def __init__(self, number: int, scale: int, chance: random.Random) -> None:
        """Begin with a home page that nobody has seen."""
        self.key = f"news{number}.example"
        self._scale, self._chance, self._published = scale, chance, 0
        self._home = b""

    def fill(self, batch: Batch, now: datetime) -> None:
        """Add an hourly round to a batch."""
        chance = self._chance.random()
        if not self._home or chance < CHANGED:
            self._home = self._body(SECTION_BYTES)
            self._visit(batch, self.key, now, self._home, self._links())
        elif chance < 0.6:
            self._visit(batch, self.key, now, b"", status=304)
        else:
            self._visit(batch, self.key, now, self._home)
        self._published += 1
        key = f"{self.key}/article/{self._published}"
        visit = self._visit(batch, key, now, self._body(PAGE_BYTES))
        batch.article(key, self.key, Article(title=key, body="A short text. " * 10, published=now), visit=visit)

    def _visit(  # noqa: PLR0913, PLR0917 - what a visit is made of
        self, batch: Batch, key: str, now: datetime, body: bytes, links: LinkRows | None = None, status: int = 200
    ) -> int:
        headers = (("Content-Type", "text/html"), ("Content-Encoding", "gzip"), ("ETag", f'"{len(body)}"'))
        asked = (("Host", self.key), ("User-Agent", "benchmark"))
        fetched = FetchRecord(state=PageState.FETCHED, fetched_at=now)
        batch.page(PageRecord(key=key, url=f"https://{key}", first_seen=now, fetch=fetched))
        batch.member(Membership(source=self.key, page=key, first_seen=now, found_on=self.key))
        answer = Exchange(f"https://{key}", now, status, headers, body, asked)
        return batch.visit(key, answer.url, (answer,), links=links, source=self.key)

    def _body(self, sizes: tuple[int, int]) -> bytes:
        return self._chance.randbytes(self._chance.randint(*sizes) // self._scale)

    def _links(self) -> LinkRows:
        number = max(1, GROUP * FOLLOWED * LINKS // self._scale)
        last = self._published + 1
        targets = [f"{self.key}/article/{max(1, last - index)}" for index in range(number)]
        return LinkRows(
            targets=targets,
            urls=[f"https://{target}" for target in targets],
            collections=["main"] * number,
            positions=np.arange(number, dtype=np.int32),
            paths=[f"/html/body/main/ul/li[{index}]/a" for index in range(number)],
            anchors=[f"Headline {index}" for index in range(number)],
        )


def simulate(folder: Path, *, days: int, sources: int, commits: int, scale: int) -> Tally:
    """Fill an archive with hourly rounds, each in so many commits."""
    tally, clock, chance = Tally(folder), ManualClock(START), random.Random(1)
    sites = [Site(number, scale, chance) for number in range(sources // GROUP)]
    with (
        Store.open(folder, create=True) as archive,
        archive.writer(clock=clock, machine=clock, full_bytes=FULL_BYTES // scale) as writer,
    ):
        begin(writer, sites)
        for hour in range(days * 24):
            for part in range(commits):
                batch = writer.batch()
                for site in sites[part::commits]:
                    site.fill(batch, clock.now())
                writer.commit(batch)
                tally.look()
                clock.advance(timedelta(minutes=10) / commits)
            clock.advance(timedelta(minutes=50))
            writer.heartbeat()
            if hour % 240 == 0:
                print(f"after {hour / 24:.0f} days: {dict(tally.files)}, {time.process_time():.0f} s", flush=True)
    tally.look()
    return tally


def begin(writer: Writer, sites: list[Site]) -> None:
    """Add the sources."""
    batch = writer.batch()
    for site in sites:
        batch.source(SourceRecord(key=site.key, url=f"https://{site.key}", name=site.key, added_at=START))
    writer.commit(batch)


def report(folder: Path, tally: Tally, scale: int) -> None:
    """Print what was counted."""
    print(f"files left: {tally.files.total()} ({', '.join(f'{kind} {tally.files[kind]}' for kind in KINDS)})")
    print(f"most files after a commit: {tally.most}")
    for kind in KINDS:
        kept, written = tally.kept(kind), tally.written[kind]
        unscaled = f"{kept * scale / 1e9:.1f} GB unscaled"
        print(f"{kind}: {kept / 1e6:,.0f} MB kept ({unscaled}), written {written / kept:.2f} times")
    size = sum(path.stat().st_size for path in folder.glob("catalogue.sqlite*"))
    print(
        f"catalogue: {size / 1e6:,.0f} MB; peak memory {high_water() / 1e6:,.0f} MB; CPU {time.process_time():,.0f} s"
    )
    print(", ".join(map(str, describe().values())))


def main() -> None:
    """Simulate, count and print; the archive is removed again."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--sources", type=int, default=20)
    parser.add_argument("--commits", type=int, default=1, help="commits per round")
    parser.add_argument("--scale", type=int, default=50, help="divide sizes by this")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="archive_files-") as folder:
        place = Path(folder) / "news"
        tally = simulate(
            place, days=options.days, sources=options.sources, commits=options.commits, scale=options.scale
        )
        report(place, tally, options.scale)


if __name__ == "__main__":
    main()
