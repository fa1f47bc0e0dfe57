"""What a renderer and its driver say to each other: one packet each way."""

from dataclasses import asdict, dataclass, field
from enum import StrEnum

from broadsheet.base.wire import Packet


class RenderOutcome(StrEnum):
    """How a job ended."""

    DONE = "done"
    FAILED = "failed"
    REFUSED = "refused"
    TIMEOUT = "timeout"
    TOO_LARGE = "too large"


@dataclass(frozen=True, slots=True)
class RenderJob:
    """One page to render: from its HTML, or, where there is none, from its address."""

    url: str
    html: str | None
    loopback: bool
    settle_seconds: float
    quiet_seconds: float
    max_bytes: int
    max_requests: int

    def to_packet(self) -> Packet:
        """Return the job as it is sent."""
        return Packet(asdict(self))

    @classmethod
    def of_packet(cls, packet: Packet) -> "RenderJob":
        """Return the job that was sent."""
        return cls(**packet.head)


@dataclass(frozen=True, slots=True)
class RenderAnswer:
    """What came of a job; all but the outcome is given only where that makes sense."""

    outcome: RenderOutcome
    message: str = ""
    html: str = ""
    url: str = ""
    settled: bool = False
    requests: int = 0
    length: int = 0
    blocked: dict[str, int] = field(default_factory=dict)

    def to_packet(self) -> Packet:
        """Return the answer as it is sent."""
        return Packet(asdict(self))

    @classmethod
    def of_packet(cls, packet: Packet) -> "RenderAnswer":
        """Return the answer that was sent."""
        return cls(**{**packet.head, "outcome": RenderOutcome(packet.head["outcome"])})
