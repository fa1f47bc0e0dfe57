"""How a newsroom works: its filters, its readers, and how often sources are reviewed and articles revisited."""

from dataclasses import dataclass

from broadsheet.base.errors import ConfigError
from broadsheet.base.keep_rules import EVERYTHING, KeepRule

#: The last filter, which alone runs where the archive is written; all others run in the reader processes.
KEEP = "keep"
RENDERING = ("never", "auto")


@dataclass(frozen=True, slots=True)
class NewsroomSettings:
    """The newsroom's own settings. Times are in seconds.

    - `filters`: the filters that each fetched page passes, in this order; `keep` must be the last.
    - `reader`: what reads articles.
    - `workers`: processes that apply the filters; 0 for one per core.
    - `renew_after`: pages after which such a process is replaced.
    - `page_seconds`: how long the filters may take for one page.
    - `page_memory`: bytes of memory that they may take for one page, and such a process in all its time.
    - `review_every`: time between two reviews of a source.
    - `judge`: what judges the pages of a source at its reviews: `links`, `plain`, or one that a package brings.
    - `render`: whether a browser runs the scripts of pages: `never`, or `auto` where a source is found to need it.
    - `switch`: what decides that a source is explored: `quality`, `supervised`, `silhouette` or `entropy`.
    - `labels`: a file of JSON lines with `url` and `kind` of pages, which `supervised` compares verdicts with.
    - `pace`: the policy by which sections are visited again: `fixed`, `adaptive`, `overlap`, `stability` or `arrivals`.
    - `revisits`: the policy by which articles are visited again: `adaptive`, `signs`, `once`, `steady` or `never`.
    - `revisit_after`: the shortest time between two visits of an article without a sign of a revision; 0 for no visits.
    - `revisit_budget`: how many such visits the `adaptive` policy may make, as a share of all other requests.
    - `feeds`: whether feeds and sitemaps are looked for and followed.
    - `keep`: how long responses and links are kept, for sources without a rule of their own: `fronts 30d, other 7d`.
    - `max_size`: bytes that the archive may take before its oldest responses go, those of articles excepted; 0 for any.
    """

    filters: str = "decode, parse, judge, links, read, keep"
    reader: str = "default"
    workers: int = 0
    renew_after: int = 2_000
    page_seconds: float = 20.0
    page_memory: int = 1_500_000_000
    review_every: float = 6 * 3600.0
    judge: str = "links"
    render: str = "auto"
    switch: str = "quality"
    labels: str = ""
    pace: str = "arrivals"
    revisits: str = "adaptive"
    # A little less than two hours, so that what it finds is not older than that.
    revisit_after: float = 6900.0
    feeds: bool = True
    revisit_budget: float = 0.25
    keep: str = EVERYTHING
    max_size: int = 0

    def __post_init__(self) -> None:
        """Refuse values that make no sense."""
        if self.workers < 0:
            raise ConfigError(f"workers must not be negative, but is {self.workers}")
        if self.revisit_after < 0:
            raise ConfigError(f"revisit_after must not be negative, but is {self.revisit_after}")
        if self.revisit_budget < 0:
            raise ConfigError(f"revisit_budget must not be negative, but is {self.revisit_budget}")
        for name in ("renew_after", "page_seconds", "page_memory", "review_every"):
            if not getattr(self, name) > 0:
                raise ConfigError(f"{name} must be more than 0, not {getattr(self, name)}")
        if self.render not in RENDERING:
            raise ConfigError(f"render must be one of {', '.join(RENDERING)}, not {self.render!r}")
        KeepRule.parse(self.keep)
        if self.max_size < 0:
            raise ConfigError(f"max_size must not be negative, but is {self.max_size}")
        names = self._names()
        if names.count(KEEP) != 1 or names[-1] != KEEP:
            raise ConfigError(f"filters must end with {KEEP!r}, and name it once, not {self.filters!r}")

    def filter_names(self) -> tuple[str, ...]:
        """Return the names of the filters before `keep`."""
        return self._names()[:-1]

    def _names(self) -> tuple[str, ...]:
        return tuple(name.strip() for name in self.filters.split(",") if name.strip())
