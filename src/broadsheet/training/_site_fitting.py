"""Fits the model of a source: the trees over links and addresses, and the weights of all evidence."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from sklearn.ensemble import HistGradientBoostingClassifier

from broadsheet.base.records import KINDS
from broadsheet.models.card import Card
from broadsheet.models.trees import TreeEnsemble
from broadsheet.sources.link_features import LINK_FEATURES
from broadsheet.sources.site_evidence import GROUPS, LINK_GROUPS, contrasts, groups_of, stacked
from broadsheet.sources.site_model import (
    JOINT_FEATURES,
    ROUNDS,
    VERSION,
    EvidenceWeights,
    SiteModel,
    TargetModels,
    first_beliefs,
)
from broadsheet.sources.target_counts import Doubles
from broadsheet.training._boosting import fit_weighted
from broadsheet.training._conversion import of_boosting
from broadsheet.training._site_examples import LabelledTable
from broadsheet.training._url_model import AddressExamples
from broadsheet.training._url_model import fit as fit_addresses

#: The publishers are divided into this many parts; the weights are fitted to what models say of parts unseen by them.
FOLDS = 4
#: The weight of a site that was saved on a few days: its snapshots are days apart.
BRIEF_WEIGHT = 0.3
#: 0 keeps the frequencies of the kinds, 1 gives them equal weight.
_BALANCE_OF_TREES, _BALANCE_OF_WEIGHTS = 0.5, 0.25
_PULL = 0.01
_SETTINGS = {
    "max_iter": 60,
    "learning_rate": 0.1,
    "max_leaf_nodes": 8,
    "min_samples_leaf": 30,
    "l2_regularization": 1.0,
    "max_bins": 63,
}
_ARTICLE, _SECTION = KINDS.index("article"), KINDS.index("section")


def fit_site_model(tables: Sequence[LabelledTable], addresses: AddressExamples) -> SiteModel:
    """Fit all parts of the model; the weights to publishers that the trees have not seen."""
    publishers = sorted({table.publisher for table in tables})
    own: dict[int, list[Doubles]] = {}
    for fold in range(FOLDS):
        held_out = set(publishers[fold::FOLDS])
        models = fit_targets(
            [table for table in tables if table.publisher not in held_out], addresses.without(held_out)
        )
        for number, each in enumerate(tables):
            if each.publisher in held_out:
                own[number] = models.beliefs(each.table)
    said = [own[number] for number in range(len(tables))]
    weights = _fit_rounds(tables, said, GROUPS)
    bare = _fit_rounds(tables, [[by_links] for _, by_links, _ in said], LINK_GROUPS)
    learned = frozenset(publishers).union(address.publisher for address in addresses.addresses)
    return SiteModel(fit_targets(tables, addresses), weights, bare, learned)


def fit_targets(tables: Sequence[LabelledTable], addresses: AddressExamples) -> TargetModels:
    """Fit the models that judge each target by itself."""
    links = _fit_trees(tables, [table.features for table in tables], "links", LINK_FEATURES)
    joint = _fit_trees(tables, [table.joint for table in tables], "joint", JOINT_FEATURES)
    return TargetModels(links, fit_addresses(addresses), joint)


def _fit_trees(
    tables: Sequence[LabelledTable], features: Sequence[NDArray[np.float32]], name: str, names: Sequence[str]
) -> TreeEnsemble:
    known = [table.truth >= 0 for table in tables]
    rows = np.concatenate([each[mask] for each, mask in zip(features, known, strict=True)])
    truth = np.concatenate([table.truth[mask] for table, mask in zip(tables, known, strict=True)])
    weights = np.concatenate(
        [
            _share(table, tables) * _balanced(table.truth[mask], _BALANCE_OF_TREES)
            for table, mask in zip(tables, known, strict=True)
        ]
    )
    estimator = HistGradientBoostingClassifier(**_SETTINGS, early_stopping=False, random_state=0)
    fit_weighted(estimator, rows, truth, weights / weights.mean())
    card = Card(name=name, version=VERSION, features=tuple(names), classes=KINDS, training="")
    return of_boosting(estimator, card)


def _fit_rounds(
    tables: Sequence[LabelledTable], own: Sequence[Sequence[Doubles]], names: Sequence[str]
) -> EvidenceWeights:
    groups = [[groups_of(table.table)[name] for name in names] for table in tables]
    beliefs = [first_beliefs(each) for each in own]
    rounds, biases = [], []
    for number in range(ROUNDS):
        evidence = [
            stacked([contrasts(each) for each in mine], shared, belief)
            for mine, shared, belief in zip(own, groups, beliefs, strict=True)
        ]
        fitted = [_fit_question(tables, evidence, question) for question in range(2)]
        rounds.append(tuple(tuple(each[:-1]) for each in fitted))
        biases.append(tuple(each[-1] for each in fitted))
        weights = EvidenceWeights(tuple(rounds), tuple(biases))
        beliefs = [weights.beliefs(number, each) for each in evidence]
    return weights


def _fit_question(tables: Sequence[LabelledTable], evidence: Sequence[Doubles], question: int) -> list[float]:
    """Fit a logistic regression: article or not, and for the others, section or not."""
    least, wanted = ((0, _ARTICLE), (1, _SECTION))[question]
    rows, truth, weights = [], [], []
    for table, each in zip(tables, evidence, strict=True):
        mask = table.truth >= least
        rows.append(each[mask][:, :, question])
        truth.append(table.truth[mask] == wanted)
        weights.append(_share(table, tables) * _balanced(truth[-1].astype(np.intp), _BALANCE_OF_WEIGHTS))
    return _regress(np.concatenate(rows), np.concatenate(truth), np.concatenate(weights))


def _regress(rows: Doubles, truth: NDArray[np.bool_], weights: Doubles) -> list[float]:
    """Return non-negative weights, pulled towards trusting the first model, and a bias."""
    weights = weights / weights.sum()
    start = np.zeros(rows.shape[1] + 1)
    start[0] = 0.8

    def loss(values: Doubles) -> tuple[float, Doubles]:
        scores = rows @ values[:-1] + values[-1]
        gradient = weights * (1 / (1 + np.exp(-scores)) - truth)
        pull = values - start
        total = (weights * np.logaddexp(0, np.where(truth, -scores, scores))).sum() + _PULL * (pull**2).sum()
        return float(total), np.append(rows.T @ gradient, gradient.sum()) + 2 * _PULL * pull

    bounds = [(0, None)] * rows.shape[1] + [(None, None)]
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds)
    return [round(float(value), 4) for value in found.x]


def _share(table: LabelledTable, tables: Sequence[LabelledTable]) -> float:
    """Return the weight of a table: sites count the same, however many of their snapshots are used."""
    same = sum(each.site == table.site for each in tables)
    return (BRIEF_WEIGHT if table.brief else 1.0) / same


def _balanced(truth: NDArray[np.intp], balance: float) -> Doubles:
    """Return weights that sum to 1, with frequent kinds reduced."""
    sizes = np.maximum(np.bincount(truth, minlength=len(KINDS)), 1)
    weights: Doubles = sizes[truth] ** -balance
    normalised: Doubles = weights / max(weights.sum(), 1e-9)
    return normalised
