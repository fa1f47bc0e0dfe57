"""How far a crawl has come: numbers that only grow, told after every commit."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields


@dataclass(slots=True)
class Progress:
    """What this run has made durable; `articles` are new ones, `checked` the pages that were as before."""

    rounds: int = 0
    requests: int = 0
    bytes: int = 0
    visits: int = 0
    unchanged: int = 0
    sections: int = 0
    articles: int = 0
    failures: dict[str, int] = field(default_factory=dict)
    #: The clock of the crawl, in ISO 8601, and the title of the newest article.
    now: str = ""
    latest: str = ""

    def fail(self, reason: str, by: int = 1) -> None:
        """Count pages that did not come, or could not be used."""
        self.failures[reason] = self.failures.get(reason, 0) + by

    def to_dict(self) -> dict[str, object]:
        """Return the numbers in plain types that JSON knows."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, object]) -> "Progress":
        """Return what `to_dict` gave; unknown names are refused."""
        known = {entry.name for entry in fields(cls)}
        if unknown := values.keys() - known:
            raise ValueError(f"no progress has {', '.join(sorted(unknown))}")
        return cls(**values)  # type: ignore[arg-type]
