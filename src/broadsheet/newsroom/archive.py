"""An archive as a Python program uses it: add sites, crawl, and read what was archived."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from broadsheet import archive as kept
from broadsheet.archive.export import export
from broadsheet.base.clock import SystemClock
from broadsheet.base.incident import Incident
from broadsheet.base.limits import Limits
from broadsheet.base.manners import Manners
from broadsheet.base.moments import Moment
from broadsheet.base.quotas import Quotas
from broadsheet.base.records import Article, Verdict
from broadsheet.newsroom.assignment import Assignment, assign
from broadsheet.newsroom.crawl import Crawl
from broadsheet.newsroom.errors import CrawlFailed
from broadsheet.newsroom.job import Job
from broadsheet.newsroom.progress import Progress


class Archive:
    """The archive in a folder; `kept` has all that can be asked of it.

    A source is named by its address or key, and one that the archive does not have raises. A moment is a date or time,
    as text (`2026-03-01`) or in Python's own types; what has no offset is in UTC.
    """

    def __init__(self, folder: Path | str, *, create: bool = False) -> None:
        """Open the archive; `create` makes the folder one if it is missing or empty."""
        try:
            self.kept = kept.Archive.open(folder, create=create)
        except kept.NoArchive as error:
            advice = f"broadsheet.Archive({str(folder)!r}, create=True) makes one"
            raise kept.NoArchive(f"{error}; {advice}") from error

    def __repr__(self) -> str:
        """Show which archive it is."""
        return f"Archive({str(self.kept.folder)!r})"

    def __enter__(self) -> Self:
        """Give the archive, which is open already."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the archive."""
        self.close()

    def close(self) -> None:
        """Let go of the files."""
        self.kept.close()

    def add(self, url: str, every: float | None = None) -> kept.SourceRecord:
        """Follow the site of a home page in the crawls to come; `every` is the seconds between two rounds."""
        with self.kept.writer() as writer:
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
    ) -> Iterator[Article]:
        """Crawl some sites, or all, and give every new article when it is safe on disk.

        It begins with the first article that is asked for. Without `snapshots` and `seconds` it goes on for ever; to
        leave the loop ends it, and the next call resumes. Where no home page could be visited at all, it ends with
        `CrawlFailed`; `failing` says which sources failed at the end.
        """
        named = (sites,) if isinstance(sites, str) else tuple(sites)
        assignment = Assignment(named, every, snapshots, seconds)
        folder, kept = str(self.kept.folder.absolute()), quotas or Quotas()
        job = Job(folder, assignment, manners or Manners(), limits or Limits(), quotas=kept)
        return self._arriving(job)

    def _arriving(self, job: Job) -> Iterator[Article]:
        last, progress = self.kept.last_visit(), Progress()
        with Crawl(job) as crawl:
            for progress in crawl:  # noqa: B007 - the last one says how it ended
                for stored in self.kept.arrivals(last):
                    last = max(last, stored.visit)
                    yield stored.article
        if progress.failing and not progress.visits:
            told = (f"{each.url}: {each.detail}" for each in progress.failing.values())
            raise CrawlFailed(f"no home page could be visited: {'; '.join(told)}")

    def failing(self) -> dict[str, Incident]:
        """Return the sources, by their keys, whose home page did not come the last time it was asked for, and why."""
        return self.kept.failing()

    def articles(self, since: Moment | None = None, source: str | None = None) -> Iterator[Article]:
        """Give the newest version of every article, the newest article first, or those from a moment on."""
        return (stored.article for stored in self.kept.articles(since, source))

    def sections(self, source: str | None = None) -> list[kept.PageRecord]:
        """Return the sections that are followed."""
        return self.kept.sections(source)

    def verdict(self, url: str) -> Verdict | None:
        """Say what the page at an address is, if it was judged."""
        return self.kept.verdict(url)

    def export(
        self,
        form: str,
        out: Path | str,
        *,
        since: Moment | None = None,
        source: str | None = None,
        overwrite: bool = False,
    ) -> int:
        """Write the articles to a file in one of `archive.export.FORMATS`, and return how many."""
        return export(self.kept, form, Path(out), since=since, source=source, overwrite=overwrite)
