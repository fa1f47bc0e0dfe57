"""How good verdicts are expected to be, from their own probabilities: no labels are needed."""

from broadsheet.sources.target_counts import Doubles

#: When articles are known this well, a source's sections are known well enough to be followed (D'Onofrio, 2018).
SWITCH_F = 0.86


def expected_f(probabilities: Doubles) -> float:
    """Return the F1 that calibrated probabilities of one kind promise if everything above one half is accepted."""
    accepted = probabilities > 0.5
    promised = probabilities[accepted].sum()
    return float(2 * promised / max(accepted.sum() + probabilities.sum(), 1e-9))


def may_switch(articles: Doubles) -> bool:
    """Return whether exploration is over: articles are told from the rest well enough."""
    return expected_f(articles) >= SWITCH_F
