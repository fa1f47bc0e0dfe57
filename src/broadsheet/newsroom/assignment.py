"""What a crawl is told to do: which sites, how often, and until when. The same assignment given again resumes."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from broadsheet.archive import AgendaEntry, Batch, SourceRecord, Writer
from broadsheet.base import urls
from broadsheet.base.errors import InputError

HOUR = 3600.0
CENTURY = 3.2e9
MAX_SNAPSHOTS = 1_000_000


@dataclass(frozen=True, slots=True)
class Assignment:
    """Sites by the address of their home page (none: all that the archive follows), and the goal, if there is one.

    `every` and `span` are seconds; without `snapshots` and `span` a crawl goes on until it is stopped.
    """

    sites: tuple[str, ...] = ()
    every: float | None = None
    snapshots: int | None = None
    span: float | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be done, and put the sites in the form to fetch."""
        if self.every is not None and not is_span(self.every):
            raise InputError(
                f"the time between snapshots must be more than 0 seconds and less than a century, not {self.every!r}"
            )
        if self.snapshots is not None and not _is_count(self.snapshots):
            raise InputError(f"the number of snapshots must be between 1 and {MAX_SNAPSHOTS:,}, not {self.snapshots!r}")
        if self.span is not None and not is_span(self.span):
            raise InputError(
                f"the duration of a crawl must be more than 0 seconds and less than a century, not {self.span!r}"
            )
        object.__setattr__(self, "sites", tuple(map(home, self.sites)))

    @property
    def goal(self) -> str | None:
        """How the goal is worded: the same words again mean that it is to be resumed."""
        if self.snapshots is not None:
            return f"{self.snapshots} snapshots"
        return None if self.span is None else f"{self.span} seconds"


def home(site: str) -> str:
    """Return the address of a home page as a person may write it, `news.example` for instance."""
    address = str(site).strip()
    url = urls.resolve(address if "://" in address else f"https://{address}", None)
    host = urlsplit(url).hostname or "" if url else ""
    # A name without a dot is a slip more often than a host, and a user's name before it would be sent to the site.
    if not url or "@" in address or not ("." in host or ":" in host or host == "localhost"):
        raise InputError(f"{site!r} is not the http or https URL of a home page")
    return url


def is_span(seconds: object) -> bool:
    """Return whether a value is a number of seconds that makes sense as a time between two visits."""
    return isinstance(seconds, int | float) and 0 < seconds <= CENTURY


def _is_count(snapshots: object) -> bool:
    return isinstance(snapshots, int) and 1 <= snapshots <= MAX_SNAPSHOTS


def assign(writer: Writer, assignment: Assignment, now: datetime) -> list[SourceRecord]:
    """Write the sources and their goals into the archive, and return those to crawl."""
    known = {source.key: source for source in writer.sources()}
    if assignment.sites:
        _require_not_forgotten(writer, assignment.sites)
        chosen = [_source(known, url, now) for url in assignment.sites]
    else:
        chosen = [source for source in known.values() if source.state == "active"]
    if not chosen and not any(source.state == "paused" for source in known.values()):
        raise InputError("the archive does not follow any site yet: give the URL of a home page")
    if not chosen and assignment.goal is not None:
        raise InputError("every source of the archive is paused: resume one with `broadsheet sources resume`")
    batch = writer.batch()
    sources = []
    for source in {source.key: source for source in chosen}.values():
        is_given = source.every_given or assignment.every is not None
        paced = replace(source, every=assignment.every or source.every, every_given=is_given)
        sources.append(with_goal(paced, assignment, now))
        batch.source(sources[-1])
        begins = sources[-1].goal != source.goal or not _is_open(source, now)
        _reschedule(writer, batch, sources[-1], now, source.every, begins=begins)
        page = writer.pages((source.key,)).get(source.key)
        if page is not None and source.key in known and known[source.key].url != source.url:
            # It was named anew, and the validators belong to the other address.
            fetch = replace(page.fetch, etag=None, last_modified=None)
            batch.page(replace(page, url=source.url, fetch=fetch))
    writer.commit(batch)
    return sources


def _require_not_forgotten(writer: Writer, sites: tuple[str, ...]) -> None:
    for url in sites:
        tombstone = writer.tombstone(urls.key(url))
        if tombstone is not None:
            because = f" ({tombstone.because})" if tombstone.because else ""
            raise InputError(
                f"{url} was forgotten on {tombstone.at:%Y-%m-%d}{because} and is not fetched again: to archive it after"
                " all, use another archive"
            )


def _source(known: dict[str, SourceRecord], url: str, now: datetime) -> SourceRecord:
    key = urls.key(url)
    if key in known:
        return replace(known[key], state="active", url=url)
    return new_source(url, now)


def new_source(url: str, now: datetime) -> SourceRecord:
    """Return the source of a home page that was never followed."""
    key = urls.key(url)
    return SourceRecord(key=key, url=url, name=key, added_at=now, every=HOUR)


def _is_open(source: SourceRecord, now: datetime) -> bool:
    return source.until_snapshot is not None or (source.until is not None and source.until > now)


def with_goal(source: SourceRecord, assignment: Assignment, now: datetime) -> SourceRecord:
    """Return the source with its goal: the same one is kept while it is open."""
    if assignment.goal is not None and assignment.goal == source.goal and _is_open(source, now):
        return source
    return replace(
        source,
        goal=assignment.goal,
        until_snapshot=None if assignment.snapshots is None else source.snapshots + assignment.snapshots,
        until=None if assignment.span is None else now + timedelta(seconds=assignment.span),
    )


def _reschedule(  # noqa: PLR0913 - the source as it is and as it was
    writer: Writer, batch: Batch, source: SourceRecord, now: datetime, before: float, *, begins: bool
) -> None:
    """Give the fronts and feeds of a source its pace, and let a new goal begin with all of them at once."""
    for entry in repaced(writer, source, before, now, at_once=begins and source.goal is not None):
        batch.plan(entry)


def repaced(
    writer: Writer, source: SourceRecord, before: float, now: datetime, *, at_once: bool = False
) -> Iterator[AgendaEntry]:
    """Give the planned visits to fronts and feeds that change if they take the pace of their source, which was another.

    What is visited less often than the home page, because it brings little, keeps that proportion.
    """
    for entry in [scheduled.entry for scheduled in writer.agenda(source.key)]:
        if entry.every is not None:
            every = source.every if entry.every == before else entry.every * (source.every / before)
            soonest = now if at_once else now + timedelta(seconds=every)
            changed = replace(entry, every=every, due=min(entry.due, soonest))
            if changed != entry:
                yield changed
