from pathlib import Path

import numpy as np
import pytest

from broadsheet.models.feature_ranges import FeatureRanges, load_ranges, ranges_of
from broadsheet.models.model_errors import ModelError
from broadsheet.models.model_files import save
from broadsheet.pages.page_model import PULL, PageModel, page_model

RANGES = FeatureRanges(np.array([0, 0], np.float32), np.array([1, 10], np.float32))


def test_features_outside_their_ranges_are_counted_row_by_row() -> None:
    assert RANGES.outside([[0, 10], [-1, 5], [2, 11]]).tolist() == [0, 1, 2]


def test_the_most_extreme_examples_lie_outside() -> None:
    rows = np.arange(10_001, dtype=np.float32)[:, None]

    ranges = ranges_of(rows)

    assert (ranges.lowest.tolist(), ranges.highest.tolist()) == ([20], [9980])


def test_a_model_file_holds_the_ranges_beside_the_trees(tmp_path: Path) -> None:
    save(page_model().trees, tmp_path / "with.npz", RANGES.arrays())
    save(page_model().trees, tmp_path / "without.npz")

    assert load_ranges(tmp_path / "with.npz").highest.tolist() == [1, 10]
    with pytest.raises(ModelError, match="has no array"):
        load_ranges(tmp_path / "without.npz")


@pytest.mark.parametrize(
    ("lowest", "highest"), [([0.0], [1.0, 2.0]), ([[0.0]], [[1.0]]), ([1.0], [0.0]), ([np.nan], [1.0])]
)
def test_ranges_that_do_not_fit_are_refused(lowest: list[float], highest: list[float]) -> None:
    with pytest.raises(ModelError):
        FeatureRanges(np.array(lowest, np.float32), np.array(highest, np.float32))


def test_the_scores_of_unlike_pages_are_pulled_together() -> None:
    shipped = page_model()
    usual, unlike = shipped.ranges.lowest.copy(), shipped.ranges.lowest.copy()
    unlike[:2] = shipped.ranges.highest[:2] + 1
    alone = PageModel(shipped.trees, shipped.terms, FeatureRanges(np.minimum(usual, unlike), np.maximum(usual, unlike)))
    rows, terms = np.stack([usual, unlike]), np.array([[3.0, -3.0, 0.0]] * 2)

    pulled, free = shipped.scores(rows, terms), alone.scores(rows, terms)

    np.testing.assert_allclose(pulled, free / np.array([[1.0], [1 + 2 * PULL]]))


def test_the_shipped_ranges_are_those_of_the_features() -> None:
    assert len(page_model().ranges.lowest) == len(page_model().card.features)
