"""The newest example of each reason for which pages of a source failed or were skipped, and which sources fail now."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from sqlalchemy import Connection, select

from broadsheet.archive import tables
from broadsheet.archive.article_json import to_valid_unicode
from broadsheet.base import reasons
from broadsheet.base.incident import Incident

#: The event of a home page that could not be fetched, beside `failed` and `skipped`.
HOME_PAGE = "home page"

#: Source, event and reason, of which the newest incident is kept.
IncidentKey = tuple[str, str, str]


def of_incidents(incidents: Mapping[IncidentKey, Incident]) -> list[dict[str, Any]]:
    """Return incidents as rows."""
    return [
        {
            "source": source,
            "name": name,
            "reason": reason,
            "url": to_valid_unicode(found.url),
            "detail": to_valid_unicode(found.detail),
            "at": found.at,
        }
        for (source, name, reason), found in incidents.items()
    ]


def examples(connection: Connection) -> dict[IncidentKey, Incident]:
    """Return an example of each reason of each source."""
    query = select(tables.incidents).where(tables.incidents.c.name != HOME_PAGE)
    return {(row.source, row.name, row.reason): _incident(row) for row in connection.execute(query)}


def of_sources(connection: Connection, sources: Collection[str]) -> list[Incident]:
    """Return the examples of some sources."""
    columns = tables.incidents.c
    query = select(tables.incidents).where(columns.name != HOME_PAGE, columns.source.in_(sources))
    return [_incident(row) for row in connection.execute(query)]


def failing(connection: Connection) -> dict[str, Incident]:
    """Return the sources whose last visit to the home page failed, with the reason."""
    # A home page that was fetched since has a later time.
    fetched, at = tables.fetches.c.fetched_at, tables.incidents.c.at
    query = (
        select(tables.incidents)
        .outerjoin(tables.fetches, tables.fetches.c.page == tables.incidents.c.source)
        .where(tables.incidents.c.name == HOME_PAGE, fetched.is_(None) | (at > fetched))
        .order_by(at)
    )
    return {row.source: _incident(row) for row in connection.execute(query)}


def newest(found: Mapping[IncidentKey, Incident]) -> Iterator[Incident]:
    """Give one example of each reason, by reason, whatever source it comes from."""
    latest: dict[str, Incident] = {}
    for incident in sorted(found.values(), key=lambda incident: incident.at):
        latest[incident.reason] = incident
    return (latest[reason] for reason in sorted(latest))


def _incident(row: Any) -> Incident:  # noqa: ANN401 - a row of whatever columns
    return Incident(row.url, reasons.named(row.reason), row.detail, row.at)
