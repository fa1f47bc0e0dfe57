"""An archive as a Python program uses it: add sites, crawl, and read what was archived."""

import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from broadsheet import archive
from broadsheet.archive.export import export
from broadsheet.base.clock import SystemClock
from broadsheet.base.closable import Closable
from broadsheet.base.errors import InputError
from broadsheet.base.incident import Incident
from broadsheet.base.keep_rules import EVERYTHING, KeepRule
from broadsheet.base.limits import Limits
from broadsheet.base.manners import Manners
from broadsheet.base.moments import Moment
from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.base.quotas import Quotas
from broadsheet.base.records import Article, Verdict
from broadsheet.newsroom import event_listener
from broadsheet.newsroom.assignment import Assignment, home
from broadsheet.newsroom.crawl import Crawl
from broadsheet.newsroom.crawl_job import CrawlJob
from broadsheet.newsroom.newsroom_errors import CrawlFailed
from broadsheet.newsroom.progress import Progress
from broadsheet.newsroom.source_files import read_sources
from broadsheet.newsroom.source_lists import AppliedList, apply_list
from broadsheet.newsroom.source_orders import give, stop


class Archive(Closable):
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

    def close(self) -> None:
        """Close all files."""
        self.store.close()

    def sources(self, tag: str | None = None) -> list[archive.SourceRecord]:
        """Return the sources, those that are paused or removed included; `tag` selects those with a tag."""
        return [source for source in self.store.sources() if tag is None or tag in source.settings.tags]

    def add(self, url: str, every: float | None = None, **settings: Any) -> archive.SourceRecord:  # noqa: ANN401
        """Add a site, by its home page, for crawls to follow; `every` is the seconds between two snapshots.

        A crawl that runs on the archive visits it at once. Other settings are those of `set`.
        """
        values = settings if every is None else {**settings, "every": every}
        return self._order(archive.OrderKind.ADD, url, values)

    def pause(self, source: str) -> archive.SourceRecord:
        """Visit no page of a source any more until it is resumed; what is planned for it is kept."""
        return self._order(archive.OrderKind.PAUSE, source)

    def resume(self, source: str) -> archive.SourceRecord:
        """Continue with a source that was paused."""
        return self._order(archive.OrderKind.RESUME, source)

    def remove(self, source: str) -> archive.SourceRecord:
        """Visit no page of a source any more; its articles and pages stay, and adding it again continues it."""
        return self._order(archive.OrderKind.REMOVE, source)

    def set(self, source: str, **settings: Any) -> archive.SourceRecord:  # noqa: ANN401 - each setting has its own type
        """Change settings of a source: `name`, `every`, and those of `SourceSettings`; None stands for the default."""
        return self._order(archive.OrderKind.SET, source, settings)

    def apply(self, file: Path | str, *, prune: bool = False) -> AppliedList:
        """Bring the sources in line with a TOML or OPML file; `prune` pauses those that are not in it."""
        return apply_list(self.store, read_sources(Path(file)), prune=prune)

    def stop(self) -> bool:
        """Stop the crawl that runs on the archive, and wait until it has ended; return whether one ran."""
        outcome = stop(self.store)
        if outcome is not None and outcome.order.result is None:
            raise archive.ArchiveBusy(f"{self.store.folder}: {outcome}")
        return outcome is not None

    def _order(
        self, what: archive.OrderKind, source: str, values: Mapping[str, Any] | None = None
    ) -> archive.SourceRecord:
        """Have the running crawl, or else this process, change a source, and return it as it is then."""
        address = home(source) if what is archive.OrderKind.ADD else str(source)
        order = archive.Order(what=what, source=address, values=values or {}, at=SystemClock().now())
        [outcome] = give(self.store, [order])
        if outcome.order.error is not None:
            raise InputError(outcome.order.error)
        if outcome.order.taken_at is None:
            raise archive.ArchiveBusy(f"{self.store.folder}: {outcome}")
        return self.store.find_source(address)

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
        keep: str | None = None,
        max_size: int | None = None,
    ) -> Iterator[Article]:
        """Crawl the given sites, or all, and yield every new article once it is safe on disk.

        The crawl starts when you ask for the first article, and stops when you leave the loop; the next call resumes.
        `snapshots` ends it after so many snapshots of each site, `seconds` after that time; without them it never ends.
        `keep` is a rule such as `fronts 30d, other 7d` for sites without one of their own, as in `tidy`, and
        `max_size` the bytes that the archive may have before its oldest responses go, those of articles excepted.
        If no home page could be fetched at all, it raises `CrawlFailed`; `failing` returns the sources that failed.
        """
        named = (sites,) if isinstance(sites, str) else tuple(sites)
        assignment = Assignment(named, every, snapshots, seconds)
        folder = str(self.store.folder.absolute())
        newsroom = settings or NewsroomSettings()
        job = CrawlJob(
            folder,
            assignment,
            manners or Manners(),
            limits or Limits(),
            quotas=quotas or Quotas(),
            settings=replace(
                newsroom,
                keep=newsroom.keep if keep is None else keep,
                max_size=newsroom.max_size if max_size is None else max_size,
            ),
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

    def tidy(self, keep: str = EVERYTHING, *, max_size: int = 0, dry_run: bool = False) -> archive.Tidied:
        """Remove what is older than keep rules say, and return what that was; `dry_run` removes nothing.

        A source without a rule of its own goes by `keep`, such as `fronts 30d, other 7d, links 1y`. Articles stay.
        If the archive has more than `max_size` bytes, the oldest responses go beyond that; 0 stands for any size.
        """
        rule = KeepRule.parse(keep)
        if dry_run:
            plan = self.store.plan_tidying(rule, max_bytes=max_size)
            return archive.Tidied(plan.removed, len(plan.files), pressure=plan.pressure)
        with self.store.writer() as writer:
            return writer.tidy(rule, max_bytes=max_size)

    def failing(self) -> dict[str, Incident]:
        """Return the sources, by their keys, whose last visit to the home page failed, and why."""
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

    def why(self, url: str) -> archive.PageHistory:
        """Return all that is known of the page at an address; as text, why it is archived or why it is not."""
        return self.store.why(url)

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
