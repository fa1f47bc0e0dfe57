"""The messages between a renderer and its driver: one packet each way."""

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
    """One page to render, from its HTML or, without it, from its URL."""

    url: str
    html: str | None
    loopback: bool
    #: Networks that may be reached beside the public web; None if the page may not reach that at all.
    public: list[str] | None
    settle_seconds: float
    quiet_seconds: float
    max_bytes: int
    max_requests: int
    max_received: int

    def to_packet(self) -> Packet:
        """Serialise the job."""
        return Packet(asdict(self))

    @classmethod
    def from_packet(cls, packet: Packet) -> "RenderJob":
        """Deserialise a job."""
        return cls(**packet.head)


@dataclass(frozen=True, slots=True)
class RenderAnswer:
    """The result of a job; fields other than the outcome are set only where they apply."""

    outcome: RenderOutcome
    message: str = ""
    html: str = ""
    url: str = ""
    settled: bool = False
    requests: int = 0
    received: int = 0
    length: int = 0
    blocked: dict[str, int] = field(default_factory=dict)

    def to_packet(self) -> Packet:
        """Serialise the answer."""
        return Packet(asdict(self))

    @classmethod
    def from_packet(cls, packet: Packet) -> "RenderAnswer":
        """Deserialise an answer."""
        return cls(**{**packet.head, "outcome": RenderOutcome(packet.head["outcome"])})
