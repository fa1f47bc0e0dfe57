"""The figures of one site, and the table of all sites."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Self

from benchmarks import table

_MEAN = "mean"


@dataclass(frozen=True, slots=True)
class Row:
    """The figures of one site, as `benchmarks.replay` defines them."""

    site: str
    fresh: int
    fresh_archived: int
    archived: int
    archived_wrong: int
    saved_sections: int
    saved_sections_followed: int
    requests: int
    bytes: int
    fresh_asked: int = 0
    fresh_brief: int = 0
    fresh_brief_archived: int = 0
    archived_uncertain: int = 0
    archived_unlabelled: int = 0
    followed: int = 0
    cpu_seconds: float = 0.0
    peak_mb: int = 0
    by_class: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    wrong: Mapping[str, str] = field(default_factory=dict)
    missed: Mapping[str, str] = field(default_factory=dict)
    ignored_sections: Mapping[str, str] = field(default_factory=dict)

    @property
    def recall(self) -> float | None:
        """The share of the fresh articles that were archived; None without fresh articles."""
        return self.fresh_archived / self.fresh if self.fresh else None

    @property
    def wrong_share(self) -> float | None:
        """The share of what was archived that is not an article; None where nothing was archived."""
        return self.archived_wrong / self.archived if self.archived else None

    @property
    def sections_share(self) -> float | None:
        """The share of the saved section pages that are followed; None without any."""
        return self.saved_sections_followed / self.saved_sections if self.saved_sections else None

    def costing(self, seconds: float, megabytes: int) -> Self:
        """Return the row with what it cost to measure: CPU time, and the most memory of the process so far."""
        return replace(self, cpu_seconds=round(seconds, 1), peak_mb=megabytes)

    def to_dict(self) -> dict[str, object]:
        """Return all figures as JSON types."""
        return asdict(self)


def lay_out(rows: Sequence[Row]) -> str:
    """Format two tables: the shares of each site with their means, and the requests by golden class."""
    groups = list(dict.fromkeys(name for row in rows for name in row.by_class))
    head = ["site", "fresh", "archived", "share", "asked", "all archived", "wrong", "share", "uncertain", "unlabelled"]
    head += ["sections", "followed", "share", "all followed", "requests", "MB", "CPU s", "peak MB"]
    traffic = [["all sites", *_traffic(rows, groups)], *([row.site, *_traffic([row], groups)] for row in rows)]
    return "\n".join(
        (
            table.lay_out(head, [*map(_cells, rows), _mean(rows)], left=1),
            "",
            "Requests by golden class: first requests + repeats (of which answered with 304), MB",
            "",
            table.lay_out(["site", *groups], traffic, left=1),
        )
    )


def mean(shares: Sequence[float | None]) -> float | None:
    """Return the mean over the sites that have a share."""
    known = [share for share in shares if share is not None]
    return sum(known) / len(known) if known else None


def _cells(row: Row) -> list[str]:
    return [
        row.site,
        *(str(row.fresh), str(row.fresh_archived), _share(row.recall), str(row.fresh_asked)),
        *(str(row.archived), str(row.archived_wrong), _share(row.wrong_share)),
        *(str(row.archived_uncertain), str(row.archived_unlabelled)),
        *(str(row.saved_sections), str(row.saved_sections_followed), _share(row.sections_share), str(row.followed)),
        *(f"{row.requests:,}", f"{row.bytes / 1e6:,.0f}", f"{row.cpu_seconds:.0f}", str(row.peak_mb)),
    ]


def _mean(rows: Sequence[Row]) -> list[str]:
    recall, wrong = mean([row.recall for row in rows]), mean([row.wrong_share for row in rows])
    sections = mean([row.sections_share for row in rows])
    blank = [""]
    return [
        _MEAN,
        *(blank * 2 + [_share(recall)] + blank * 3 + [_share(wrong)] + blank * 4 + [_share(sections)] + blank * 5),
    ]


def _traffic(rows: Sequence[Row], groups: Sequence[str]) -> list[str]:
    return [_tally([row.by_class[name] for row in rows if name in row.by_class]) for name in groups]


def _tally(tallies: Sequence[Mapping[str, int]]) -> str:
    first, repeats, unchanged, size = (
        sum(tally[name] for tally in tallies) for name in ("first", "repeats", "not_modified", "bytes")
    )
    return f"{first:,} + {repeats:,} ({unchanged:,}), {size / 1e6:,.0f}"


def _share(share: float | None) -> str:
    return "\N{EN DASH}" if share is None else f"{share:.3f}"
