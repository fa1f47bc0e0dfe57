"""The keep rules of an archive's sources, and the moments before which they say that visits are too old."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from broadsheet.archive.source_records import SourceRecord
from broadsheet.base.keep_rules import KEEP_EVERYTHING, KeepRule

#: Before all visits.
_NEVER = np.iinfo(np.int64).min


@dataclass(frozen=True, slots=True)
class KeepRules:
    """The rules of the sources that have one of their own, by key, and the rule for all others."""

    default: KeepRule = KEEP_EVERYTHING
    own: Mapping[str, KeepRule] | None = None

    @classmethod
    def of(cls, sources: Iterable[SourceRecord], default: KeepRule) -> "KeepRules":
        """Return the rules that are set for sources."""
        stated = ((source.key, source.settings.keep) for source in sources)
        return cls(default, {key: KeepRule.parse(text) for key, text in stated if text})

    def rule(self, source: str | None) -> KeepRule:
        """Return the rule for the visits that were made for a source."""
        return (self.own or {}).get(source or "", self.default)

    def every(self) -> tuple[KeepRule, ...]:
        """Return all rules."""
        return self.default, *(self.own or {}).values()

    @property
    def shortest(self) -> timedelta | None:
        """The shortest age that a rule names; None if none removes anything."""
        ages = (rule.shortest for rule in self.every())
        return min((age for age in ages if age is not None), default=None)


class Cutoffs:
    """The moment before which visits are too old, by source and kind."""

    def __init__(self, rules: KeepRules, now: datetime) -> None:
        """Take the rules, and the moment from which ages count."""
        self._rules = rules
        self._now = now

    def moment(self, source: str | None, kind: str) -> datetime | None:
        """Return that moment; None where nothing is too old."""
        age = getattr(self._rules.rule(source), kind)
        try:
            return None if age is None else self._now - age
        except OverflowError:
            return None

    def names(self, kind: str) -> bool:
        """Return whether any rule names a kind."""
        return any(getattr(rule, kind) is not None for rule in self._rules.every())

    def are_named(self, table: Any, kind: str) -> NDArray[np.bool_]:  # noqa: ANN401 - pyarrow has no types
        """Say of each visit of a table whether a rule names a kind for its source."""
        named: NDArray[np.bool_] = self._ends(table, kind) != _NEVER
        return named

    def are_old(self, table: Any, kind: str) -> NDArray[np.bool_]:  # noqa: ANN401 - pyarrow has no types
        """Say of each visit of a table whether it is too old for a kind."""
        moments: NDArray[np.int64] = table["fetched_at"].cast(pa.int64()).to_numpy()
        old: NDArray[np.bool_] = moments < self._ends(table, kind)
        return old

    def _ends(self, table: Any, kind: str) -> NDArray[np.int64]:  # noqa: ANN401 - pyarrow has no types
        """Return for each visit of a table the moment before which it is too old."""
        column = table["source"].combine_chunks().dictionary_encode()
        ends = [self.moment(source, kind) for source in (*column.dictionary.to_pylist(), None)]
        numbers = pa.array(ends, pa.timestamp("us", tz="UTC")).cast(pa.int64()).fill_null(_NEVER).to_numpy()
        # The last one is for visits without a source.
        codes = column.indices.fill_null(len(ends) - 1).to_numpy()
        each: NDArray[np.int64] = numbers[codes]
        return each
