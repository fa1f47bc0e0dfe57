"""Pages, fetch states, verdicts, memberships and planned visits as rows of the catalogue, and back."""

from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime
from typing import Any

from broadsheet.archive import article_json, tables
from broadsheet.archive.checked_rows import damaged, require_types
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
from broadsheet.base.records import Verdict

_FETCH_FIELDS = tuple(field.name for field in fields(FetchRecord))
_MEMBER_FIELDS = tuple(field.name for field in fields(Membership))
_ENTRY_FIELDS = tuple(field.name for field in fields(AgendaEntry))


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
    fetch = page.fetch
    return {
        "page": page.key,
        "state": fetch.state.value,
        "attempts": fetch.attempts,
        "etag": fetch.etag,
        "last_modified": fetch.last_modified,
        "fetched_at": fetch.fetched_at,
    }


def of_verdict(key: str, judged: VerdictRecord) -> dict[str, Any]:
    """Return the verdict on a page as a row."""
    verdict = judged.verdict
    return {
        "page": key,
        "kind": verdict.kind,
        "subtype": verdict.subtype,
        "probability": verdict.probability,
        "probabilities": verdict.probabilities,
        "reasons": article_json.to_valid_texts(verdict.reasons),
        "model": verdict.model,
        "at": judged.at,
        "evidence": judged.evidence,
    }


def of_member(member: Membership) -> dict[str, Any]:
    """Return a membership as a row."""
    return {
        "source": member.source,
        "page": member.page,
        "first_seen": member.first_seen,
        "found_on": member.found_on,
        "anchor": article_json.to_valid_unicode(member.anchor),
        "listed": member.listed and _of_facts(member.listed),
    }


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
    return {
        "source": entry.source,
        "page": entry.page,
        "due": entry.due,
        "reason": entry.reason.value,
        "priority": entry.priority,
        "every": entry.every,
    }


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
        raise damaged(where, str(error)) from error


def to_verdict(row: Mapping[Any, Any]) -> VerdictRecord:
    """Return the verdict on a page that a row holds."""
    where = f"the verdict on page {row['page']}"
    require_types(tables.verdicts, row, where)
    kind, reasons = row["kind"], tuple(row["reasons"])
    try:
        verdict = Verdict(kind, row["subtype"], row["probability"], row["probabilities"], reasons, row["model"])
        return VerdictRecord(verdict=verdict, at=row["at"], evidence=row["evidence"])
    except (AttributeError, TypeError, ValueError) as error:
        raise damaged(where, str(error)) from error


def to_member(row: Mapping[Any, Any]) -> Membership:
    """Return the membership that a row holds."""
    where = f"page {row['page']} of source {row['source']}"
    require_types(tables.members, row, where)
    values = {name: row[name] for name in _MEMBER_FIELDS}
    try:
        return Membership(**{**values, "listed": row["listed"] and _to_facts(row["listed"])})
    except (AttributeError, TypeError, ValueError) as error:
        raise damaged(where, str(error)) from error


def _to_facts(values: Mapping[str, Any]) -> FeedFacts:
    published = values.get("published")
    return FeedFacts(**{**values, "published": published and datetime.fromisoformat(published)})


def to_entry(row: Mapping[Any, Any]) -> AgendaEntry:
    """Return the entry of the agenda that a row holds."""
    where = f"the visit to {row['page']} planned for {row['source']}"
    require_types(tables.agenda, row, where)
    values = {name: row[name] for name in _ENTRY_FIELDS}
    try:
        return AgendaEntry(**{**values, "reason": VisitReason(row["reason"])})
    except ValueError as error:
        raise damaged(where, str(error)) from error
