"""The versions of articles that the catalogue holds."""

from array import array
from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, RowMapping, Select, Text, bindparam, func, select, type_coerce

from broadsheet.archive import stored_versions, tables
from broadsheet.archive.archive_errors import DamagedRow
from broadsheet.archive.article_records import StoredArticle
from broadsheet.archive.column_types import UtcTime
from broadsheet.archive.prepared_queries import PreparedQuery
from broadsheet.archive.sql_expressions import row_number

#: Hears of a row that cannot be given because it is damaged.
OnDamage = Callable[[DamagedRow], None]

# Not by `latest`: SQLite would look through the latest versions of all articles.
_LAST_OF_KEY = (
    select(tables.versions.c.version)
    .where(tables.versions.c.key == bindparam("its_key"))
    .order_by(tables.versions.c.version.desc())
    .limit(1)
)
_NEWEST = PreparedQuery(
    _LAST_OF_KEY.with_only_columns(tables.versions.c.version, tables.versions.c.fingerprint, tables.versions.c.moment)
)
_LAST_CHANGE = PreparedQuery(
    _LAST_OF_KEY.with_only_columns(
        tables.versions.c.version,
        tables.versions.c.fetched_at,
        func.json_extract(tables.versions.c.article, "$.published", type_=Text),
    )
)


class Version(NamedTuple):
    """The newest version of an article: its number, what it says, and the moment it stands at."""

    version: int
    fingerprint: str
    moment: datetime


class LastChange(NamedTuple):
    """When an article last changed: the number of its newest version, when that was fetched, and the date it states."""

    version: int
    fetched_at: datetime
    published: datetime | None


class ReadVersion(NamedTuple):
    """A version of an article, and the fingerprint that its row gives it."""

    stored: StoredArticle
    fingerprint: str


def row_numbers(connection: Connection) -> Sequence[int]:
    """Return the row numbers of all versions of all articles."""
    query = select(row_number(tables.versions)).select_from(tables.versions)
    return array("q", connection.execution_options(yield_per=10_000).execute(query).scalars())


def read(connection: Connection, numbers: Sequence[int]) -> list[ReadVersion | DamagedRow]:
    """Return the versions of articles with some row numbers, in that order; for a damaged one, what is wrong."""
    number = row_number(tables.versions).label("row_number")
    query = _versions().add_columns(number).where(number.in_(numbers))
    found = {row["row_number"]: row for row in connection.execute(query).mappings()}
    return [_read_one(found.get(wanted), wanted) for wanted in numbers]


def _read_one(row: RowMapping | None, number: int) -> ReadVersion | DamagedRow:
    if row is None:
        return DamagedRow(f"row {number} of the articles is missing from the catalogue; try `broadsheet repair`")
    try:
        return ReadVersion(stored_versions.to_article(row), row["fingerprint"])
    except DamagedRow as error:
        return error


def arrivals(connection: Connection, after: int) -> list[StoredArticle]:
    """Return the versions that visits after one have brought, in the order of the visits."""
    query = _versions().where(tables.versions.c.visit > after).order_by(tables.versions.c.visit)
    return [stored_versions.to_article(row) for row in connection.execute(query).mappings()]


def versions(connection: Connection, key: str) -> list[StoredArticle]:
    """Return all versions of an article, the oldest first."""
    query = _versions().where(tables.versions.c.key == key).order_by(tables.versions.c.version)
    return [stored_versions.to_article(row) for row in connection.execute(query).mappings()]


def last_version(connection: Connection, key: str) -> StoredArticle | None:
    """Return the newest version of an article, with the article."""
    fields = tables.versions.c
    query = _versions().where(fields.key == key).order_by(fields.version.desc()).limit(1)
    row = connection.execute(query).mappings().one_or_none()
    return None if row is None else stored_versions.to_article(row)


def newest(connection: Connection, key: str) -> Version | None:
    """Return the newest version of an article, without the article."""
    row = _NEWEST.first(connection, its_key=key)
    return None if row is None else Version(*row)


def last_change(connection: Connection, key: str) -> LastChange | None:
    """Return when an article last changed; its text stays where it is."""
    row = _LAST_CHANGE.first(connection, its_key=key)
    if row is None:
        return None
    version, fetched_at, published = row
    return LastChange(version, fetched_at, published and datetime.fromisoformat(published))


def raw(lacking: Collection[str] = ()) -> Select[tuple[object, ...]]:
    """Return the query of all versions, with times as they are stored: a damaged one must not hide the others.

    Tables of earlier layouts lack some columns.
    """
    return select(
        *(
            type_coerce(column, Text).label(column.name) if isinstance(column.type, UtcTime) else column
            for column in tables.versions.c
            if column.name not in {"latest", "digest", *lacking}
        )
    )


def _versions() -> Select[tuple[object, ...]]:
    # A version whose file is not named is damaged, not absent.
    digest, name = tables.versions.c.digest, tables.files.c.name.label("warc")
    own, first = tables.sketches, tables.sketches.alias("first_sketches")
    return (
        raw()
        .add_columns(digest, name, first.c.page.label("story"))
        .outerjoin(tables.files)
        .outerjoin(own, own.c.page == tables.versions.c.key)
        .outerjoin(first, first.c.id == own.c.story)
    )
