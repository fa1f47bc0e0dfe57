"""How good verdicts are expected to be, and when exploration is over: without labels."""

from collections.abc import Collection

from broadsheet.sources.target_counts import Doubles

#: When articles are known this well, a source's sections are known well enough to be followed (D'Onofrio, 2018).
SWITCH_F = 0.86
#: Sections count as settled if this share of them is the same as one snapshot before ...
SETTLED = 0.95
#: ... in so many snapshots in a row.
STEADY_SNAPSHOTS = 3


def expected_f(probabilities: Doubles) -> float:
    """Return the F1 that calibrated probabilities of one kind promise if everything above one half is accepted."""
    accepted = probabilities > 0.5
    promised = probabilities[accepted].sum()
    return float(2 * promised / max(accepted.sum() + probabilities.sum(), 1e-9))


def is_settled(now: Collection[str], before: Collection[str]) -> bool:
    """Return whether sections are the same as before, but for a few."""
    both, either = set(now) & set(before), set(now) | set(before)
    return len(both) >= SETTLED * max(len(either), 1)


def may_switch(articles: Doubles) -> bool:
    """Return whether articles are told from the rest well enough, by what one snapshot's probabilities promise."""
    return expected_f(articles) >= SWITCH_F


class PhaseSwitch:
    """Decides after each snapshot whether exploration is over.

    That the probabilities promise enough is true of most sources at once. Only visits show whether the verdicts last:
    sections that come and go from snapshot to snapshot cannot be followed yet.
    """

    def __init__(self) -> None:
        """Begin in exploration."""
        self._sections: frozenset[str] | None = None
        self._steady = 0
        self.switched = False

    def observe(self, articles: Doubles, sections: Collection[str]) -> bool:
        """Take the probabilities of articles, and what is judged to be a section; return whether to exploit now."""
        now, before = frozenset(sections), self._sections
        settled = before is not None and is_settled(now, before)
        self._steady = self._steady + 1 if settled and may_switch(articles) else 0
        self._sections = now
        self.switched = self.switched or self._steady >= STEADY_SNAPSHOTS
        return self.switched
