"""Sources, and what the writer is to do with them, as rows of the catalogue, and back."""

from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime
from typing import Any

from broadsheet.archive import tables
from broadsheet.archive.checked_rows import damaged, require_types
from broadsheet.archive.source_records import (
    NEW_PHASE,
    USUAL_INTERVAL,
    Order,
    OrderKind,
    Phase,
    PhaseRecord,
    ScriptNeed,
    SourceRecord,
)
from broadsheet.base.errors import ConfigError
from broadsheet.base.source_settings import SourceSettings

_PHASE_FIELDS = tuple(field.name for field in fields(PhaseRecord))
_SOURCE_FIELDS = tuple(field.name for field in fields(SourceRecord))


def of_source(source: SourceRecord) -> dict[str, Any]:
    """Return a source as a row."""
    row = {name: getattr(source, name) for name in _SOURCE_FIELDS}
    return {
        **row,
        "settings": source.settings.to_values() or None,
        "scripts": _of_scripts(source.scripts),
        "phase": _of_phase(source.phase),
    }


def to_source(row: Mapping[Any, Any]) -> SourceRecord:
    """Return the source that a row holds."""
    where = f"source {row['key']}"
    require_types(tables.sources, row, where)
    values = {name: row[name] for name in _SOURCE_FIELDS}
    try:
        settings, scripts = SourceSettings.from_values(row["settings"] or {}), _to_scripts(row["scripts"] or {})
        phase, given = _to_phase(row["phase"] or {}), row["every_given"]
        # Layouts before 10 did not keep who gave it.
        given = row["every"] != USUAL_INTERVAL if given is None else given
        return SourceRecord(
            **{**values, "settings": settings, "scripts": scripts, "phase": phase, "every_given": given}
        )
    except (AttributeError, KeyError, TypeError, ValueError, ConfigError) as error:
        raise damaged(where, str(error)) from error


def _of_scripts(need: ScriptNeed) -> dict[str, Any] | None:
    tried = need.tried_at
    return {"fronts": need.fronts, "articles": need.articles, "tried_at": tried.isoformat()} if tried else None


def _to_scripts(values: Mapping[str, Any]) -> ScriptNeed:
    tried = values.get("tried_at")
    return ScriptNeed(**{**values, "tried_at": datetime.fromisoformat(tried) if tried else None})


def _of_phase(phase: PhaseRecord) -> dict[str, Any] | None:
    if phase == NEW_PHASE:
        return None
    values = {name: getattr(phase, name) for name in _PHASE_FIELDS}
    return {
        **values,
        "since": phase.since and phase.since.isoformat(),
        "evidence": dict(phase.evidence),
        "collections": list(phase.collections),
    }


def _to_phase(values: Mapping[str, Any]) -> PhaseRecord:
    if not values:
        return NEW_PHASE
    since = values["since"]
    return PhaseRecord(
        **{
            **values,
            "phase": Phase(values["phase"]),
            "since": since and datetime.fromisoformat(since),
            "collections": tuple(values["collections"]),
        }
    )


def to_order(row: Mapping[Any, Any]) -> Order:
    """Return the order that a row holds."""
    where = f"order {row['id']}"
    require_types(tables.orders, row, where)
    try:
        return Order(**{**row, "what": OrderKind(row["what"])})
    except (TypeError, ValueError) as error:
        raise damaged(where, str(error)) from error
