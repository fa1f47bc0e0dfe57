"""Events of an archive as rows for people and programs."""

from datetime import datetime
from typing import TYPE_CHECKING

from broadsheet.cli.text_table import Row

if TYPE_CHECKING:
    from broadsheet.archive import ArchiveEvent


def event_row(event: "ArchiveEvent") -> Row:
    """Return an event as a row; `what` says in words what it is about."""
    return {
        "at": event.at.isoformat(timespec="seconds"),
        "event": event.kind.value,
        "what": what_happened(event),
        "detail": {name: value for name, value in event.detail.items() if name != "url"},
    }


def what_happened(event: "ArchiveEvent") -> str:
    """Say what an event is about, beyond its kind."""
    detail = event.detail
    if "changed" in detail:
        changed = ", ".join(detail["changed"])
        return f"{changed}; words added: {detail['words_added']}, removed: {detail['words_removed']}"
    if "since" in detail:
        return f"since {datetime.fromisoformat(detail['since']):%Y-%m-%d %H:%M:%S}"
    parts = [str(detail[name]) for name in ("how", "why") if name in detail]
    if "to" in detail:
        parts.append(f"to {detail['to']}")
    return ", ".join(parts) or str(detail.get("title", ""))
