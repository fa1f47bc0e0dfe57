"""Records as rows of the catalogue, and back; a row that does not hold what was written is named as damaged."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import fields
from datetime import UTC, datetime
from functools import cache
from typing import Any

from sqlalchemy import Boolean, Float, Integer, Table, Text

from broadsheet.archive import article_json, tables
from broadsheet.archive.archive_errors import DamagedRow
from broadsheet.archive.archive_records import PageRecord, PageState, SourceRecord, StoredArticle

#: Kept with the page's content, not with the page.
_OF_CONTENT = frozenset({"digest", "visit"})
_PAGE_FIELDS = tuple(field.name for field in fields(PageRecord))
_SOURCE_FIELDS = tuple(field.name for field in fields(SourceRecord))
#: What a version says and never changes; where its record lies may change, and which version is the latest.
_DIGESTED = ("key", "version", "source", "moment", "fingerprint", "model", "visit", "fetched_at", "article")
# SQLite keeps whatever it is given, or finds, in a column of any type.
_TYPES: tuple[tuple[type, tuple[type, ...]], ...] = (
    (Boolean, (bool,)),
    (Integer, (int,)),
    (Float, (float, int)),
    (Text, (str,)),
    (tables.UtcTime, (datetime,)),
    (tables.Json, (dict, list)),
)


def of_page(page: PageRecord) -> dict[str, Any]:
    """Return a page as a row."""
    row = {name: getattr(page, name) for name in _PAGE_FIELDS if name not in _OF_CONTENT}
    row["state"] = page.state.value
    row["probabilities"] = None if page.probabilities is None else dict(page.probabilities)
    row["reasons"] = list(page.reasons)
    row["anchor"] = None if page.anchor is None else article_json.to_valid_unicode(page.anchor)
    return row


def to_page(row: Mapping[Any, Any]) -> PageRecord:
    """Return the page that a row holds, with what is known of its content."""
    require_types(tables.pages, row, f"page {row['key']}")
    values = {name: row[name] for name in _PAGE_FIELDS}
    values["reasons"] = tuple(row["reasons"] or ())
    try:
        values["state"] = PageState(row["state"])
        page = PageRecord(**values)
        _ = page.verdict
    except (TypeError, ValueError) as error:
        raise _damaged(f"page {row['key']}", str(error)) from error
    return page


def of_source(source: SourceRecord) -> dict[str, Any]:
    """Return a source as a row."""
    return {name: getattr(source, name) for name in _SOURCE_FIELDS}


def to_source(row: Mapping[Any, Any]) -> SourceRecord:
    """Return the source that a row holds."""
    require_types(tables.sources, row, f"source {row['key']}")
    return SourceRecord(**{name: row[name] for name in _SOURCE_FIELDS})


def to_article(row: Mapping[Any, Any]) -> StoredArticle:
    """Return the version of an article that a row holds, joined with its file's name."""
    where = f"article {row['key']}, version {row['version']}"
    if version_digest(row) != row["digest"]:
        raise _damaged(where, "its row does not match its digest")
    if not (isinstance(row["warc"], str) and isinstance(row["offset"], int) and isinstance(row["length"], int)):
        raise _damaged(where, "it does not locate its page")
    return StoredArticle(
        article=article_json.from_json(row["article"]),
        key=row["key"],
        source=row["source"],
        version=row["version"],
        visit=row["visit"],
        fetched_at=_moment(row["fetched_at"]),
        warc=row["warc"],
        offset=row["offset"],
        length=row["length"],
        model=row["model"],
    )


def version_digest(row: Mapping[Any, Any]) -> str:
    """Return the digest of what a version says, from its row as it is stored or is about to be."""
    said = json.dumps([_stored(row[name]) for name in _DIGESTED], ensure_ascii=True)
    return hashlib.sha256(said.encode("ascii")).hexdigest()


def _stored(value: object) -> object:
    """Return a value as the database keeps it; what should not be there at all gives a digest too."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).replace(tzinfo=None).isoformat(sep=" ", timespec="microseconds")
    return value if isinstance(value, str | int | float | None) else repr(value)


def _moment(stored: object) -> datetime:
    moment = stored if isinstance(stored, datetime) else datetime.fromisoformat(str(stored))
    return moment.replace(tzinfo=UTC)


def require_types(table: Table, row: Mapping[Any, Any], where: str) -> None:
    """Refuse a row that holds what its columns cannot have been given."""
    for name, nullable, allowed in _columns(table):
        value = row[name]
        if not (isinstance(value, allowed) or (value is None and nullable)):
            raise _damaged(where, f"its {name} is {value!r}")


@cache
def _columns(table: Table) -> tuple[tuple[str, bool, tuple[type, ...]], ...]:
    return tuple(
        (column.name, bool(column.nullable), next(types for kind, types in _TYPES if isinstance(column.type, kind)))
        for column in table.c
    )


def _damaged(where: str, why: str) -> DamagedRow:
    return DamagedRow(f"{where}: its row in the catalogue is damaged ({why}); `broadsheet repair` restores what it can")
