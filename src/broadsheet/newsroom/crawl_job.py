"""What the process that crawls is told, and what it tells: packets each way."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from broadsheet.base.clock import AcceleratedClock, Clock, SystemClock
from broadsheet.base.limits import Limits
from broadsheet.base.manners import Manners
from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.base.quotas import Quotas
from broadsheet.base.wire import Packet
from broadsheet.newsroom.assignment import Assignment
from broadsheet.newsroom.crawl_log import CrawlLog

#: What a running crawl can be told, as its `WORD`.
WORD = "word"
FINISH, NOW = "finish", "now"
#: What it tells.
BEGUN, PROGRESS, PULSE, ENDED, FAILED = "begun", "progress", "pulse", "ended", "failed"
#: How soon an order is taken.
ORDER_SECONDS = 1.0
#: Seconds of the clock after which what has become due without anything else happening is fetched, at the latest.
MAX_WAKE_SECONDS = 60.0


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
class CrawlJob:
    """One crawl: the archive's folder, what to do, and how to behave."""

    folder: str
    assignment: Assignment
    manners: Manners = field(default_factory=Manners)
    limits: Limits = field(default_factory=Limits)
    pace: Pace | None = None
    quotas: Quotas = field(default_factory=Quotas)
    settings: NewsroomSettings = field(default_factory=NewsroomSettings)
    log: CrawlLog | None = None

    def clock(self) -> Clock:
        """Return the clock that the crawl goes by."""
        return self.pace.clock() if self.pace else SystemClock()

    def wake_seconds(self) -> float:
        """Return how often orders are looked for, in seconds of the clock: at least once in a second of the machine."""
        return min(MAX_WAKE_SECONDS, self.pace.speed) if self.pace else ORDER_SECONDS

    def to_packet(self) -> Packet:
        """Return the job as it is sent."""
        return Packet(asdict(self))

    @classmethod
    def of_packet(cls, packet: Packet) -> "CrawlJob":
        """Return the job that was sent."""
        content = packet.head
        assignment = content["assignment"]
        return cls(
            folder=content["folder"],
            assignment=Assignment(**{**assignment, "sites": tuple(assignment["sites"])}),
            manners=Manners(**content["manners"]),
            limits=Limits(**content["limits"]),
            quotas=Quotas(**content["quotas"]),
            settings=NewsroomSettings(**content["settings"]),
            pace=Pace(**content["pace"]) if content["pace"] else None,
            log=CrawlLog(**content["log"]) if content["log"] else None,
        )


@dataclass(frozen=True, slots=True)
class Pulse:
    """What is going on at this moment, whether or not anything was made durable."""

    in_flight: int = 0


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that the process tells; a failure carries the class, the message and the traceback."""

    name: str
    content: Mapping[str, Any] = field(default_factory=dict)

    def to_packet(self) -> Packet:
        """Return the event as it is sent."""
        return Packet({"event": self.name, **self.content})

    @classmethod
    def of_packet(cls, packet: Packet) -> "Event":
        """Return the event that was sent."""
        content = dict(packet.head)
        return cls(content.pop("event"), content)
