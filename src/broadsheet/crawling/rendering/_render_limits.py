"""Limits on the time, memory and traffic of one rendered page."""

from dataclasses import dataclass, fields

from broadsheet.base.errors import ConfigError

#: The share of `max_seconds` after which a page that still changes is taken as it is.
_SETTLE_SHARE = 2 / 3


@dataclass(frozen=True, slots=True)
class RenderLimits:
    """The limits for one page.

    - `max_seconds`: from sending the page to receiving its DOM; after that, its browser is killed.
    - `max_bytes`: the length of the page, and of the resulting DOM, as UTF-8.
    - `max_requests`: requests that the page may make; further ones fail, and the page continues without them.
    - `max_received`: bytes that the page may load from the network; after that its connections are cut.
    - `max_memory`: the memory of all browser processes together, in bytes; checked on Linux only.
    - `quiet_seconds`: a page is settled when its DOM and the network have been idle for this long.
    """

    max_seconds: float = 15.0
    max_bytes: int = 20_000_000
    max_requests: int = 200
    max_received: int = 50_000_000
    max_memory: int = 2_000_000_000
    quiet_seconds: float = 0.5

    def __post_init__(self) -> None:
        """Reject limits that no page could meet."""
        for field in fields(self):
            value = getattr(self, field.name)
            if not value > 0:
                raise ConfigError(f"{field.name} must be greater than 0, not {value}")

    @property
    def settle_seconds(self) -> float:
        """How long a page may keep changing before it is taken as it is."""
        return self.max_seconds * _SETTLE_SHARE
