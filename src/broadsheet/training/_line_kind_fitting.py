"""Fit the kinds of lines: a logistic regression each, over the features and the words of lines."""

from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix, hstack

from broadsheet.reading.lines.line_kinds import KINDS, MAX_DEVIATIONS, LineKinds
from broadsheet.reading.lines.vocabulary import Vocabulary
from broadsheet.training._line_kind_examples import UNKNOWN, LineExample

#: Strength of the penalty on large weights, in squared log-odds, and the most steps.
PENALTY, STEPS = 10.0, 150
#: Added to deviations, so that features that are nearly constant do not count.
MIN_DEVIATION = 1e-3


def fit_kinds(examples: Sequence[LineExample], vocabulary: Vocabulary) -> LineKinds:
    """Fit the kinds to the lines of some pages."""
    rows = np.concatenate([example.rows for example in examples]).astype(np.float32)
    targets = np.concatenate([example.targets for example in examples])
    mean, deviation = rows.mean(axis=0), rows.std(axis=0) + np.float32(MIN_DEVIATION)
    scaled = np.clip((rows - mean) / deviation, -MAX_DEVIATIONS, MAX_DEVIATIONS)
    words = _near_words(chain.from_iterable(example.words for example in examples), vocabulary)
    inputs = hstack([csr_matrix(scaled), words]).tocsr()
    weights = np.stack([_fit(inputs, targets[:, kind]) for kind in KINDS], axis=1).astype(np.float32)
    count = rows.shape[1]
    # Half precision, as in the file, so that what is fitted and what is read are the same.
    of_words = weights[count:-1].astype(np.float16).astype(np.float32)
    return LineKinds(mean, deviation, weights[:count], of_words, weights[-1])


def _near_words(words: Iterable[NDArray[np.int32]], vocabulary: Vocabulary) -> csr_matrix:
    """Return which words each line has, in its text or in the names next to it; names further out say less about it."""
    texts = vocabulary.size - len(vocabulary.texts)
    near = [ids[(ids < vocabulary.zone) | (ids >= texts)] for ids in words]
    places = np.concatenate(([0], np.cumsum([len(ids) for ids in near])))
    ids = np.concatenate(near)
    matrix = csr_matrix((np.ones(len(ids), np.float32), ids, places), (len(near), vocabulary.size))
    matrix.sum_duplicates()
    return matrix


def _fit(inputs: csr_matrix, targets: NDArray[np.int8]) -> NDArray[np.float64]:
    """Return the weights of one kind, and its bias last; zeros if no line is known to be of it."""
    known = targets != UNKNOWN
    if not (targets == 1).any():
        return np.zeros(inputs.shape[1] + 1)
    chosen = inputs[known]
    transposed, sign = chosen.T.tocsr(), np.where(targets[known] == 1, 1.0, -1.0)

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        margin = sign * (chosen @ weights[:-1] + weights[-1])
        back = -sign / (1.0 + np.exp(np.clip(margin, -500, 500)))
        value = float(np.logaddexp(0.0, -margin).sum()) + PENALTY * float(weights[:-1] @ weights[:-1]) / 2
        return value, np.append(transposed @ back + PENALTY * weights[:-1], back.sum())

    found = minimize(loss, np.zeros(inputs.shape[1] + 1), jac=True, method="L-BFGS-B", options={"maxiter": STEPS})
    return np.asarray(found.x, np.float64)
