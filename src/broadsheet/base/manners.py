"""Crawler politeness, and the limits on what a site may send."""

from dataclasses import dataclass
from ipaddress import ip_network

from broadsheet.base.domains import registrable_domain
from broadsheet.base.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Manners:
    """The section `crawl` of the settings; times are in real seconds.

    - `contact`: an email or web address of the crawler's operator, for the user agent.
    - `delay`: the pause between two requests to a site, that is, all hosts of one registrable domain.
    - `per_host`: how many requests may run at once on one host.
    - `per_site`: how many may run at once on all hosts of one registrable domain together.
    - `per_source`: how many may run at once for one source, on any host.
    - `concurrency`: how many requests may run at once in all.
    - `timeout`: the longest one request may take, response included.
    - `retries`: how often a request that failed temporarily (a timeout, a 503) is retried.
    - `max_bytes`, `max_decompressed_bytes`, `max_redirects`: limits on one response.
    - `robots`: whether robots.txt is obeyed; `robots_hours`: how long a copy of it is valid.
    - `max_crawl_delay`: the longest pause that a robots.txt may request.
    - `verify_tls`: whether TLS certificates are verified.
    - `unverified`: sites exempt from that (`example.org, news.example`), by registrable domain.
    - `allow_networks`: networks besides the public internet that may be fetched from (`127.0.0.0/8, ::1`).
    """

    contact: str = ""
    delay: float = 1.0
    per_host: int = 1
    per_site: int = 4
    per_source: int = 8
    concurrency: int = 64
    timeout: float = 30.0
    retries: int = 2
    max_bytes: int = 10_000_000
    max_decompressed_bytes: int = 20_000_000
    max_redirects: int = 10
    robots: bool = True
    robots_hours: float = 24.0
    max_crawl_delay: float = 60.0
    verify_tls: bool = True
    unverified: str = ""
    allow_networks: str = ""

    def __post_init__(self) -> None:
        """Refuse invalid values."""
        for name in ("per_host", "per_site", "per_source", "concurrency", "max_bytes", "max_decompressed_bytes"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} must be at least 1, not {getattr(self, name)}")
        for name in ("delay", "retries", "max_redirects", "max_crawl_delay"):
            if not getattr(self, name) >= 0:
                raise ConfigError(f"{name} must not be negative, but is {getattr(self, name)}")
        for name in ("timeout", "robots_hours"):
            if not getattr(self, name) > 0:
                raise ConfigError(f"{name} must be more than 0, not {getattr(self, name)}")
        if any(character in self.contact for character in "\r\n"):
            raise ConfigError("contact must be one line")
        for network in self.networks():
            try:
                ip_network(network)
            except ValueError as error:
                raise ConfigError(f"allow_networks: {network!r} is not a network (127.0.0.0/8, ::1, …)") from error

    def networks(self) -> tuple[str, ...]:
        """Return the networks that are allowed besides the public internet."""
        return _split_list(self.allow_networks)

    def verifies(self, host: str) -> bool:
        """Return whether to verify the certificate of a host."""
        return self.verify_tls and registrable_domain(host) not in map(registrable_domain, _split_list(self.unverified))


def _split_list(text: str) -> tuple[str, ...]:
    return tuple(item.strip() for item in text.split(",") if item.strip())
