import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

from broadsheet.models.card import Card
from broadsheet.training._conversion import mean_of, of_boosting, of_trees, rounded_down

FEATURES = tuple("abcdef")


def card(classes: int) -> Card:
    return Card(name="test", version=1, features=FEATURES, classes=tuple("xyz"[:classes]), training="random rows")


def samples(classes: int) -> tuple[NDArray[np.float32], NDArray[np.intp]]:
    random = np.random.default_rng(1)
    rows = random.normal(size=(400, len(FEATURES))).astype(np.float32)
    kinds = (rows[:, 0] + rows[:, 1] * rows[:, 2] > 0).astype(np.intp) + (rows[:, 3] > 0.5) * (classes - 2)
    rows[random.random(rows.shape) < 0.05] = np.nan
    return rows, kinds


def test_boosted_trees_give_the_estimators_probabilities() -> None:
    rows, kinds = samples(3)
    estimator = HistGradientBoostingClassifier(max_iter=15, early_stopping=False)
    with threadpool_limits(limits=1):
        estimator.fit(rows, kinds)

        model = of_boosting(estimator, card(3))

        assert np.allclose(model.probabilities(rows), estimator.predict_proba(rows), atol=1e-5)


def test_the_mean_of_ensembles_gives_the_mean_of_their_scores() -> None:
    rows, kinds = samples(3)
    models = []
    with threadpool_limits(limits=1):
        for seed in range(2):
            estimator = HistGradientBoostingClassifier(
                max_iter=5, max_features=0.5, early_stopping=False, random_state=seed
            )
            models.append(of_boosting(estimator.fit(rows, kinds), card(3)))

    both = mean_of(models, card(3))

    expected = [(first + second) / 2 for first, second in zip(*(model.scores(rows) for model in models), strict=True)]
    np.testing.assert_allclose(both.scores(rows), expected, atol=1e-5)
    np.testing.assert_allclose(
        both.contributions(rows), (models[0].contributions(rows) + models[1].contributions(rows)) / 2, atol=1e-5
    )


def test_boosted_trees_of_two_classes_give_the_second_ones_probability() -> None:
    rows, kinds = samples(2)
    estimator = HistGradientBoostingClassifier(max_iter=15, early_stopping=False)
    with threadpool_limits(limits=1):
        estimator.fit(rows, kinds)

        model = of_boosting(estimator, card(1))

        assert np.allclose(model.probabilities(rows)[:, 0], estimator.predict_proba(rows)[:, 1], atol=1e-5)


def test_a_temperature_divides_the_scores() -> None:
    rows, kinds = samples(3)
    estimator = HistGradientBoostingClassifier(max_iter=5, early_stopping=False)
    with threadpool_limits(limits=1):
        estimator.fit(rows, kinds)

    plain, cooled = of_boosting(estimator, card(3)), of_boosting(estimator, card(3), temperature=2.0)

    assert np.allclose(plain.scores(rows) / 2, cooled.scores(rows), atol=1e-5)


@pytest.mark.parametrize(
    "estimator",
    [
        DecisionTreeClassifier(random_state=0),
        RandomForestClassifier(10, random_state=0),
        ExtraTreesClassifier(10, random_state=0),
    ],
)
def test_grown_trees_give_the_estimators_probabilities(
    estimator: DecisionTreeClassifier | RandomForestClassifier | ExtraTreesClassifier,
) -> None:
    rows, kinds = samples(3)
    estimator.fit(rows, kinds)

    model = of_trees(estimator, card(3))

    assert np.allclose(model.probabilities(rows), estimator.predict_proba(rows), atol=1e-5)


def test_thresholds_are_rounded_so_that_every_float32_goes_the_same_way() -> None:
    thresholds = np.random.default_rng(2).normal(size=1000)
    near = thresholds.astype(np.float32)

    rounded = rounded_down(thresholds)

    for value in (near, np.nextafter(near, np.float32(9)), np.nextafter(near, np.float32(-9))):
        assert ((value <= rounded) == (value.astype(np.float64) <= thresholds)).all()
