"""Crawler politeness, and the limits on what a site may send."""

from dataclasses import dataclass
from ipaddress import ip_network

from broadsheet.base.domains import registrable_domain
from broadsheet.base.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Manners:
    """How the crawler treats sites, and how much it accepts from them. Times are in seconds.

    - `contact`: your mail or web address, which goes into the user agent.
    - `delay`: the pause between two requests to a site (all hosts of one registrable domain).
    - `per_host`: requests at once to one host.
    - `per_site`: requests at once to all hosts of one registrable domain; `per_host` if that is more.
    - `per_source`: requests at once for one source, whatever sites they go to; `per_host` if that is more.
    - `concurrency`: requests at once in total; use at least as many as you have sources.
    - `timeout`: the longest one request may take, including its answer.
    - `retries`: how often a request is tried again after a temporary failure (a timeout, a 503).
    - `max_bytes`: an answer's length as received.
    - `max_decompressed_bytes`: its length after decompression.
    - `max_redirects`: how many redirects one request may follow.
    - `robots`: whether to respect robots.txt.
    - `robots_hours`: how many hours to rely on a robots.txt before asking again.
    - `max_crawl_delay`: the longest pause that a robots.txt may ask for.
    - `verify_tls`: whether to verify certificates.
    - `unverified`: sites whose certificates are not verified, by registrable domain (`example.org, news.example`).
    - `allow_networks`: networks outside the public internet that may be fetched from (`127.0.0.0/8, ::1`).
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
