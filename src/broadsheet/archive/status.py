"""How an archive stands: what each source has brought, who is writing, how much room it takes."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy import Connection, func, select

from broadsheet.archive import catalogue, incidents, lease, tables
from broadsheet.archive.archive_records import PageState, SourceRecord, VisitReason
from broadsheet.archive.batch import BYTES_KEPT, REQUESTS_KEPT, VISITS_KEPT
from broadsheet.archive.folder import CATALOGUE, KINDS
from broadsheet.base import counter_names
from broadsheet.base.counters import Counters
from broadsheet.base.incident import Incident

#: What a page that nobody judged is counted as.
UNJUDGED = "unjudged"


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceStatus:
    """One source: its pages by kind and state, the visits planned by reason, its articles and what they took.

    `examples` has one incident for each reason of `failures` and `skips`; `failing` says why its home page did not
    come the last time it was asked for.
    """

    source: SourceRecord
    pages: Mapping[str, Mapping[str, int]]
    planned: Mapping[str, int]
    #: When the home page is due.
    next_snapshot: datetime | None
    sections: int
    articles: int
    versions: int
    visits: int
    requests: int
    bytes: int
    failures: Mapping[str, int]
    skips: Mapping[str, int]
    examples: tuple[Incident, ...]
    failing: Incident | None

    @property
    def queued(self) -> int:
        """How many pages wait to be fetched for the first time."""
        return self.planned.get(VisitReason.CANDIDATE, 0) + self.planned.get(VisitReason.RETRY, 0)

    def in_state(self, state: str) -> int:
        """Return the number of pages in a state, of whatever kind."""
        return sum(states.get(state, 0) for states in self.pages.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """An archive as it stands after its last commit; `disk` is bytes by kind of file, leftovers included."""

    sources: tuple[SourceStatus, ...]
    failures: Mapping[str, int]
    skips: Mapping[str, int]
    examples: tuple[Incident, ...]
    holder: lease.Lease | None
    disk: Mapping[str, int]
    last_commit: datetime | None
    commits: int


def status(folder: Path, connection: Connection, observer: lease.Lease) -> Status:
    """Count all sources in one transaction; `holder` is the first of those that write, as far as the observer knows."""
    writers = lease.writers(connection, observer)
    last, number = connection.execute(select(func.max(tables.commits.c.at), func.count())).one()
    counters, examples = catalogue.counters(connection), incidents.examples(connection)
    return Status(
        sources=tuple(_sources(connection, examples)),
        failures=_reasons(counters, counter_names.FAILED),
        skips=_reasons(counters, counter_names.SKIPPED),
        examples=tuple(incidents.newest(examples)),
        holder=writers[0] if writers else None,
        disk=_disk(folder),
        last_commit=last,
        commits=number,
    )


def _sources(connection: Connection, examples: Mapping[incidents.IncidentKey, Incident]) -> Iterator[SourceStatus]:
    pages, articles, failing = _pages(connection), _articles(connection), incidents.failing(connection)
    planned, due = _planned(connection), _next_home(connection)
    for source in catalogue.sources(connection):
        counters = catalogue.counters(connection, source.key)
        number, versions = articles.get(source.key, (0, 0))
        own = {key: incident for key, incident in examples.items() if key[0] == source.key}
        yield SourceStatus(
            source=source,
            pages=pages.get(source.key, {}),
            planned=planned.get(source.key, {}),
            next_snapshot=due.get(source.key),
            sections=len(catalogue.sections(connection, source.key)),
            articles=number,
            versions=versions,
            visits=counters.total(VISITS_KEPT),
            requests=counters.total(REQUESTS_KEPT),
            bytes=counters.total(BYTES_KEPT),
            failures=_reasons(counters, counter_names.FAILED),
            skips=_reasons(counters, counter_names.SKIPPED),
            examples=tuple(incidents.newest(own)),
            failing=failing.get(source.key),
        )


def _pages(connection: Connection) -> dict[str, dict[str, Counter[str]]]:
    members, fetches, verdicts = tables.members, tables.fetches, tables.verdicts
    grouped = (members.c.source, verdicts.c.kind, fetches.c.state)
    joined = members.outerjoin(fetches, fetches.c.page == members.c.page).outerjoin(
        verdicts, verdicts.c.page == members.c.page
    )
    found: dict[str, dict[str, Counter[str]]] = {}
    query = select(*grouped, func.count()).select_from(joined).group_by(*grouped)
    for source, kind, state, number in connection.execute(query):
        # A page that was asked for in vain is as little known as one that never was.
        states = found.setdefault(source, {}).setdefault(kind or UNJUDGED, Counter())
        states[state or PageState.KNOWN.value] += number
    return found


def _planned(connection: Connection) -> dict[str, dict[str, int]]:
    fields = tables.agenda.c
    found: dict[str, dict[str, int]] = {}
    query = select(fields.source, fields.reason, func.count()).group_by(fields.source, fields.reason)
    for source, reason, number in connection.execute(query):
        found.setdefault(source, {})[reason] = number
    return found


def _next_home(connection: Connection) -> dict[str, datetime]:
    fields = tables.agenda.c
    query = select(fields.source, fields.due).where(fields.source == fields.page)
    return {row.source: row.due for row in connection.execute(query)}


def _articles(connection: Connection) -> dict[str, tuple[int, int]]:
    """Return the articles of each source and their versions, whichever source they were fetched for."""
    versions, members = tables.versions, tables.members
    joined = versions.join(members, members.c.page == versions.c.key)
    query = select(members.c.source, func.count(versions.c.key.distinct()), func.count()).select_from(joined)
    grouped = query.group_by(members.c.source)
    return {source: (articles, number) for source, articles, number in connection.execute(grouped)}


def _reasons(counters: Counters, event: str) -> dict[str, int]:
    return {counted.reason or "": number for counted, number in counters if counted.name == event}


def _disk(folder: Path) -> dict[str, int]:
    sizes = {kind: sum(map(_size, (folder / kind).iterdir())) for kind in KINDS}
    return {"catalogue": sum(map(_size, folder.glob(f"{CATALOGUE}*"))), **sizes}


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        # Temporary files and the catalogue's journal come and go while somebody writes.
        return 0
