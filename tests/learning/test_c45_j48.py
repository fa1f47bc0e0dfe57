"""Weka's J48 is the oracle: on each data set, what our tree predicts is what its tree predicts."""

from pathlib import Path

import numpy as np
import pytest

from tests.learning import weka
from tests.learning.agreement import PRUNING, SWITCHES, agreements, learnt
from tests.learning.datasets import DATA, random_data

pytestmark = pytest.mark.skipif(weka.why_missing() is not None, reason=weka.why_missing() or "")


@pytest.mark.parametrize("name", DATA)
def test_predictions_are_those_of_j48_with_pruning_and_without(name: str, tmp_path: Path) -> None:
    assert min(agreements(DATA[name](), PRUNING, tmp_path).values()) >= 0.99


def test_every_switch_is_that_of_j48(tmp_path: Path) -> None:
    found = agreements(DATA["mixed and missing"](), SWITCHES, tmp_path)

    assert {name: share for name, share in found.items() if share < 0.99} == {}


def test_probabilities_are_those_of_j48_where_values_are_missing(tmp_path: Path) -> None:
    data = DATA["mixed and missing"]()
    asked = np.vstack([data.table, data.fresh])

    theirs = weka.predict(data, ["-C", "0.25"], tmp_path).probabilities

    assert np.abs(learnt(data).predict_proba(asked) - theirs).mean() < 0.005


@pytest.mark.soak
@pytest.mark.parametrize("way", PRUNING)
@pytest.mark.parametrize("seed", range(100))
def test_probabilities_are_those_of_j48_on_any_table(seed: int, way: str, tmp_path: Path) -> None:
    data = random_data(seed)
    options, settings = PRUNING[way]

    theirs = weka.predict(data, options, tmp_path).probabilities
    ours = learnt(data, **settings).predict_proba(np.vstack([data.table, data.fresh]))

    # Classes are not compared: between equally probable ones J48 lets rounding decide.
    assert np.mean(np.abs(ours - theirs).max(axis=1) < 1e-5) >= 0.99


@pytest.mark.soak
@pytest.mark.parametrize("way", PRUNING | SWITCHES)
@pytest.mark.parametrize("name", DATA)
def test_trees_are_as_large_as_those_of_j48(name: str, way: str, tmp_path: Path) -> None:
    data = DATA[name]()
    options, settings = (PRUNING | SWITCHES)[way]

    ours, theirs = len(learnt(data, **settings).tree_), weka.size(data, options, tmp_path)

    # What a weight counts for is the one known difference between them.
    assert ours == pytest.approx(theirs, rel=0 if data.weights is None else 0.2)
