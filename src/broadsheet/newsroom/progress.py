"""How far a crawl has come: numbers that only grow, told after every commit."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from broadsheet.base.incident import Incident
from broadsheet.base.reasons import Reason

_INCIDENTS = frozenset({"examples", "failing"})


@dataclass(slots=True)
class Progress:
    """What this run has made durable; `articles` are new ones, `unchanged` the pages that were as before."""

    snapshots: int = 0
    requests: int = 0
    bytes: int = 0
    visits: int = 0
    unchanged: int = 0
    sections: int = 0
    articles: int = 0
    failures: dict[str, int] = field(default_factory=dict)
    skips: dict[str, int] = field(default_factory=dict)
    #: The newest example of each reason of both.
    examples: dict[str, Incident] = field(default_factory=dict)
    #: Why the last visit to the home page of a source failed, by the source's key.
    failing: dict[str, Incident] = field(default_factory=dict)
    #: The clock of the crawl, in ISO 8601, and the title of the newest article.
    now: str = ""
    latest: str = ""

    def miss(self, reason: Reason, by: int = 1) -> None:
        """Count pages that failed, or that were skipped."""
        counts = self.skips if reason.is_skip else self.failures
        counts[str(reason)] = counts.get(reason, 0) + by

    def to_dict(self) -> dict[str, object]:
        """Return the numbers in plain types that JSON knows."""
        return {entry.name: _plain(getattr(self, entry.name)) for entry in fields(self)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Progress":
        """Return what `to_dict` gave; unknown names are refused."""
        known = {entry.name for entry in fields(cls)}
        if unknown := values.keys() - known:
            raise ValueError(f"unknown fields of progress: {', '.join(sorted(unknown))}")
        decoded: dict[str, Any] = {name: _incidents(values[name]) for name in _INCIDENTS & values.keys()}
        return cls(**{**values, **decoded})


def _plain(value: Any) -> object:  # noqa: ANN401 - the value of any field
    if not isinstance(value, dict):
        return value
    return {key: each.to_dict() if isinstance(each, Incident) else each for key, each in value.items()}


def _incidents(values: Mapping[str, Mapping[str, str]]) -> dict[str, Incident]:
    return {key: Incident.from_dict(value) for key, value in values.items()}
