"""Events, runs over archived pages and tombstones as rows of the catalogue, and back."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from broadsheet.archive import article_json, tables
from broadsheet.archive.checked_rows import damaged, require_types
from broadsheet.archive.event_records import ArchiveEvent, EventKind, RereadRecord, Tombstone

_REREAD_FIELDS = tuple(field.name for field in fields(RereadRecord))
_TOMBSTONE_FIELDS = tuple(field.name for field in fields(Tombstone))


def of_event(event: ArchiveEvent) -> dict[str, Any]:
    """Return an event as a row without a number, which the catalogue gives it."""
    return {
        "at": event.at,
        "kind": event.kind.value,
        "source": event.source,
        "page": event.page,
        "detail": {
            name: article_json.to_valid_unicode(value) if isinstance(value, str) else value
            for name, value in event.detail.items()
        },
    }


def to_event(row: Mapping[Any, Any]) -> ArchiveEvent:
    """Return the event that a row holds."""
    where = f"event {row['id']}"
    require_types(tables.events, row, where)
    try:
        return ArchiveEvent(**{**row, "kind": EventKind(row["kind"])})
    except (TypeError, ValueError) as error:
        raise damaged(where, str(error)) from error


def of_reread(reread: RereadRecord) -> dict[str, Any]:
    """Return a run over the archived pages as a row."""
    return {**{name: getattr(reread, name) for name in _REREAD_FIELDS}, "done": dict(reread.done)}


def to_reread(row: Mapping[Any, Any]) -> RereadRecord:
    """Return the run over the archived pages that a row holds."""
    require_types(tables.rereads, row, f"the run {row['name']}")
    return RereadRecord(**{name: row[name] for name in _REREAD_FIELDS})


def of_tombstone(tombstone: Tombstone) -> dict[str, Any]:
    """Return a tombstone as a row."""
    row = {name: getattr(tombstone, name) for name in _TOMBSTONE_FIELDS}
    return {**row, "because": article_json.to_valid_unicode(tombstone.because)}


def to_tombstone(row: Mapping[Any, Any]) -> Tombstone:
    """Return the tombstone that a row holds."""
    where = f"the tombstone of {row['key']}"
    require_types(tables.tombstones, row, where)
    if row["scope"] not in {"page", "source"}:
        raise damaged(where, f"its scope is {row['scope']!r}")
    return Tombstone(**{name: row[name] for name in _TOMBSTONE_FIELDS})
