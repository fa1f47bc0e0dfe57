"""How sure a model may be: one temperature for its scores, and how far stated and found shares lie apart."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from broadsheet.models.trees import Doubles, apply_link

_TEMPERATURES = np.geomspace(0.25, 4.0, 97)


class Bin(NamedTuple):
    """Answers that were about equally sure: how many, how sure on average, and the share that was right."""

    answers: int
    stated: float
    found: float


def log_loss(scores: Doubles, truth: NDArray[np.intp], weights: Doubles) -> float:
    """Return the mean surprise at the truth, in nats, of scores that softmax turns into probabilities."""
    found = apply_link(scores, "softmax")[np.arange(len(truth)), truth]
    return float(np.average(-np.log(np.maximum(found, 1e-12)), weights=weights))


def fit_temperature(scores: Doubles, truth: NDArray[np.intp], weights: Doubles) -> float:
    """Return the temperature at which scores of rows the model never saw surprise least."""
    losses = [log_loss(scores / temperature, truth, weights) for temperature in _TEMPERATURES]
    return float(np.round(_TEMPERATURES[int(np.argmin(losses))], 4))


def calibration_error(probabilities: Doubles, truth: NDArray[np.intp], weights: Doubles, bins: int = 10) -> float:
    """Return the mean distance between how sure the answers were and how often they were right, by tenths."""
    stated, right, places = _answers(probabilities, truth, bins)
    total = np.bincount(places, weights, bins)
    apart = np.abs(np.bincount(places, weights * stated, bins) - np.bincount(places, weights * right, bins))
    return float(apart.sum() / total.sum())


def reliability(probabilities: Doubles, truth: NDArray[np.intp], bins: int = 10) -> list[Bin]:
    """Return the answers by how sure they were, tenth by tenth, those without an answer left out."""
    stated, right, places = _answers(probabilities, truth, bins)
    chosen = (places == place for place in range(bins))
    return [Bin(int(own.sum()), float(stated[own].mean()), float(right[own].mean())) for own in chosen if own.any()]


def _answers(
    probabilities: Doubles, truth: NDArray[np.intp], bins: int
) -> tuple[Doubles, NDArray[np.bool_], NDArray[np.intp]]:
    stated = probabilities.max(axis=1)
    return stated, probabilities.argmax(axis=1) == truth, np.minimum((stated * bins).astype(np.intp), bins - 1)
