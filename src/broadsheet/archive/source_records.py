"""What an archive knows of sources, and what its writer was asked to do with them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

from broadsheet.base.frozen import FrozenMapping
from broadsheet.base.source_settings import DEFAULT_SETTINGS, SourceSettings

#: How many seconds lie between two visits of a home page if nobody says otherwise.
USUAL_INTERVAL = 3600.0

SourceState = Literal["active", "paused", "removed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptNeed:
    """Whether fronts and articles of a source can only be read after their scripts have run; None: not tried."""

    fronts: bool | None = None
    articles: bool | None = None
    tried_at: datetime | None = None


class Phase(StrEnum):
    """Whether the sections of a source are still being looked for, or known and lived off."""

    EXPLORATION = "exploration"
    EXPLOITATION = "exploitation"


#: Where the evidence of a review says what is lacking to switch.
LACKING = "lacking"


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseRecord:
    """The phase of a source, when it changed to that, and why; events of the kind `phase` are its history.

    `because` is empty if it never changed. `evidence` is what the last evaluation said, and `steady` in how many of
    them in a row the source could switch. `collections` is a sample of the link collections of its home page, by which
    a redesign is noticed, and `odd` how many visits in a row found others.
    """

    phase: Phase = Phase.EXPLORATION
    since: datetime | None = None
    because: str = ""
    evidence: Mapping[str, Any] = field(default_factory=dict)
    steady: int = 0
    collections: tuple[str, ...] = ()
    odd: int = 0

    @property
    def reason(self) -> str:
        """Why it is this phase, in words: what changed it, and for exploration also why it goes on."""
        if self.phase is Phase.EXPLOITATION:
            return self.because
        # Reviews of earlier versions did not say what was lacking.
        lacking = self.evidence.get(LACKING, "" if "measure" in self.evidence else "not reviewed yet")
        return "; ".join(filter(None, (self.because, lacking)))


#: A source of which nothing was evaluated yet.
NEW_PHASE = PhaseRecord()


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRecord:
    """A news source that is followed; `every` is the seconds between two visits of its home page.

    `every_given` says whether a user gave them, and `pace` which policy the last crawl followed.
    """

    key: str
    url: str
    name: str
    added_at: datetime
    state: SourceState = "active"
    every: float = USUAL_INTERVAL
    every_given: bool = False
    pace: str | None = None
    #: How often the home page was asked for.
    snapshots: int = 0
    #: The goal of the current crawl: the last snapshot, or the moment after which nothing is fetched.
    until_snapshot: int | None = None
    until: datetime | None = None
    #: How that goal was worded: the same words again mean the same goal.
    goal: str | None = None
    #: When all targets of the source were last judged together.
    reviewed_at: datetime | None = None
    #: What the user set for it.
    settings: SourceSettings = DEFAULT_SETTINGS
    #: What was learned of its scripts.
    scripts: ScriptNeed = ScriptNeed()
    phase: PhaseRecord = NEW_PHASE

    @property
    def phase_since(self) -> datetime:
        """When its phase began: as it was added, unless the phase has changed since."""
        # Earlier versions noted the first review of a source whose phase had not changed.
        return self.phase.since if self.phase.since and self.phase.because else self.added_at


class OrderKind(StrEnum):
    """What an order asks for."""

    ADD = "add"
    PAUSE = "pause"
    RESUME = "resume"
    REMOVE = "remove"
    SET = "set"
    STOP = "stop"


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """One order; `source` is an address or a key, and `values` are plain values such as settings.

    One that was taken has `taken_at`, and either a `result`, which says what was done, or an `error`, which says why
    nothing was.
    """

    what: OrderKind
    at: datetime
    source: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    #: Its number in the archive; 0 before it is placed.
    id: int = 0
    taken_at: datetime | None = None
    result: str | None = None
    error: str | None = None

    def __post_init__(self) -> None:
        """Protect the values from later changes."""
        object.__setattr__(self, "values", FrozenMapping(self.values))
