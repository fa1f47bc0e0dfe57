"""Calibration of probabilities: temperature scaling, calibration error and reliability bins."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from broadsheet.models.trees import Doubles, apply_link

_TEMPERATURES = np.geomspace(0.25, 4.0, 97)


class Bin(NamedTuple):
    """Predictions of similar confidence: their number, mean confidence and accuracy."""

    size: int
    confidence: float
    accuracy: float


def log_loss(scores: Doubles, truth: NDArray[np.intp], weights: Doubles) -> float:
    """Return the weighted mean log loss, in nats, of the softmax of scores."""
    probabilities = apply_link(scores, "softmax")[np.arange(len(truth)), truth]
    return float(np.average(-np.log(np.maximum(probabilities, 1e-12)), weights=weights))


def fit_temperature(scores: Doubles, truth: NDArray[np.intp], weights: Doubles) -> float:
    """Return the temperature with the lowest log loss on held-out scores."""
    losses = [log_loss(scores / temperature, truth, weights) for temperature in _TEMPERATURES]
    return float(np.round(_TEMPERATURES[int(np.argmin(losses))], 4))


def calibration_error(probabilities: Doubles, truth: NDArray[np.intp], weights: Doubles, bins: int = 10) -> float:
    """Return the expected calibration error: the weighted mean gap between confidence and accuracy, by bin."""
    confidence, correct, places = _predictions(probabilities, truth, bins)
    total = np.bincount(places, weights, bins)
    gaps = np.abs(np.bincount(places, weights * confidence, bins) - np.bincount(places, weights * correct, bins))
    return float(gaps.sum() / total.sum())


def class_calibration_errors(probabilities: Doubles, truth: NDArray[np.intp], bins: int = 10) -> list[float]:
    """Return for each class the mean gap between its probability and its share of the pages, by bin."""
    errors = []
    for kind in range(probabilities.shape[1]):
        stated, is_kind = probabilities[:, kind], truth == kind
        places = np.minimum((stated * bins).astype(np.intp), bins - 1)
        gaps = np.abs(np.bincount(places, stated, bins) - np.bincount(places, is_kind, bins))
        errors.append(float(gaps.sum() / max(len(truth), 1)))
    return errors


def reliability(probabilities: Doubles, truth: NDArray[np.intp], bins: int = 10) -> list[Bin]:
    """Return the non-empty bins of predictions by confidence."""
    confidence, correct, places = _predictions(probabilities, truth, bins)
    masks = [mask for place in range(bins) if (mask := places == place).any()]
    return [Bin(int(mask.sum()), float(confidence[mask].mean()), float(correct[mask].mean())) for mask in masks]


def _predictions(
    probabilities: Doubles, truth: NDArray[np.intp], bins: int
) -> tuple[Doubles, NDArray[np.bool_], NDArray[np.intp]]:
    confidence = probabilities.max(axis=1)
    return confidence, probabilities.argmax(axis=1) == truth, np.minimum((confidence * bins).astype(np.intp), bins - 1)
