"""Archived pages that other models can read again, each as it was last fetched whole."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, func, or_, select

from broadsheet.archive import catalogue, log_rows, page_rows, tables
from broadsheet.archive.article_records import RecordPlace
from broadsheet.archive.event_records import RereadRecord
from broadsheet.archive.page_records import FeedFacts, PageRecord, PageState, VerdictRecord
from broadsheet.archive.warc_reading import Asking

#: The pages that are in memory while a caller goes through all.
PAGES_AT_ONCE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class RereadSelection:
    """Which pages: fetched since a moment, of a source, and read or judged by a model; what is None selects all."""

    since: datetime | None = None
    source: str | None = None
    model: str | None = None
    #: Whether home pages are among them.
    homes: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RereadCandidate:
    """A page, the visit that fetched it last and where that lies, the source it belongs to, and the text of a link."""

    page: PageRecord
    visit: int
    url: str
    at: datetime
    place: RecordPlace
    source: str
    anchor: str
    #: Whether the page is followed, so that its links matter and not its text.
    is_front: bool
    #: What a feed says of the page, if one lists it.
    listed: FeedFacts | None = None


def count(connection: Connection, selection: RereadSelection, after: str) -> int:
    """Return how many pages come after one."""
    chosen = _selected(selection, after).subquery()
    return int(connection.execute(select(func.count()).select_from(chosen)).scalar_one())


def candidates(ask: Asking, selection: RereadSelection, after: str) -> Iterator[RereadCandidate]:
    """Give pages in the order of their keys; no transaction is open while a caller works with one of them."""
    while some := ask(partial(_next, selection=selection, after=after)):
        after = some[-1].page.key
        yield from some


def earlier_verdicts(connection: Connection, key: str) -> list[VerdictRecord]:
    """Return the verdicts on a page that were replaced, the oldest first."""
    fields = tables.earlier_verdicts.c
    query = select(tables.earlier_verdicts).where(fields.page == key).order_by(fields.replaced_at)
    return [page_rows.to_verdict(row) for row in connection.execute(query).mappings()]


def find_reread(connection: Connection, name: str) -> RereadRecord | None:
    """Return a run by its name."""
    found = connection.execute(select(tables.rereads).where(tables.rereads.c.name == name)).mappings().one_or_none()
    return None if found is None else log_rows.to_reread(found)


def _next(connection: Connection, selection: RereadSelection, after: str) -> list[RereadCandidate]:
    found = connection.execute(_selected(selection, after).limit(PAGES_AT_ONCE)).all()
    pages = catalogue.pages(connection, [row.page for row in found])
    return [_candidate(connection, row, pages[row.page]) for row in found]


def _candidate(connection: Connection, row: Any, page: PageRecord) -> RereadCandidate:  # noqa: ANN401 - any row
    agenda = tables.agenda.c
    leading = catalogue.memberships(connection, page.key)
    followed = select(agenda.page).where(agenda.page == page.key, agenda.every.is_not(None)).limit(1)
    archived = select(tables.versions.c.source).where(tables.versions.c.key == page.key).limit(1)
    return RereadCandidate(
        page=page,
        visit=row.visit,
        url=row.url,
        at=row.at,
        place=RecordPlace(row.name, row.offset, row.length),
        source=connection.execute(archived).scalar() or (leading[0].source if leading else page.key),
        anchor=max((owner.anchor for owner in leading), key=len, default=""),
        is_front=connection.execute(followed).first() is not None,
        listed=next((owner.listed for owner in leading if owner.listed is not None), None),
    )


def _selected(selection: RereadSelection, after: str) -> Select[Any]:
    """Return the query of pages that are the originals of their content, and that a source leads to."""
    contents, fetches, members = tables.contents.c, tables.fetches.c, tables.members.c
    copies = select(fetches.page).where(fetches.state == PageState.DUPLICATE.value)
    homes = select(tables.sources.c.key)
    feeds = select(tables.feeds.c.page).where(tables.feeds.c.form.is_not(None))
    owned = select(members.page).where(members.page == contents.page)
    if selection.source is not None:
        owned = owned.where(members.source == selection.source)
    query = (
        select(tables.contents, tables.files.c.name)
        .join_from(tables.contents, tables.files)
        .where(contents.page > after, contents.page.not_in(copies), contents.page.not_in(feeds))
        .where(owned.exists() | contents.page.in_(homes) if selection.homes else owned.exists())
        .order_by(contents.page)
    )
    if not selection.homes:
        query = query.where(contents.page.not_in(homes))
    if selection.since is not None:
        query = query.where(contents.at >= selection.since)
    return query if selection.model is None else query.where(_is_by(selection.model))


def _is_by(model: str) -> ColumnElement[bool]:
    """Select the pages that a model judged, or whose newest version it read."""
    page, versions, verdicts = tables.contents.c.page, tables.versions.c, tables.verdicts.c
    read = select(versions.key).where(versions.key == page, versions.latest, versions.model == model)
    judged = select(verdicts.page).where(verdicts.page == page, verdicts.model == model)
    return or_(read.exists(), judged.exists())
