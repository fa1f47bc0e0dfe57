"""What happened to pages: events, runs that read them again, and what was forgotten."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

from broadsheet.base.frozen import FrozenMapping

TombstoneScope = Literal["page", "source"]


class EventKind(StrEnum):
    """What an event of the archive says."""

    NEW_ARTICLE = "new article"
    REVISION = "revision"
    DELETION = "deletion"
    MOVE = "move"
    RETURN = "return"
    SECTION_FOUND = "section found"
    SECTION_LOST = "section lost"
    SOURCE_FAILING = "source failing"
    SOURCE_BACK = "source back"
    PHASE = "phase"
    GAP = "gap"


#: Events after which an article is no longer at its address.
DEPARTURES = frozenset({EventKind.DELETION, EventKind.MOVE})


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveEvent:
    """Something that happened to a page of a source; a source's own events have its home page."""

    kind: EventKind
    at: datetime
    source: str
    page: str
    #: Plain values that depend on the kind, such as the title of an article or where it moved to.
    detail: Mapping[str, Any] = field(default_factory=dict)
    #: Its number in the archive, in the order of commits; 0 before it is committed.
    id: int = 0

    def __post_init__(self) -> None:
        """Protect the details from later changes."""
        object.__setattr__(self, "detail", FrozenMapping(self.detail))


@dataclass(frozen=True, slots=True, kw_only=True)
class RereadRecord:
    """A run over the archived pages with other models: how far it came, in the order of keys, and what it changed."""

    name: str
    began_at: datetime
    finished_at: datetime | None = None
    last_page: str = ""
    #: Numbers and examples, in plain values that JSON knows.
    done: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tombstone:
    """A page or source that was forgotten: its key and address, when, and the reason that was given."""

    key: str
    url: str
    at: datetime
    scope: TombstoneScope = "page"
    because: str = ""
