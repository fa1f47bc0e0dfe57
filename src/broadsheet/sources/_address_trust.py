"""How far the addresses of a site can be trusted: fitted on the site itself, without labels.

A model of addresses that has learned elsewhere is just as sure of itself on a site whose topic pages have addresses
like articles. Therefore its odds of an article are shifted and scaled until they agree best with what the links say of
all targets of the site together. Two numbers are fitted per site. Whether a page is a section or something else is left
to the addresses: there links know less than they do.
"""

import numpy as np

from broadsheet.sources.target_counts import Doubles

#: How firmly both are held at 0 and 1, where addresses count as they are: the precision of a normal prior. Results are
#: nearly the same from 1 to 300.
TRUST = 10.0
#: Newton's method has converged on every site after a few steps; each is halved until the loss falls.
_STEPS, _HALVINGS = 30, 20
_SMALL = 1e-8


def shift_and_scale(odds: Doubles, beliefs: Doubles) -> tuple[float, float]:
    """Return what to add to logarithms of odds, and what to multiply them by first, so that they agree with beliefs."""
    design = np.column_stack((np.ones(len(odds)), odds))
    usual = np.array([0.0, 1.0])
    values, lowest = usual, _loss(design, beliefs, usual, usual)
    for _ in range(_STEPS):
        said = 1 / (1 + np.exp(-design @ values))
        gradient = design.T @ (said - beliefs) + TRUST * (values - usual)
        curvature = (design * (said * (1 - said))[:, None]).T @ design + TRUST * np.eye(2)
        step = np.linalg.solve(curvature, gradient)
        for halving in range(_HALVINGS):
            candidate = values - step / 2**halving
            loss = _loss(design, beliefs, candidate, usual)
            if loss <= lowest:
                break
        else:
            break
        moved = np.abs(candidate - values).max()
        values, lowest = candidate, loss
        if moved < _SMALL:
            break
    # A negative slope would mean that addresses predict the opposite, so they are ignored.
    return float(values[0]), max(float(values[1]), 0.0)


def trusted(address: Doubles, links: Doubles) -> Doubles:
    """Return both logarithms of odds by the address, that of an article as far as the beliefs by links support it."""
    shift, scale = shift_and_scale(address[:, 0], links[:, 0])
    return np.column_stack((shift + scale * address[:, 0], address[:, 1]))


def _loss(design: Doubles, beliefs: Doubles, values: Doubles, usual: Doubles) -> float:
    scores = design @ values
    return float((np.logaddexp(0, scores) - beliefs * scores).sum() + TRUST / 2 * ((values - usual) ** 2).sum())
