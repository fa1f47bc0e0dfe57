"""Limits on what an archive stores and fetches for one source."""

from dataclasses import dataclass, fields

from broadsheet.base.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Quotas:
    """How much one source may cost; what exceeds a quota waits, or is dropped and counted with its reason.

    - `max_page_links`: distinct link targets used from one page; the first ones count.
    - `max_page_rows`: link occurrences kept from one page; the first ones count.
    - `max_new_links`: new link targets per day.
    - `max_pages`: pages of the source in the catalogue, most of which were only linked to.
    - `max_sections`: pages that are followed.
    - `max_feeds`: feeds and sitemaps that are tried or followed.
    - `max_requests`: requests per hour; what exceeds them waits. Home page and sections go first.
    - `max_bytes`: bytes per hour, in the same way.
    - `max_section_candidates`: pages per day that are fetched because they may be sections, or articles against all
      appearances.
    - `max_renders`: pages per hour whose scripts a browser runs.
    """

    max_page_links: int = 3_000
    max_page_rows: int = 6_000
    max_new_links: int = 10_000
    max_pages: int = 1_000_000
    max_sections: int = 300
    max_feeds: int = 20
    max_requests: int = 2_000
    max_bytes: int = 1_000_000_000
    max_section_candidates: int = 1_000
    max_renders: int = 120

    def __post_init__(self) -> None:
        """Refuse a quota that lets nothing through."""
        for field in fields(self):
            value = getattr(self, field.name)
            if value < 1:
                raise ConfigError(f"{field.name} must be at least 1, not {value}")
