"""What a crawl is told to do: which sites, how often, and until when. The same assignment given again resumes."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from broadsheet.archive import SourceRecord, Writer
from broadsheet.base import urls
from broadsheet.base.errors import InputError

HOUR = 3600.0


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
        if self.every is not None and not self.every > 0:
            raise InputError(f"the time between two rounds must be more than 0 seconds, not {self.every}")
        if self.snapshots is not None and self.snapshots < 1:
            raise InputError(f"a crawl has at least one snapshot, not {self.snapshots}")
        if self.span is not None and not self.span > 0:
            raise InputError(f"a crawl lasts more than 0 seconds, not {self.span}")
        object.__setattr__(self, "sites", tuple(map(home, self.sites)))


def home(site: str) -> str:
    """Return the address of a home page as a person may write it, `news.example` for instance."""
    address = site.strip()
    url = urls.resolve(address if "://" in address else f"https://{address}/", None)
    # A name without a dot is a slip more often than a host, and a user's name before it would be sent to the site.
    if not url or "@" in address or ("." not in url and "localhost" not in url):
        raise InputError(f"{site!r} is no http or https address of a home page")
    return url


def assign(writer: Writer, assignment: Assignment, now: datetime) -> list[SourceRecord]:
    """Write the sources and their goals into the archive, and return those to crawl."""
    known = {source.key: source for source in writer.sources() if source.state != "removed"}
    if assignment.sites:
        chosen = [_source(known, url, now) for url in assignment.sites]
    else:
        chosen = [source for source in known.values() if source.state == "active"]
    if not chosen:
        raise InputError("the archive follows no site yet: name the address of a home page")
    sources = [_with_goal(source, assignment, now) for source in {source.key: source for source in chosen}.values()]
    batch = writer.batch()
    for source in sources:
        batch.source(source)
    writer.commit(batch)
    return sources


def _source(known: dict[str, SourceRecord], url: str, now: datetime) -> SourceRecord:
    key = urls.key(url)
    if key in known:
        return replace(known[key], state="active")
    return SourceRecord(key=key, url=url, name=key, added_at=now, every=HOUR)


def _with_goal(source: SourceRecord, assignment: Assignment, now: datetime) -> SourceRecord:
    """Return the source with its goal: one that was not reached yet is kept, so that the same command resumes."""
    every = assignment.every or source.every
    until_round, until = None, None
    if assignment.snapshots is not None:
        until_round = source.until_round or source.rounds + assignment.snapshots
    if assignment.span is not None:
        is_open = source.until is not None and source.until > now
        until = source.until if is_open else now + timedelta(seconds=assignment.span)
    next_round = source.next_round
    if next_round is not None:
        next_round = min(next_round, now + timedelta(seconds=every))
    return replace(source, every=every, until_round=until_round, until=until, next_round=next_round)
