"""Records as rows of the catalogue, and back; a row that does not hold what was written is named as damaged."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import fields
from datetime import UTC, datetime
from functools import cache
from json.encoder import encode_basestring_ascii
from typing import Any

from sqlalchemy import Boolean, Float, Integer, LargeBinary, Table, Text

from broadsheet.archive import article_json, kept_ranges, tables
from broadsheet.archive.archive_errors import DamagedRow
from broadsheet.archive.article_records import StoredArticle
from broadsheet.archive.event_records import ArchiveEvent, EventKind, RereadRecord, Tombstone
from broadsheet.archive.front_records import FeedRecord, FeedStanding, FrontRecord
from broadsheet.archive.page_records import (
    NEVER_FETCHED,
    AgendaEntry,
    FeedFacts,
    FetchRecord,
    Membership,
    PageRecord,
    PageState,
    VerdictRecord,
    VisitReason,
)
from broadsheet.archive.source_records import NEW_PHASE, Order, OrderKind, Phase, PhaseRecord, ScriptNeed, SourceRecord
from broadsheet.base.errors import ConfigError
from broadsheet.base.moments import utc_text
from broadsheet.base.records import Verdict
from broadsheet.base.source_settings import SourceSettings

_REREAD_FIELDS = tuple(field.name for field in fields(RereadRecord))
_TOMBSTONE_FIELDS = tuple(field.name for field in fields(Tombstone))
_PHASE_FIELDS = tuple(field.name for field in fields(PhaseRecord))
_SOURCE_FIELDS = tuple(field.name for field in fields(SourceRecord))
_FETCH_FIELDS = tuple(field.name for field in fields(FetchRecord))
_MEMBER_FIELDS = tuple(field.name for field in fields(Membership))
_FEED_FIELDS = tuple(field.name for field in fields(FeedRecord))
_FRONT_FIELDS = tuple(field.name for field in fields(FrontRecord))
_ENTRY_FIELDS = tuple(field.name for field in fields(AgendaEntry))
#: What a version says and never changes; where its record lies may change, and which version is the latest.
_DIGESTED = ("key", "version", "source", "moment", "fingerprint", "model", "visit", "fetched_at", "article")
# SQLite keeps whatever it is given, or finds, in a column of any type.
_TYPES: tuple[tuple[type, tuple[type, ...]], ...] = (
    (Boolean, (bool,)),
    (Integer, (int,)),
    (Float, (float, int)),
    (Text, (str,)),
    (LargeBinary, (bytes,)),
    (tables.UtcTime, (datetime,)),
    (tables.Json, (dict, list)),
)


def of_page(page: PageRecord) -> dict[str, Any]:
    """Return a page's identity as a row."""
    return {
        "key": page.key,
        "url": page.url,
        "first_seen": page.first_seen,
        "duplicate_of": page.duplicate_of,
    }


def of_fetch(page: PageRecord) -> dict[str, Any]:
    """Return the fetch state of a page as a row."""
    row = {name: getattr(page.fetch, name) for name in _FETCH_FIELDS}
    return {**row, "page": page.key, "state": page.fetch.state.value}


def of_verdict(key: str, judged: VerdictRecord) -> dict[str, Any]:
    """Return the verdict on a page as a row."""
    verdict = judged.verdict
    return {
        "page": key,
        "kind": verdict.kind,
        "subtype": verdict.subtype,
        "probability": verdict.probability,
        "probabilities": dict(verdict.probabilities),
        "reasons": [article_json.to_valid_unicode(reason) for reason in verdict.reasons],
        "model": verdict.model,
        "at": judged.at,
        "evidence": {name: dict(probabilities) for name, probabilities in judged.evidence.items()},
    }


def of_member(member: Membership) -> dict[str, Any]:
    """Return a membership as a row."""
    row = {name: getattr(member, name) for name in _MEMBER_FIELDS}
    listed = member.listed and _of_facts(member.listed)
    return {**row, "anchor": article_json.to_valid_unicode(member.anchor), "listed": listed}


