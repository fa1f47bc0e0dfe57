"""Everything that the tables and files of an archive say about one page."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pyarrow.compute as pc
from sqlalchemy import Connection, select

from broadsheet.archive import (
    article_versions,
    catalogue,
    event_log,
    incidents,
    page_rows,
    parquet_files,
    prunings,
    tables,
    tombstones,
    visits,
)
from broadsheet.archive.article_records import StoredArticle
from broadsheet.archive.catalogued_files import FileRow
from broadsheet.archive.link_search import MAX_ROWS, links_to
from broadsheet.archive.page_history import PageHistory, RecordedVisit, VersionSummary
from broadsheet.archive.page_records import AgendaEntry, Membership, PageRecord
from broadsheet.archive.shards import shard_of
from broadsheet.archive.source_records import SourceRecord
from broadsheet.archive.warc_reading import Asking
from broadsheet.base import counter_names, urls
from broadsheet.base.domains import registrable_domain
from broadsheet.base.incident import Incident

#: The most known addresses that are given for one that is not known.
MAX_NEAR = 5
_NEIGHBOURS = 20
_VISIT_COLUMNS = ("visit", "fetched_at", "url", "source", "why", "status", "bytes", "same_as", "warc")


def look_up(folder: Path, ask: Asking, url: str, most_link_rows: int = MAX_ROWS) -> PageHistory:
    """Return all that is known of the page at an address; at most so many link occurrences are searched."""
    history = ask(lambda connection: _catalogued(connection, url))
    page = history.page
    if page is None and (history.forgotten is not None or not history.sources):
        return history
    found = links_to(folder, ask, history.key, page.first_seen if page else None, most_link_rows)
    history = replace(history, links=found.links, all_links=found.is_complete)
    if page is None:
        return history
    original = None
    if page.duplicate_of and page.duplicate_of != history.key:
        its_url = ask(lambda connection: _url(connection, page.duplicate_of or ""))
        original = replace(ask(lambda connection: _catalogued(connection, its_url)), original=None)
    return replace(history, visits=tuple(_visits(folder, ask, history.key, page.first_seen)), original=original)


def _catalogued(connection: Connection, url: str) -> PageHistory:
    """Return what the tables say."""
    key = urls.key(url)
    page = catalogue.pages(connection, [key]).get(key)
    members = catalogue.memberships(connection, key)
    sources = _sources(connection, url, members)
    keys = [source.key for source in sources]
    return PageHistory(
        url=page.url if page else url,
        key=key,
        page=page,
        members=tuple(members),
        versions=tuple(map(_version, article_versions.versions(connection, key))),
        visits_removed_before=_removed_before(connection, [member.source for member in members]),
        copies=tuple(_copies(connection, key)),
        planned=tuple(_planned(connection, key)),
        fronts=tuple(catalogue.front_records(connection, page=key)),
        events=tuple(event_log.events(connection, page=key)),
        incidents=tuple(_incidents(connection, keys, key)),
        near=() if page else tuple(_near(connection, key)),
        sources=tuple(sources),
        dropped={} if page else _dropped(connection, keys),
        forgotten=None if page else tombstones.find(connection, key),
    )


def _visits(folder: Path, ask: visits.Ask[list[FileRow]], key: str, since: datetime | None) -> Iterator[RecordedVisit]:
    first = {} if since is None else visits.first_since(folder, ask, since)

    def may_hold(file: FileRow) -> bool:
        return since is None or file.last_visit >= first.get(shard_of(file.last_visit), file.last_visit + 1)

    found = visits.matching(folder, ask, "visits", may_hold, pc.field("page") == key, _VISIT_COLUMNS)
    for row in sorted(found.to_pylist(), key=lambda row: (row["fetched_at"], row["visit"])):
        is_kept = row.pop("warc") != parquet_files.REMOVED
        yield RecordedVisit(at=row.pop("fetched_at"), is_kept=is_kept, **row)


def _removed_before(connection: Connection, sources: Sequence[str]) -> datetime | None:
    removed = prunings.stored(connection)
    moments = (removed[source, "visits"].before for source in sources if (source, "visits") in removed)
    return max(moments, default=None)


def _version(stored: StoredArticle) -> VersionSummary:
    article = stored.article
    return VersionSummary(
        version=stored.version,
        fetched_at=stored.fetched_at,
        published=article.published,
        title=article.title,
        words=len(article.body.split()),
        model=stored.model,
    )


def _planned(connection: Connection, key: str) -> list[AgendaEntry]:
    query = select(tables.agenda).where(tables.agenda.c.page == key).order_by(tables.agenda.c.due)
    return [page_rows.to_entry(row) for row in connection.execute(query).mappings()]


def _copies(connection: Connection, key: str) -> list[str]:
    fields = tables.pages.c
    query = select(fields.key).where(fields.duplicate_of == key, fields.duplicate_of.is_not(None)).order_by(fields.key)
    return list(connection.execute(query).scalars())


def _url(connection: Connection, key: str) -> str:
    page: PageRecord | None = catalogue.pages(connection, [key]).get(key)
    return page.url if page else key


def _sources(connection: Connection, url: str, members: Sequence[Membership]) -> list[SourceRecord]:
    """Return the sources that lead to a page, or those of its site."""
    named, site = {member.source for member in members}, registrable_domain(url)
    sources = catalogue.sources(connection)
    own = [source for source in sources if source.key in named]
    return own or [source for source in sources if registrable_domain(source.url) == site]


def _incidents(connection: Connection, sources: Sequence[str], key: str) -> list[Incident]:
    found = incidents.of_sources(connection, sources)
    return sorted((incident for incident in found if urls.key(incident.url) == key), key=lambda one: one.at)


def _dropped(connection: Connection, sources: Sequence[str]) -> Mapping[str, int]:
    """Return what pages and links of some sources were left out for, the most frequent reason first."""
    fields = tables.counters.c
    names = (counter_names.SKIPPED, counter_names.FAILED)
    query = select(fields.reason, fields.number).where(fields.name.in_(names), fields.source.in_(sources))
    found: dict[str, int] = {}
    for reason, number in connection.execute(query):
        found[reason] = found.get(reason, 0) + number
    return dict(sorted(found.items(), key=lambda pair: (-pair[1], pair[0])))


def _near(connection: Connection, key: str) -> list[str]:
    """Return known keys on the same host that begin like one, those that share most with it first."""
    field = tables.pages.c.key
    before = select(field).where(field < key).order_by(field.desc()).limit(_NEIGHBOURS)
    after = select(field).where(field > key).order_by(field).limit(_NEIGHBOURS)
    host = key.partition("/")[0]
    found = [*connection.execute(before).scalars(), *connection.execute(after).scalars()]
    near = [other for other in found if other.partition("/")[0] == host]
    return sorted(near, key=lambda other: (-_common(other, key), other))[:MAX_NEAR]


def _common(one: str, other: str) -> int:
    """Return how many characters two keys have in common at their beginnings and ends."""
    shorter = min(len(one), len(other))
    begin = next((place for place in range(shorter) if one[place] != other[place]), shorter)
    end = next((place for place in range(shorter - begin) if one[-1 - place] != other[-1 - place]), shorter - begin)
    return begin + end
