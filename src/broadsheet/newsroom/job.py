"""What the process that crawls is told, and what it tells: lines of JSON each way."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from broadsheet.base.clock import AcceleratedClock, Clock, SystemClock
from broadsheet.base.limits import Limits
from broadsheet.base.manners import Manners
from broadsheet.base.quotas import Quotas
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsroom.crawl_log import CrawlLog

#: What a running crawl can be told.
FINISH, NOW = "finish", "now"
#: What it tells.
BEGUN, PROGRESS, ENDED, FAILED = "begun", "progress", "ended", "failed"


@dataclass(frozen=True, slots=True)
class Pace:
    """An accelerated clock that two processes share: its start in ISO 8601, its speed, and the machine's seconds."""

    start: str
    speed: float
    origin: float

    @classmethod
    def of(cls, clock: AcceleratedClock) -> "Pace":
        """Return what another process needs to have the same time."""
        return cls(clock.start.isoformat(), clock.speed, clock.origin)

    def clock(self) -> AcceleratedClock:
        """Return the clock."""
        return AcceleratedClock(SystemClock(), datetime.fromisoformat(self.start), self.speed, self.origin)


@dataclass(frozen=True, slots=True)
class Job:
    """One crawl: the archive's folder, what to do, and how to behave."""

    folder: str
    assignment: Assignment
    manners: Manners = field(default_factory=Manners)
    limits: Limits = field(default_factory=Limits)
    pace: Pace | None = None
    quotas: Quotas = field(default_factory=Quotas)
    log: CrawlLog | None = None

    def clock(self) -> Clock:
        """Return the clock that the crawl goes by."""
        return self.pace.clock() if self.pace else SystemClock()

    def encode(self) -> bytes:
        """Return the job as one line."""
        return json.dumps(asdict(self)).encode("ascii") + b"\n"

    @classmethod
    def decode(cls, line: bytes) -> "Job":
        """Return the job that a line holds."""
        content = json.loads(line)
        assignment = content["assignment"]
        return cls(
            folder=content["folder"],
            assignment=Assignment(**{**assignment, "sites": tuple(assignment["sites"])}),
            manners=Manners(**content["manners"]),
            limits=Limits(**content["limits"]),
            quotas=Quotas(**content["quotas"]),
            pace=Pace(**content["pace"]) if content["pace"] else None,
            log=CrawlLog(**content["log"]) if content["log"] else None,
        )


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that the process tells; a failure carries the class, the message and the traceback."""

    name: str
    content: Mapping[str, Any] = field(default_factory=dict)

    def encode(self) -> bytes:
        """Return the event as one line."""
        return json.dumps({"event": self.name, **self.content}).encode("ascii") + b"\n"

    @classmethod
    def decode(cls, line: bytes) -> "Event":
        """Return the event that a line holds."""
        content = json.loads(line)
        return cls(content.pop("event"), content)