def _of_facts(facts: FeedFacts) -> dict[str, Any]:
    values = {
        "feed": facts.feed,
        "title": article_json.to_valid_unicode(facts.title),
        "published": facts.published and facts.published.isoformat(),
        "section": facts.section and article_json.to_valid_unicode(facts.section),
    }
    return {name: value for name, value in values.items() if value}


def of_entry(entry: AgendaEntry) -> dict[str, Any]:
    """Return an entry of the agenda as a row."""
    return {**{name: getattr(entry, name) for name in _ENTRY_FIELDS}, "reason": entry.reason.value}


def to_page(row: Mapping[Any, Any]) -> PageRecord:
    """Return the page of a row that joins its identity, its fetch state and its verdict, as `catalogue` selects it."""
    require_types(tables.pages, row, f"page {row['key']}")
    return PageRecord(
        key=row["key"],
        url=row["url"],
        first_seen=row["first_seen"],
        duplicate_of=row["duplicate_of"],
        fetch=NEVER_FETCHED if row["state"] is None else to_fetch({**row, "page": row["key"]}),
        judged=None if row["kind"] is None else to_verdict({**row, "page": row["key"]}),
    )


def to_fetch(row: Mapping[Any, Any]) -> FetchRecord:
    """Return the fetch state of a page that a row holds."""
    where = f"the fetch state of page {row['page']}"
    require_types(tables.fetches, row, where)
    values = {name: row[name] for name in _FETCH_FIELDS}
    try:
        return FetchRecord(**{**values, "state": PageState(row["state"])})
    except ValueError as error:
        raise _damaged(where, str(error)) from error


def to_verdict(row: Mapping[Any, Any]) -> VerdictRecord:
    """Return the verdict on a page that a row holds."""
    where = f"the verdict on page {row['page']}"
    require_types(tables.verdicts, row, where)
    kind, reasons = row["kind"], tuple(row["reasons"])
    try:
        verdict = Verdict(kind, row["subtype"], row["probability"], row["probabilities"], reasons, row["model"])
        return VerdictRecord(verdict=verdict, at=row["at"], evidence=row["evidence"])
    except (AttributeError, TypeError, ValueError) as error:
        raise _damaged(where, str(error)) from error


def to_member(row: Mapping[Any, Any]) -> Membership:
    """Return the membership that a row holds."""
    where = f"page {row['page']} of source {row['source']}"
    require_types(tables.members, row, where)
    values = {name: row[name] for name in _MEMBER_FIELDS}
    try:
        return Membership(**{**values, "listed": row["listed"] and _to_facts(row["listed"])})
    except (AttributeError, TypeError, ValueError) as error:
        raise _damaged(where, str(error)) from error


def _to_facts(values: Mapping[str, Any]) -> FeedFacts:
    published = values.get("published")
    return FeedFacts(**{**values, "published": published and datetime.fromisoformat(published)})


def of_feed(feed: FeedRecord) -> dict[str, Any]:
    """Return a feed as a row."""
    return {**{name: getattr(feed, name) for name in _FEED_FIELDS}, "standing": feed.standing.value}


def to_feed(row: Mapping[Any, Any]) -> FeedRecord:
    """Return the feed that a row holds."""
    where = f"feed {row['page']} of source {row['source']}"
    require_types(tables.feeds, row, where)
    values = {name: row[name] for name in _FEED_FIELDS}
    try:
        return FeedRecord(**{**values, "standing": FeedStanding(row["standing"])})
    except ValueError as error:
        raise _damaged(where, str(error)) from error


def of_front(front: FrontRecord) -> dict[str, Any]:
    """Return what is known of a front as a row."""
    return {**{name: getattr(front, name) for name in _FRONT_FIELDS}, "stays": list(front.stays)}


def to_front(row: Mapping[Any, Any]) -> FrontRecord:
    """Return what a row says of a front."""
    where = f"front {row['page']} of source {row['source']}"
    require_types(tables.fronts, row, where)
    values = {name: row[name] for name in _FRONT_FIELDS}
    try:
        return FrontRecord(**{**values, "stays": tuple(map(float, row["stays"]))})
    except (TypeError, ValueError) as error:
        raise _damaged(where, str(error)) from error


