"""Forgetting pages and sources: what goes with them, and how their rows leave the catalogue in one transaction."""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from sqlalchemy import Column, Connection, delete, func, select, update

from broadsheet.archive import (
    article_versions,
    catalogue,
    catalogued_files,
    likeness_index,
    log_rows,
    stored_versions,
    tables,
    tallies,
    tombstones,
)
from broadsheet.archive.archive_errors import ArchiveError
from broadsheet.archive.article_versions import newest
from broadsheet.archive.event_records import Tombstone, TombstoneScope
from broadsheet.archive.insertions import upsert
from broadsheet.archive.source_records import SourceRecord
from broadsheet.base import urls

#: What is announced while pages are forgotten, in order.
FORGET_STEPS = (
    *tombstones.FILE_STEPS,
    "before transaction of forgetting",
    "in transaction of forgetting",
    "after transaction of forgetting",
)

#: Every column that names a page by its key, that of the page itself last: the others refer to it.
_PAGE_COLUMNS: tuple[Column[Any], ...] = (
    tables.versions.c.key,
    tables.contents.c.page,
    tables.fetches.c.page,
    tables.verdicts.c.page,
    tables.earlier_verdicts.c.page,
    tables.members.c.page,
    tables.agenda.c.page,
    tables.feeds.c.page,
    tables.fronts.c.page,
    tables.events.c.page,
    tables.pages.c.key,
)
#: Every column that names a source by its key, but for counters, which are numbers only.
_SOURCE_COLUMNS: tuple[Column[Any], ...] = (
    tables.members.c.source,
    tables.agenda.c.source,
    tables.feeds.c.source,
    tables.fronts.c.source,
    tables.incidents.c.source,
    tables.events.c.source,
    tables.tallies.c.source,
    tables.prunings.c.source,
    tables.sources.c.key,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetPlan:
    """What would be forgotten: the tombstones that would be set, and how much they stand for."""

    tombstones: tuple[Tombstone, ...]
    articles: int
    versions: int
    visits: int
    #: The size of the WARC records of these visits, without their requests and redirects.
    bytes: int

    @property
    def pages(self) -> int:
        """The number of pages."""
        return len(tombstones.page_keys(self.tombstones))

    @property
    def sources(self) -> frozenset[str]:
        """The keys of the sources."""
        return tombstones.source_keys(self.tombstones)


def plan(folder: Path, connection: Connection, targets: Iterable[str], because: str, now: datetime) -> ForgetPlan:
    """Return what forgetting pages and sources, given by address or key, would take away.

    The copies of a page at other addresses go with it. The pages of a source go unless another source leads to them.
    """
    visits = catalogued_files.dataset(folder, connection, "visits")
    sources = {source.key: source for source in catalogue.sources(connection)}
    set_: list[Tombstone] = []
    keys: set[str] = set()
    for target in targets:
        source = sources.get(target) or sources.get(urls.key(target))
        if source is not None:
            set_.append(_tombstone(source.key, source.url, "source", because, now))
            keys |= _pages_of(connection, visits, source)
        else:
            keys |= {_known_page(folder, connection, target)}
    keys = _with_copies(connection, visits, keys)
    set_ += [_tombstone(key, url, "page", because, now) for key, url in _addresses(connection, keys).items()]
    found = visits.to_table(columns=["length"], filter=pc.field("page").isin(_texts(keys)))
    articles, versions = _count_versions(connection, keys)
    return ForgetPlan(
        tombstones=tuple(tombstones.united(set_)),
        articles=articles,
        versions=versions,
        visits=found.num_rows,
        bytes=pc.sum(found["length"]).as_py() or 0,
    )


def _tombstone(key: str, url: str, scope: TombstoneScope, because: str, now: datetime) -> Tombstone:
    return Tombstone(key=key, url=url, at=now, scope=scope, because=because)


def _known_page(folder: Path, connection: Connection, target: str) -> str:
    """Return the key of a page that the archive knows; of a copy whose text is archived under another key, that one."""
    for key in (target, urls.key(target)):
        page = catalogue.pages(connection, (key,)).get(key)
        if page is not None:
            original = page.duplicate_of
            is_kept_there = original and not newest(connection, key) and newest(connection, original)
            return original if original and is_kept_there else key
    at = connection.execute(
        select(tables.tombstones.c.at).where(tables.tombstones.c.key.in_((target, urls.key(target))))
    ).scalar()
    if at is not None:
        raise ArchiveError(f"{folder}: {target} was already forgotten on {at:%Y-%m-%d}")
    raise ArchiveError(f"{folder}: contains no page or source {target}; give the URL of a page, or a source's key")


def _pages_of(connection: Connection, visits: Any, source: SourceRecord) -> set[str]:  # noqa: ANN401 - pyarrow has no types
    """Return the pages of a source that were asked for, and that no other source leads to."""
    own, shared = tables.members.c, tables.members.alias().c
    elsewhere = select(shared.page).where(shared.source != source.key)
    asked = select(own.page).join(tables.fetches, tables.fetches.c.page == own.page)
    found = set(connection.execute(asked.where(own.source == source.key)).scalars())
    read = select(tables.versions.c.key).where(tables.versions.c.source == source.key)
    found |= set(connection.execute(read).scalars())
    found |= set(visits.to_table(columns=["page"], filter=pc.field("source") == source.key)["page"].to_pylist())
    found |= {source.key}
    for chunk in catalogue.chunks(found):
        found -= set(connection.execute(elsewhere.where(shared.page.in_(chunk))).scalars())
    return found


def _with_copies(connection: Connection, visits: Any, keys: Collection[str]) -> set[str]:  # noqa: ANN401 - no types
    """Return pages with those that are, or once were, copies of them."""
    found, new = set(keys), set(keys)
    while new:
        copies: set[str] = set()
        for chunk in catalogue.chunks(new):
            copied = select(tables.pages.c.key).where(tables.pages.c.duplicate_of.in_(chunk))
            copies |= set(connection.execute(copied).scalars())
        numbers = visits.to_table(columns=["visit"], filter=pc.field("page").isin(_texts(new)))["visit"]
        repeating = visits.to_table(columns=["page"], filter=pc.field("same_as").isin(numbers.combine_chunks()))
        new = (copies | set(repeating["page"].to_pylist())) - found
        found |= new
    return found


def _addresses(connection: Connection, keys: Collection[str]) -> dict[str, str]:
    known = {page.key: page.url for page in catalogue.pages(connection, keys).values()}
    return {key: known.get(key, key) for key in sorted(keys)}


def _count_versions(connection: Connection, keys: Collection[str]) -> tuple[int, int]:
    """Return how many articles there are under some keys, and how many versions."""
    articles = versions = 0
    key = tables.versions.c.key
    for chunk in catalogue.chunks(keys):
        counted = select(func.count(key.distinct()), func.count()).where(key.in_(chunk))
        more, number = connection.execute(counted).one()
        articles, versions = articles + more, versions + number
    return articles, versions


def apply(connection: Connection, forgotten: Collection[Tombstone]) -> None:
    """Set tombstones, and take all rows about what they stand for out of the catalogue."""
    # Otherwise the text of deleted rows would stay in the file.
    connection.exec_driver_sql("PRAGMA secure_delete = ON")
    pages = tombstones.page_keys(forgotten)
    for source in tombstones.source_keys(forgotten):
        _hand_over(connection, source, pages)
        pages |= _only_of(connection, source)
        for column in _SOURCE_COLUMNS[:-1]:
            connection.execute(delete(column.table).where(column == source))
    tallies.change(connection, tallies.count(connection, pages), Counter())
    likeness_index.forget(connection, pages)
    for chunk in catalogue.chunks(pages):
        for column in _PAGE_COLUMNS:
            connection.execute(delete(column.table).where(column.in_(chunk)))
    for source in tombstones.source_keys(forgotten):
        connection.execute(delete(tables.sources).where(tables.sources.c.key == source))
    _drop_incidents(connection, pages)
    upsert(connection, tables.tombstones, [log_rows.of_tombstone(one) for one in forgotten])


def _only_of(connection: Connection, source: str) -> frozenset[str]:
    """Return the pages that a source alone leads to, asked for or not."""
    own, other = tables.members.c, tables.members.alias().c
    is_shared = select(other.page).where(other.page == own.page, other.source != source).exists()
    return frozenset(connection.execute(select(own.page).where(own.source == source, ~is_shared)).scalars())


def _hand_over(connection: Connection, source: str, forgotten: Collection[str]) -> None:
    """Let versions of pages that stay belong to another source that leads to them."""
    versions, members = tables.versions.c, tables.members.c
    for row in connection.execute(article_versions.raw().where(versions.source == source)).mappings().all():
        if row["key"] in forgotten:
            continue
        others = select(members.source).where(members.page == row["key"], members.source != source)
        heir = connection.execute(others.order_by(members.source).limit(1)).scalar()
        if heir is None:
            raise ArchiveError(f"{row['key']} belongs to {source} alone, but is not among the pages to forget")
        changed = {"source": heir, "digest": stored_versions.version_digest({**row, "source": heir})}
        ours = versions.key == row["key"], versions.version == row["version"]
        connection.execute(update(tables.versions).where(*ours).values(changed))


def _drop_incidents(connection: Connection, pages: Collection[str]) -> None:
    fields = tables.incidents.c
    for url in connection.execute(select(fields.url).distinct()).scalars().all():
        if urls.key(url) in pages:
            connection.execute(delete(tables.incidents).where(fields.url == url))


def _texts(values: Collection[str]) -> Any:  # noqa: ANN401 - pyarrow has no types
    return pa.array(sorted(values), pa.string())
