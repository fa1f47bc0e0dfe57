"""How an archive stands: what each source has brought, who is writing, how much room it takes."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, func, select

from broadsheet.archive import catalogue, incidents, lease, prunings, tables, tallies
from broadsheet.archive.folder import CATALOGUE, KINDS, SEARCH
from broadsheet.archive.page_records import VisitReason
from broadsheet.archive.prunings import Pruning
from broadsheet.archive.source_records import SourceRecord
from broadsheet.archive.visit_counts import BYTES_KEPT, NOT_MODIFIED_KEPT, REQUESTS_KEPT, VISITS_KEPT
from broadsheet.base import counter_names
from broadsheet.base.incident import Incident

#: The articles of so many days are told day by day.
DAYS = 14


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
    #: How many of them were overdue at the last commit.
    late: int
    articles: int
    versions: int
    #: Articles archived on each of the last days, up to the day of the last commit.
    articles_by_day: tuple[int, ...]
    visits: int
    #: How many visits were answered with 304; archives of earlier versions did not count it.
    not_modified: int
    requests: int
    bytes: int
    failures: Mapping[str, int]
    skips: Mapping[str, int]
    examples: tuple[Incident, ...]
    failing: Incident | None
    #: What keep rules have removed, by kind.
    removed: Mapping[str, Pruning]

    @property
    def queued(self) -> int:
        """How many pages wait to be fetched for the first time."""
        return self.planned.get(VisitReason.CANDIDATE, 0) + self.planned.get(VisitReason.RETRY, 0)

    @property
    def articles_a_day(self) -> float:
        """The mean of the days since the first of the last days that brought an article."""
        first = next((place for place, number in enumerate(self.articles_by_day) if number), DAYS - 1)
        return sum(self.articles_by_day) / (DAYS - first)

    def per_article(self, cost: int) -> float | None:
        """Return the share of a cost that falls to each article, None without articles."""
        return cost / self.articles if self.articles else None

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
    counters, examples = _counters(connection), incidents.examples(connection)
    every: Counter[tuple[str, str]] = sum(counters.values(), Counter())
    return Status(
        sources=tuple(_sources(connection, examples, counters, last)),
        failures=_reasons(every, counter_names.FAILED),
        skips=_reasons(every, counter_names.SKIPPED),
        examples=tuple(incidents.newest(examples)),
        holder=writers[0] if writers else None,
        disk=_disk(folder),
        last_commit=last,
        commits=number,
    )


def _sources(
    connection: Connection,
    examples: Mapping[incidents.IncidentKey, Incident],
    counters: Mapping[str, Counter[tuple[str, str]]],
    last_commit: datetime | None,
) -> Iterator[SourceStatus]:
    pages, failing = _pages(connection), incidents.failing(connection)
    articles, versions = _totals(connection, tallies.ARTICLES), _totals(connection, tallies.VERSIONS)
    days = _days(connection, last_commit)
    planned, fronts = _planned(connection), _fronts(connection, last_commit)
    removed = prunings.stored(connection)
    own: dict[str, dict[incidents.IncidentKey, Incident]] = {}
    for key, incident in examples.items():
        own.setdefault(key[0], {})[key] = incident
    for source in catalogue.sources(connection):
        counted, front = counters.get(source.key, Counter()), fronts.get(source.key, _Fronts())
        yield SourceStatus(
            source=source,
            pages=pages.get(source.key, {}),
            planned=planned.get(source.key, {}),
            next_snapshot=front.home,
            sections=front.number,
            late=front.late,
            articles=articles.get(source.key, 0),
            versions=versions.get(source.key, 0),
            articles_by_day=tuple(days.get(source.key, [0] * DAYS)),
            visits=counted[VISITS_KEPT, ""],
            not_modified=counted[NOT_MODIFIED_KEPT, ""],
            requests=counted[REQUESTS_KEPT, ""],
            bytes=counted[BYTES_KEPT, ""],
            failures=_reasons(counted, counter_names.FAILED),
            skips=_reasons(counted, counter_names.SKIPPED),
            examples=tuple(incidents.newest(own.get(source.key, {}))),
            failing=failing.get(source.key),
            removed={kind: pruning for (its, kind), pruning in removed.items() if its == source.key},
        )


def _counters(connection: Connection) -> dict[str, Counter[tuple[str, str]]]:
    """Return what was counted, by source, name and reason; what belongs to no source has an empty one."""
    found: dict[str, Counter[tuple[str, str]]] = {}
    for row in connection.execute(select(tables.counters)):
        found.setdefault(row.source, Counter())[row.name, row.reason] += row.number
    return found


def _pages(connection: Connection) -> dict[str, dict[str, dict[str, int]]]:
    found: dict[str, dict[str, dict[str, int]]] = {}
    for source, label, number in tallies.kept(connection, tallies.PAGES):
        kind, _, state = label.partition("/")
        found.setdefault(source, {}).setdefault(kind, {})[state] = number
    return found


def _totals(connection: Connection, name: str) -> dict[str, int]:
    return {source: number for source, _, number in tallies.kept(connection, name)}


def _days(connection: Connection, last_commit: datetime | None) -> dict[str, list[int]]:
    """Return the articles that each source brought on the last days, the oldest day first."""
    if last_commit is None:
        return {}
    first = last_commit.date() - timedelta(days=DAYS - 1)
    found: dict[str, list[int]] = {}
    for source, label, number in tallies.kept(connection, tallies.ARTICLES_BY_DAY, first.isoformat()):
        place = (date.fromisoformat(label) - first).days
        if place < DAYS:
            found.setdefault(source, [0] * DAYS)[place] += number
    return found


class _Fronts(NamedTuple):
    """The pages of a source that are visited again and again: how many, how many late, and when home is due."""

    number: int = 0
    late: int = 0
    home: datetime | None = None


def _fronts(connection: Connection, last_commit: datetime | None) -> dict[str, _Fronts]:
    """Count fronts; one is late if it was due more than half its interval before the last commit."""
    fields = tables.agenda.c
    found: dict[str, _Fronts] = {}
    query = select(fields.source, fields.page, fields.due, fields.every).where(fields.reason != VisitReason.FEED)
    for row in connection.execute(query.where(fields.every.is_not(None) | (fields.source == fields.page))):
        known = found.get(row.source, _Fronts())
        is_late = (
            row.every is not None
            and last_commit is not None
            and row.due < last_commit - timedelta(seconds=row.every) / 2
        )
        found[row.source] = _Fronts(
            known.number + (row.every is not None),
            known.late + is_late,
            row.due if row.page == row.source else known.home,
        )
    return found


def _planned(connection: Connection) -> dict[str, dict[str, int]]:
    fields = tables.agenda.c
    found: dict[str, dict[str, int]] = {}
    query = select(fields.source, fields.reason, func.count()).group_by(fields.source, fields.reason)
    for source, reason, number in connection.execute(query):
        found.setdefault(source, {})[reason] = number
    return found


def _reasons(counted: Counter[tuple[str, str]], event: str) -> dict[str, int]:
    return {reason: number for (name, reason), number in counted.items() if name == event}


def _disk(folder: Path) -> dict[str, int]:
    sizes = {kind: sum(map(_size, (folder / kind).iterdir())) for kind in KINDS}
    own = {"catalogue": CATALOGUE, "search": SEARCH}
    return {kind: sum(map(_size, folder.glob(f"{name}*"))) for kind, name in own.items()} | sizes


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        # Temporary files and the catalogue's journal come and go while somebody writes.
        return 0
