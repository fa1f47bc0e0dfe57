"""Fitting of the weights of facts: a logistic choice among a page's candidates, and a logistic regression per name."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from broadsheet.corpora.author_labels import AuthorLabel
from broadsheet.corpora.field_measures import fold, names
from broadsheet.reading.facts import Candidate, FactWeights, choose, rescore
from broadsheet.training._fact_examples import FactExample

#: Strength of the penalty on large weights, in squared log odds.
PENALTY = 0.5
#: Signals on fewer pages than this have no weight.
LEAST_PAGES = 4
#: Weights are rounded, so that the last digits of another machine do not matter.
DIGITS = 3
#: Bars for the likeliest name that are tried.
BARS = tuple(step / 2 for step in range(-5, 2))

Choice = list[tuple[frozenset[str], bool]]
Floats = NDArray[np.float64]


def fit_weights(examples: Sequence[FactExample]) -> FactWeights:
    """Return the weights that choose best on some pages."""
    author, bias = _fit_names(examples)
    weights = FactWeights(
        title=_fit_choices([example.titles for example in examples if example.titles]),
        published=_fit_choices([example.days for example in examples if example.days]),
        author=author,
        author_bias=bias,
        author_likely=0.0,
    )
    labelled = [(example.names, example.authors) for example in examples if example.authors]

    def quality(each: FactWeights) -> tuple[float, float]:
        return sum(page_f(chosen_names(found, each), label) for found, label in labelled), each.author_likely

    return max((replace(weights, author_likely=bar) for bar in BARS), key=quality)


def chosen_names(candidates: Sequence[Candidate[str]], weights: FactWeights) -> tuple[str, ...]:
    """Return the authors that some weights choose among the names of a page."""
    return tuple(each.mentions[0].value for each in choose(rescore(candidates, weights.author), weights))


def page_f(given: tuple[str, ...], label: AuthorLabel) -> float:
    """Return the F-score of the names of a page; 1 for none where there is none, 0 for a name where there is none."""
    found = names(given) - (names(label.accepted) - names(label.authors))
    expected = names(label.authors)
    if not expected or not found:
        return float(not expected and not found)
    return 2 * len(found & expected) / (len(found) + len(expected))


def _fit_choices(pages: Sequence[Choice]) -> dict[str, float]:
    """Maximise the probability that a right candidate is chosen, on pages that have right and wrong ones."""
    pages = [page for page in pages if len({right for _, right in page}) == 2]
    signals = _frequent([{signal for signals, _ in page for signal in signals} for page in pages])
    rows = _matrix([signals_of for page in pages for signals_of, _ in page], signals)
    right = np.array([is_right for page in pages for _, is_right in page])
    starts = np.cumsum([0, *(len(page) for page in pages)])[:-1]
    owner = np.repeat(np.arange(len(pages)), [len(page) for page in pages])

    def loss(weights: Floats) -> tuple[float, Floats]:
        scores = rows @ weights
        scores = scores - np.maximum.reduceat(scores, starts)[owner]
        powers = np.exp(scores)
        total = np.add.reduceat(powers, starts)
        correct = np.add.reduceat(powers * right, starts)
        shares = powers / total[owner] - powers * right / correct[owner]
        value = float(np.sum(np.log(total) - np.log(correct))) + PENALTY * float(weights @ weights) / 2
        return value, rows.T @ shares + PENALTY * weights

    return _named(signals, _minimise(loss, len(signals)))


def _fit_names(examples: Sequence[FactExample]) -> tuple[dict[str, float], float]:
    """Fit the probability that a name is an author's; names that are only accepted do not count."""
    rows: list[frozenset[str]] = []
    right: list[bool] = []
    pages: list[set[str]] = []
    for example in examples:
        if example.authors:
            expected, accepted = names(example.authors.authors), names(example.authors.accepted)
            counted = [(each, fold(each.mentions[0].value)) for each in example.names]
            counted = [(each, name) for each, name in counted if name in expected or name not in accepted]
            rows += [each.signals for each, _ in counted]
            right += [name in expected for _, name in counted]
            pages.append({signal for each, _ in counted for signal in each.signals})
    signals = _frequent(pages)
    matrix = np.hstack([_matrix(rows, signals), np.ones((len(rows), 1))])
    sign = np.where(right, 1.0, -1.0)
    penalty = np.full(len(signals) + 1, PENALTY)
    penalty[-1] = 0.0

    def loss(weights: Floats) -> tuple[float, Floats]:
        margin = sign * (matrix @ weights)
        value = float(np.sum(np.logaddexp(0.0, -margin))) + float(penalty @ weights**2) / 2
        return value, matrix.T @ (-sign / (1.0 + np.exp(margin))) + penalty * weights

    fitted = _minimise(loss, len(signals) + 1)
    return _named(signals, fitted[:-1]), round(float(fitted[-1]), DIGITS)


def _minimise(loss: Callable[[Floats], tuple[float, Floats]], size: int) -> Floats:
    found: Any = minimize(loss, np.zeros(size), jac=True, method="L-BFGS-B", options={"maxiter": 2000, "ftol": 1e-12})
    return np.asarray(found.x, dtype=np.float64)


def _frequent(pages: Sequence[set[str]]) -> list[str]:
    counts: dict[str, int] = {}
    for page in pages:
        for signal in page:
            counts[signal] = counts.get(signal, 0) + 1
    return sorted(signal for signal, count in counts.items() if count >= LEAST_PAGES)


def _matrix(rows: Sequence[frozenset[str]], signals: Sequence[str]) -> Floats:
    return np.array([[float(signal in row) for signal in signals] for row in rows]).reshape(len(rows), len(signals))


def _named(signals: Sequence[str], weights: Floats) -> dict[str, float]:
    return {signal: round(float(weight), DIGITS) for signal, weight in zip(signals, weights, strict=True)}
