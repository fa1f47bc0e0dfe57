"""A page that failed or was skipped, as an example of the reason."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Self

from broadsheet.base import advice, reasons
from broadsheet.base.reasons import Reason

#: Sites decide how long addresses and messages are.
MAX_CHARACTERS = 500


@dataclass(frozen=True, slots=True)
class Incident:
    """Where and when it happened, why, and the same in words that follow the address."""

    url: str
    reason: Reason
    detail: str
    at: datetime

    def cut(self) -> Self:
        """Return the incident as it is kept, with no more text than anybody reads."""
        if max(len(self.url), len(self.detail)) <= MAX_CHARACTERS:
            return self
        return replace(self, url=_cut(self.url), detail=_cut(self.detail))

    def line(self) -> str:
        """Say what happened and what can be done about it, to a person at the command line."""
        said = f"{self.url}: {self.detail or self.reason}"
        hint = advice.to_type(self.reason, self.url)
        return f"{said}; {hint}" if hint else said

    def told(self) -> dict[str, str]:
        """Return what a person is told, in plain types that JSON knows."""
        hint = advice.to_type(self.reason, self.url)
        return {"url": self.url, "reason": str(self.reason), "detail": self.detail, "advice": hint}

    def to_dict(self) -> dict[str, str]:
        """Return all that another process needs, in plain types that JSON knows."""
        return {"url": self.url, "reason": str(self.reason), "detail": self.detail, "at": self.at.isoformat()}

    @classmethod
    def from_dict(cls, values: Mapping[str, str]) -> Self:
        """Return what `to_dict` gave."""
        at = datetime.fromisoformat(values["at"])
        return cls(values["url"], reasons.named(values["reason"]), values["detail"], at)


def _cut(text: str) -> str:
    return text if len(text) <= MAX_CHARACTERS else text[: MAX_CHARACTERS - 1] + "…"
