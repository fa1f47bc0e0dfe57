"""Where events of an archive are sent."""

from dataclasses import dataclass, field
from urllib.parse import urlsplit

from broadsheet.base.errors import ConfigError


@dataclass(frozen=True, slots=True)
class WebhookSettings:
    """An address of your own that is told what happens in an archive; without a `url` none is.

    - `url`: http or https; each request is a POST of JSON.
    - `kinds`: the kinds of events to send, separated by commas; empty for all.
    - `secret`: signs each request, so that the receiver can tell it from others.
    - `allow_local`: whether the address may be of this machine or of a private network.
    - `timeout`: seconds to wait for an answer.
    """

    url: str = ""
    kinds: str = ""
    # A traceback or a log must not show it.
    secret: str = field(default="", repr=False)
    allow_local: bool = False
    timeout: float = 10.0

    def __post_init__(self) -> None:
        """Refuse an address that cannot be sent to."""
        if self.url:
            try:
                parts = urlsplit(self.url)
                is_valid = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
            except ValueError:
                is_valid = False
            if not is_valid:
                raise ConfigError(f"url must be an http or https address, not {self.url!r}")
        if not 0 < self.timeout <= 600:
            raise ConfigError(f"timeout must be more than 0 and at most 600 seconds, not {self.timeout}")

    def kind_names(self) -> tuple[str, ...]:
        """Return the kinds of events to send."""
        return tuple(name.strip() for name in self.kinds.split(",") if name.strip())
