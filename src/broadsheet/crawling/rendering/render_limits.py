"""The caps that keep the time, memory and traffic of one rendered page bounded."""

from dataclasses import dataclass, fields

from broadsheet.base.errors import ConfigError

#: When this share of the time is gone, a page that still changes is taken as it is.
_PATIENCE = 2 / 3


@dataclass(frozen=True, slots=True)
class RenderLimits:
    """How much one page may take.

    - `max_seconds`: from handing the page over to having its DOM; a page without an answer is then ended.
    - `max_bytes`: the page's length, and that of the resulting DOM, as UTF-8.
    - `max_requests`: the requests let through; further ones are refused, and the page goes on without them.
    - `max_memory`: what the browser's processes may hold together, in bytes; looked at on Linux only.
    - `quiet_seconds`: a page is finished when neither its DOM nor the network stirred for this long.
    """

    max_seconds: float = 15.0
    max_bytes: int = 20_000_000
    max_requests: int = 200
    max_memory: int = 2_000_000_000
    quiet_seconds: float = 0.5

    def __post_init__(self) -> None:
        """Refuse a limit that no page could meet."""
        for field in fields(self):
            value = getattr(self, field.name)
            if not value > 0:
                raise ConfigError(f"{field.name} must be above 0, not {value}")

    @property
    def settle_seconds(self) -> float:
        """How long a page may go on changing before it is taken as it is."""
        return self.max_seconds * _PATIENCE
