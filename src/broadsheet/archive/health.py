"""Whether the sources of an archive are well: none late, failing, or silent for longer than usual."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from statistics import median

from sqlalchemy import Connection, select

from broadsheet.archive import catalogue, incidents, tables
from broadsheet.archive.source_records import SourceRecord

LATE, FAILING, SILENT = "late", "failing", "silent"
#: A source is silent if nothing new came for so many times the time that usually passes until something does.
SILENT_GAPS = 10.0
#: What is usual follows from the newest articles, if there are enough.
MAX_ARTICLES, MIN_ARRIVALS = 500, 5


@dataclass(frozen=True, slots=True)
class Ailment:
    """What is wrong with a source, in one word and in one line."""

    source: str
    problem: str
    detail: str


def ailments(connection: Connection, now: datetime, silent_gaps: float = SILENT_GAPS) -> list[Ailment]:
    """Return what is wrong with the sources that are followed."""
    failing = incidents.failing(connection)
    found: list[Ailment] = []
    for source in catalogue.sources(connection):
        if source.state != "active":
            continue
        found += _late(connection, source, now)
        if source.key in failing:
            found.append(Ailment(source.key, FAILING, failing[source.key].line()))
        found += _silent(connection, source, now, silent_gaps)
    return found


def _late(connection: Connection, source: SourceRecord, now: datetime) -> Iterator[Ailment]:
    """Give the home page of a source if its visit is overdue by more than its interval."""
    fields = tables.agenda.c
    query = select(fields.due).where(fields.source == source.key, fields.page == source.key)
    due = connection.execute(query).scalar_one_or_none()
    since = source.added_at if due is None else due
    if now - since > timedelta(seconds=source.every):
        what = "has not been visited since it was added" if due is None else "has not been visited, though it was due"
        yield Ailment(source.key, LATE, f"its home page {what} at {since:%Y-%m-%d %H:%M} UTC")


def _silent(connection: Connection, source: SourceRecord, now: datetime, gaps: float) -> Iterator[Ailment]:
    arrivals = _arrivals(connection, source)
    if len(arrivals) < MIN_ARRIVALS:
        return
    between = median((later - earlier).total_seconds() for later, earlier in pairwise(arrivals))
    usual = timedelta(seconds=round(max(between, source.every)))
    if now - arrivals[0] > gaps * usual:
        yield Ailment(
            source.key,
            SILENT,
            f"no new article since {arrivals[0]:%Y-%m-%d %H:%M} UTC; usually one comes every {usual}",
        )


def _arrivals(connection: Connection, source: SourceRecord) -> list[datetime]:
    """Return when new articles of a source were found, the newest first; those of one visit count once."""
    members, verdicts = tables.members, tables.verdicts
    query = (
        select(members.c.first_seen)
        .join(verdicts, verdicts.c.page == members.c.page)
        .where(members.c.source == source.key, verdicts.c.kind == "article")
        .order_by(members.c.first_seen.desc())
        .limit(MAX_ARTICLES)
    )
    arrivals: list[datetime] = []
    for moment in connection.execute(query).scalars():
        if not arrivals or arrivals[-1] - moment > timedelta(seconds=source.every) / 2:
            arrivals.append(moment)
    return arrivals
