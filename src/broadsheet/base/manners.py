"""How a crawler behaves towards the sites it visits, and how far it lets them go."""

from dataclasses import dataclass
from ipaddress import ip_network

from broadsheet.base.domains import registrable_domain
from broadsheet.base.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Manners:
    """The section `crawl` of the settings; times are seconds of the machine.

    - `contact`: a mail or web address of whoever runs the crawler, for the user agent.
    - `delay`: the pause between two requests to a site, which is all hosts of one registrable domain.
    - `per_host`: how many may run at once on one host.
    - `per_site`: how many may run at once on all hosts of one registrable domain together.
    - `per_source`: how many may run at once for one source, wherever it leads.
    - `concurrency`: how many requests may run at once in all.
    - `timeout`: the longest one request may take, answer included.
    - `retries`: how often a request that failed in passing (a timeout, a 503) is tried again.
    - `max_bytes`, `max_decompressed_bytes`, `max_redirects`: how much one answer may be.
    - `robots`: whether robots.txt is heeded; `robots_hours`: how long one is believed.
    - `max_crawl_delay`: the longest pause that a robots.txt may ask for.
    - `verify_tls`: whether certificates of sites are verified.
    - `unverified`: sites whose certificates are not (`example.org, news.example`), by their registrable domain.
    - `allow_networks`: networks beside the public internet that may be fetched from (`127.0.0.0/8, ::1`).
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
        """Refuse what no crawler could do."""
        for name in ("per_host", "per_site", "per_source", "concurrency", "max_bytes", "max_decompressed_bytes"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} must be at least 1, not {getattr(self, name)}")
        for name in ("delay", "retries", "max_redirects", "max_crawl_delay"):
            if not getattr(self, name) >= 0:
                raise ConfigError(f"{name} must not be negative, as {getattr(self, name)} is")
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
        """Return the networks that are allowed beside the public internet."""
        return _listed(self.allow_networks)

    def verifies(self, host: str) -> bool:
        """Say whether the certificate of a host is to be verified."""
        return self.verify_tls and registrable_domain(host) not in map(registrable_domain, _listed(self.unverified))


def _listed(text: str) -> tuple[str, ...]:
    return tuple(item.strip() for item in text.split(",") if item.strip())
