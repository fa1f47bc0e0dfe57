"""Fitting of the weights of facts: a logistic choice among a page's candidates, and a logistic regression per name."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from broadsheet.corpora.author_labels import AuthorLabel, author_labels
from broadsheet.corpora.field_measures import names
from broadsheet.reading.facts import LIKENESS, LINE_LIKE, Candidate, FactWeights, choose, likeness, rescore
from broadsheet.training._fact_examples import Choice, FactExample
from broadsheet.training._letter_fitting import LetterCounts

#: Strength of the penalty on large weights, in squared log odds.
PENALTY = 0.5
#: Signals on fewer pages than this have no weight.
MIN_PAGES = 4
#: Weights are rounded, so that the last digits of another machine do not matter.
DIGITS = 3
#: Bars that are tried for names that are authors in any case, and, if there is none, for the likeliest person, the
#: likeliest one in a line without any mark, and the likeliest organisation.
SURE_BARS, LIKELY_BARS = (0.5, 1.0, 1.5), (-1.25, -1.0, -0.75, -0.5, -0.25, 0.0)
LINE_BARS = (-0.5, 0.0, 0.5, 1.0)
ORGANISATION_BARS = (-3.0, -2.0)
#: The share of right names that is aimed at on pages that were labelled whether or not they have an author; a little
#: more than is promised, because there are few such pages.
PRECISION = 0.985
#: Pages that were labelled whether or not they have an author count this many times: all others have one.
HAND_WEIGHT = 3.0
#: Sites are divided into this many folds.
FOLDS = 5

Floats = NDArray[np.float64]
#: Whether a page was labelled by hand, its names with their log odds, and its authors.
_ScoredNames = tuple[bool, list[Candidate[str]], AuthorLabel]


def fit_weights(examples: Sequence[FactExample]) -> FactWeights:
    """Return the weights that choose best on some pages."""
    counts = _letter_counts(examples)
    judged = _with_likeness_of_other_sites(examples, counts)
    author, bias = _fit_names(judged)
    weights = FactWeights(
        title=fit_choices([example.titles for example in examples if example.titles]),
        headline=fit_choices([example.headlines for example in examples if example.headlines]),
        published=fit_choices([example.days for example in examples if example.days]),
        author=author,
        author_bias=bias,
        author_sure=0.0,
        author_likely=0.0,
        author_line=0.0,
        author_organisation=0.0,
        letters=sum(counts.values(), LetterCounts()).log_odds(),
    )
    return _with_bars(weights, _scored_by_other_sites(judged))


def with_likeness(example: FactExample, letters: Mapping[str, float]) -> FactExample:
    """Return a page with the likeness of its names to those of people, by some weights of groups of letters."""
    names_of_page = [
        each._replace(
            signals=frozenset(signal for signal in each.signals if not signal.startswith(LIKENESS))
            | {likeness(each.mentions[0].value, letters)}
        )
        for each in example.names
    ]
    return example._replace(names=names_of_page)


def _with_likeness_of_other_sites(
    examples: Sequence[FactExample], counts: Mapping[int, LetterCounts]
) -> list[FactExample]:
    """Judge the names of each site by the letters of names on other sites, as those of new sites will be."""
    letters = {
        fold: sum((counts[other] for other in counts if other != fold), LetterCounts()).log_odds() for fold in counts
    }
    return [with_likeness(example, letters[fact_fold(example.site)]) for example in examples]


def _scored_by_other_sites(examples: Sequence[FactExample]) -> list[_ScoredNames]:
    """Score the names of each site by weights that were fitted on the others, as those of new sites will be."""
    labelled = [example for example in examples if example.authors]
    scored = []
    for fold in range(FOLDS):
        weights, bias = _fit_names([example for example in labelled if fact_fold(example.site) != fold])
        for example in labelled:
            if example.authors and fact_fold(example.site) == fold:
                names_of_page = rescore(example.names, weights)
                scores = [each._replace(score=each.score + bias) for each in names_of_page]
                scored.append((example.id in author_labels(), scores, example.authors))
    return scored


def _letter_counts(examples: Sequence[FactExample]) -> dict[int, LetterCounts]:
    """Count the letters of names and other texts by fold; a text counts once per site."""
    texts: dict[str, tuple[set[str], set[str]]] = {}
    for example in examples:
        people, others = texts.setdefault(example.site, (set(), set()))
        people.update(example.people)
        others.update(example.other_texts)
    counts: dict[int, LetterCounts] = {}
    for site, (people, others) in texts.items():
        counts.setdefault(fact_fold(site), LetterCounts()).add(people, others - people)
    return counts


def fact_fold(site: str) -> int:
    """Return the fold of a site in the training of facts, whose models were fitted to this division."""
    return crc32(site.encode()) % FOLDS


def _with_bars(weights: FactWeights, labelled: Sequence[_ScoredNames]) -> FactWeights:
    """Choose the bars with the best authors among those that give few wrong ones on the pages labelled by hand."""
    known: list[dict[tuple[str, ...], tuple[float, int, int]]] = [{} for _ in labelled]

    def quality(tried: FactWeights) -> tuple[bool, float]:
        total, right, wrong = 0.0, 0, 0
        for (by_hand, candidates, label), judged in zip(labelled, known, strict=True):
            given = tuple(each.mentions[0].value for each in choose(candidates, tried))
            if given not in judged:
                errors = len(label.wrong(given)) if by_hand else 0
                judged[given] = page_f(given, label), len(names(given)) - errors if by_hand else 0, errors
            f, number_right, number_wrong = judged[given]
            total, right, wrong = total + f, right + number_right, wrong + number_wrong
        share = right / max(1, right + wrong)
        return share >= PRECISION, total if share >= PRECISION else share

    tried = (
        replace(
            weights,
            author_bias=0.0,
            author_sure=sure,
            author_likely=min(sure, likely),
            author_line=min(sure, line),
            author_organisation=organisation,
        )
        for sure, likely, line, organisation in product(SURE_BARS, LIKELY_BARS, LINE_BARS, ORGANISATION_BARS)
    )
    return replace(max(tried, key=quality), author_bias=weights.author_bias)


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


def fit_choices(pages: Sequence[Choice]) -> dict[str, float]:
    """Maximise the probability that a right candidate is chosen, on pages that have right and wrong ones."""
    pages = [page for page in pages if len({right for _, right in page}) == 2]
    if not pages:
        return {}
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

    return _named(signals, _minimise(loss, signals))


def _fit_names(examples: Sequence[FactExample]) -> tuple[dict[str, float], float]:
    """Fit the probability that a name is an author's; names that are only accepted do not count."""
    rows: list[frozenset[str]] = []
    right: list[bool] = []
    pages: list[set[str]] = []
    shares: list[float] = []
    for example in examples:
        if example.authors:
            expected, accepted = names(example.authors.authors), names(example.authors.accepted)
            counted = [(each, names((each.mentions[0].value,))) for each in example.names]
            counted = [(each, name) for each, name in counted if name & expected or not name & accepted]
            rows += [each.signals for each, _ in counted]
            right += [bool(name & expected) for _, name in counted]
            pages.append({signal for each, _ in counted for signal in each.signals})
            shares += [HAND_WEIGHT if example.id in author_labels() else 1.0] * len(counted)
    signals = _frequent(pages)
    matrix = np.hstack([_matrix(rows, signals), np.ones((len(rows), 1))])
    sign = np.where(right, 1.0, -1.0)
    share = np.array(shares)
    penalty = np.full(len(signals) + 1, PENALTY)
    penalty[-1] = 0.0

    def loss(weights: Floats) -> tuple[float, Floats]:
        margin = sign * (matrix @ weights)
        value = float(share @ np.logaddexp(0.0, -margin)) + float(penalty @ weights**2) / 2
        return value, matrix.T @ (-share * sign / (1.0 + np.exp(margin))) + penalty * weights

    fitted = _minimise(loss, [*signals, "bias"])
    return _named(signals, fitted[:-1]), round(float(fitted[-1]), DIGITS)


def _minimise(loss: Callable[[Floats], tuple[float, Floats]], signals: Sequence[str]) -> Floats:
    """Return the weights with the smallest loss; a line that looks more like something never counts less for it."""
    bounds = [(0.0 if signal.startswith(LINE_LIKE) else None, None) for signal in signals]
    options = {"maxiter": 2000, "ftol": 1e-12}
    found: Any = minimize(loss, np.zeros(len(signals)), jac=True, method="L-BFGS-B", bounds=bounds, options=options)
    return np.asarray(found.x, dtype=np.float64)


def _frequent(pages: Sequence[set[str]]) -> list[str]:
    counts: dict[str, int] = {}
    for page in pages:
        for signal in page:
            counts[signal] = counts.get(signal, 0) + 1
    return sorted(signal for signal, count in counts.items() if count >= MIN_PAGES)


def _matrix(rows: Sequence[frozenset[str]], signals: Sequence[str]) -> Floats:
    return np.array([[float(signal in row) for signal in signals] for row in rows]).reshape(len(rows), len(signals))


def _named(signals: Sequence[str], weights: Floats) -> dict[str, float]:
    return {signal: round(float(weight), DIGITS) for signal, weight in zip(signals, weights, strict=True)}