def to_entry(row: Mapping[Any, Any]) -> AgendaEntry:
    """Return the entry of the agenda that a row holds."""
    where = f"the visit to {row['page']} planned for {row['source']}"
    require_types(tables.agenda, row, where)
    values = {name: row[name] for name in _ENTRY_FIELDS}
    try:
        return AgendaEntry(**{**values, "reason": VisitReason(row["reason"])})
    except ValueError as error:
        raise _damaged(where, str(error)) from error


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
        phase = _to_phase(row["phase"] or {})
        return SourceRecord(**{**values, "settings": settings, "scripts": scripts, "phase": phase})
    except (AttributeError, KeyError, TypeError, ValueError, ConfigError) as error:
        raise _damaged(where, str(error)) from error


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
        raise _damaged(where, str(error)) from error


def of_reread(reread: RereadRecord) -> dict[str, Any]:
    """Return a run over the archived pages as a row."""
    return {**{name: getattr(reread, name) for name in _REREAD_FIELDS}, "done": dict(reread.done)}


def to_reread(row: Mapping[Any, Any]) -> RereadRecord:
    """Return the run over the archived pages that a row holds."""
    require_types(tables.rereads, row, f"the run {row['name']}")
    return RereadRecord(**{name: row[name] for name in _REREAD_FIELDS})


def to_kept_ranges(row: Mapping[Any, Any]) -> list[tuple[int, int]] | None:
    """Return which bytes are left of a file that was merged; None if the row does not say."""
    where = f"the place of {row['name']}"
    require_types(tables.moved, row, where)
    try:
        return None if row["kept"] is None else kept_ranges.unpacked(row["kept"])
    except ValueError as error:
        raise DamagedRow(f"{where}: {error}") from error


def of_tombstone(tombstone: Tombstone) -> dict[str, Any]:
    """Return a tombstone as a row."""
    row = {name: getattr(tombstone, name) for name in _TOMBSTONE_FIELDS}
    return {**row, "because": article_json.to_valid_unicode(tombstone.because)}


def to_tombstone(row: Mapping[Any, Any]) -> Tombstone:
    """Return the tombstone that a row holds."""
    where = f"the tombstone of {row['key']}"
    require_types(tables.tombstones, row, where)
    if row["scope"] not in {"page", "source"}:
        raise _damaged(where, f"its scope is {row['scope']!r}")
    return Tombstone(**{name: row[name] for name in _TOMBSTONE_FIELDS})


def to_order(row: Mapping[Any, Any]) -> Order:
    """Return the order that a row holds."""
    where = f"order {row['id']}"
    require_types(tables.orders, row, where)
    try:
        return Order(**{**row, "what": OrderKind(row["what"])})
    except (TypeError, ValueError) as error:
        raise _damaged(where, str(error)) from error


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
        fetched_at=to_utc(row["fetched_at"]),
        warc=row["warc"],
        offset=row["offset"],
        length=row["length"],
        model=row["model"],
        reread_at=row["reread_at"] and to_utc(row["reread_at"]),
        story=row["story"],
    )


def version_digest(row: Mapping[Any, Any]) -> str:
    """Return the digest of what a version says, from its row as it is stored or is about to be."""
    # Versions from before pages could be read again have no such time, and must keep their digests.
    names = _DIGESTED if row.get("reread_at") is None else (*_DIGESTED, "reread_at")
    # Each value by itself is half the work of a list of them: the text of an article is then escaped in one go.
    said = ", ".join([_json(_stored(row[name])) for name in names])
    return hashlib.sha256(f"[{said}]".encode("ascii")).hexdigest()


def _json(value: object) -> str:
    return encode_basestring_ascii(value) if isinstance(value, str) else json.dumps(value)


def _stored(value: object) -> object:
    """Return a value as the database keeps it; what should not be there at all gives a digest too."""
    if isinstance(value, datetime):
        return utc_text(value, " ")
    return value if isinstance(value, str | int | float | None) else repr(value)


def to_utc(stored: object) -> datetime:
    """Return a time that was read as it is stored, or converted already."""
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
