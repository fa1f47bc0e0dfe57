"""What a renderer and its driver say to each other: a line of JSON each way."""

import json
from dataclasses import asdict, dataclass, field
from enum import StrEnum


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

    def encode(self) -> bytes:
        """Return the job as one line."""
        return json.dumps(asdict(self)).encode("ascii") + b"\n"

    @classmethod
    def decode(cls, line: bytes) -> "RenderJob":
        """Return the job that a line holds."""
        return cls(**json.loads(line))


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

    def encode(self) -> bytes:
        """Return the answer as one line."""
        return json.dumps(asdict(self)).encode("ascii") + b"\n"

    @classmethod
    def decode(cls, line: bytes) -> "RenderAnswer":
        """Return the answer that a line holds."""
        content = json.loads(line)
        return cls(**{**content, "outcome": RenderOutcome(content["outcome"])})
