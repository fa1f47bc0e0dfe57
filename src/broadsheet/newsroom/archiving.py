"""An archive as a Python program uses it: add sites, crawl, and read what was archived."""

import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from broadsheet import archive
from broadsheet.archive.export import export
from broadsheet.base.clock import SystemClock
from broadsheet.base.incident import Incident
from broadsheet.base.limits import Limits
from broadsheet.base.manners import Manners
from broadsheet.base.moments import Moment
from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.base.quotas import Quotas
from broadsheet.base.records import Article, Verdict
from broadsheet.newsroom import event_listener
from broadsheet.newsroom.assignment import Assignment, assign
from broadsheet.newsroom.crawl import Crawl
from broadsheet.newsroom.crawl_job import CrawlJob
from broadsheet.newsroom.newsroom_errors import CrawlFailed
from broadsheet.newsroom.progress import Progress


class Archive:
    """The archive in a folder; `store` is the lower-level store with everything else.

    Name a source by its address or key; a source that the archive does not have raises an error. A moment is a date or
    time, as text (`2026-03-01`) or as a Python date or datetime; without an offset it is in UTC.
    """

    def __init__(self, folder: Path | str, *, create: bool = False) -> None:
        """Open the archive; `create=True` makes one if the folder is missing or empty."""
        try:
            self.store = archive.Store.open(folder, create=create)
        except archive.NoArchive as error:
            advice = f"broadsheet.Archive({str(folder)!r}, create=True) creates one"
            raise archive.NoArchive(f"{error}; {advice}") from error

    def __repr__(self) -> str:
        """Show which archive it is."""
        return f"Archive({str(self.store.folder)!r})"

    def __enter__(self) -> Self:
        """Give the archive, which is open already."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the archive."""
        self.close()

    def close(self) -> None:
        """Close all files."""
        self.store.close()

    def add(self, url: str, every: float | None = None) -> archive.SourceRecord:
        """Add a site, by its home page, for later crawls to follow; `every` is the seconds between two snapshots."""
        with self.store.writer() as writer:
            [source] = assign(writer, Assignment((url,), every), SystemClock().now())
        return source

    def crawl(  # noqa: PLR0913 - the goal and the manners, each by its name
        self,
        sites: Sequence[str] | str = (),
        *,
        snapshots: int | None = None,
        seconds: float | None = None,
        every: float | None = None,
        manners: Manners | None = None,
        limits: Limits | None = None,
        quotas: Quotas | None = None,
        settings: NewsroomSettings | None = None,
    ) -> Iterator[Article]:
        """Crawl the given sites, or all, and yield every new article once it is safe on disk.

        The crawl starts when you ask for the first article, and stops when you leave the loop; the next call resumes.
        `snapshots` ends it after so many snapshots of each site, `seconds` after that time; without them it never ends.
        If no home page could be fetched at all, it raises `CrawlFailed`; `failing` returns the sources that failed.
        """
        named = (sites,) if isinstance(sites, str) else tuple(sites)
        assignment = Assignment(named, every, snapshots, seconds)
        folder = str(self.store.folder.absolute())
        job = CrawlJob(
            folder,
            assignment,
            manners or Manners(),
            limits or Limits(),
            quotas=quotas or Quotas(),
            settings=settings or NewsroomSettings(),
        )
        return self._arriving(job)

    def _arriving(self, job: CrawlJob) -> Iterator[Article]:
        last, progress = self.store.last_visit(), Progress()
        with Crawl(job) as crawl:
            for progress in crawl:  # noqa: B007 - the last one says how it ended
                for stored in self.store.arrivals(last):
                    last = max(last, stored.visit)
                    yield stored.article
        if progress.failing and not progress.visits:
            reports = (f"{each.url}: {each.detail}" for each in progress.failing.values())
            raise CrawlFailed(f"no home page could be fetched: {'; '.join(reports)}")

    def failing(self) -> dict[str, Incident]:
        """Return the sources, by their keys, whose home page did not come the last time it was asked for, and why."""
        return self.store.failing()

    def articles(self, since: Moment | None = None, source: str | None = None) -> Iterator[Article]:
        """Yield the newest version of every article, newest article first; `since` selects those from a moment on."""
        return (stored.article for stored in self.store.articles(since, source))

    def near_duplicates(self, url: str) -> list[archive.NearDuplicate]:
        """Return the articles that tell the story of the one at an address, on its site or others, best match first."""
        return self.store.near_duplicates(url)

    def events(
        self,
        after: int = 0,
        *,
        kinds: Collection[archive.EventKind] = (),
        source: str | None = None,
        follow: bool = False,
    ) -> Iterator[archive.ArchiveEvent]:
        """Yield what happened after an event, the oldest first; `follow` waits for what comes, and never ends."""
        return event_listener.follow(
            self.store, after, threading.Event().wait if follow else None, kinds=kinds, source=source
        )

    def listen(
        self,
        callback: Callable[[archive.ArchiveEvent], object],
        *,
        kinds: Collection[archive.EventKind] = (),
        source: str | None = None,
        after: int | None = None,
    ) -> event_listener.EventListener:
        """Call a function for each event, from a thread, until the listener that is returned is closed.

        It begins after an event that you name, or with what happens from now on. An event comes at most a second after
        it was committed, whichever process crawls.
        """
        first = self.store.last_event() if after is None else after
        follow = partial(event_listener.follow, self.store, first, kinds=kinds, source=source)
        return event_listener.EventListener(follow, callback)

    def sections(self, source: str | None = None) -> list[archive.ScheduledPage]:
        """Return the sections that the archive follows."""
        return self.store.sections(source)

    def verdict(self, url: str) -> Verdict | None:
        """Return the verdict on the page at an address, or None if it was not judged."""
        return self.store.verdict(url)

    def export(
        self,
        form: str,
        out: Path | str,
        *,
        since: Moment | None = None,
        source: str | None = None,
        overwrite: bool = False,
    ) -> int:
        """Write the articles to a file in a format such as `jsonl`, `csv`, `parquet` or `warc`, and return how many."""
        return export(self.store, form, Path(out), since=since, source=source, overwrite=overwrite)
