"""The estimator: C4.5 as a scikit-learn classifier."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from broadsheet.base.errors import InputError
from broadsheet.learning.c45 import _storage
from broadsheet.learning.c45._drawing import draw_svg, draw_text
from broadsheet.learning.c45._entropy import SMALL, Floats
from broadsheet.learning.c45._growth import grow
from broadsheet.learning.c45._labels import Labels
from broadsheet.learning.c45._nominal import Categories, Nominal, encode, learn_categories, nominal_mask
from broadsheet.learning.c45._pruning import Pruner
from broadsheet.learning.c45._rules import Rule, rules_of
from broadsheet.learning.c45._splits import SplitSearch
from broadsheet.learning.c45._tree import LEAF, DecisionTree, Placed
from broadsheet.learning.c45._tree_settings import TreeSettings

#: A row with missing values may reach every leaf, so rows are processed in chunks.
ROWS_AT_ONCE = 4096


class C45Classifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc] # they are untyped
    """A C4.5 decision tree; with the default settings it grows and prunes as Weka's J48 does."""

    tree_: DecisionTree
    classes_: NDArray[Any]
    categories_: Categories
    n_features_in_: int

    def __init__(  # noqa: PLR0913 - every choice has a name
        self,
        *,
        criterion: Literal["gain_ratio", "gain"] = "gain_ratio",
        nominal: Nominal = None,
        min_leaf: float = 2,
        scaled_min_leaf: bool = True,
        mdl_correction: bool = True,
        average_gain_filter: bool = True,
        observed_thresholds: bool = True,
        resolution: float = 1e-5,
        prune: bool = True,
        confidence: float = 0.25,
        subtree_raising: bool = True,
        collapse: bool = True,
    ) -> None:
        """Store the parameters, which the page on C4.5 explains; `fit` validates them."""
        self.criterion = criterion
        self.nominal = nominal
        self.min_leaf = min_leaf
        self.scaled_min_leaf = scaled_min_leaf
        self.mdl_correction = mdl_correction
        self.average_gain_filter = average_gain_filter
        self.observed_thresholds = observed_thresholds
        self.resolution = resolution
        self.prune = prune
        self.confidence = confidence
        self.subtree_raising = subtree_raising
        self.collapse = collapse

    def __sklearn_tags__(self) -> Tags:
        """Declare that missing values are supported."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:  # noqa: N803 - scikit-learn's name
        """Grow and prune a tree."""
        settings = TreeSettings(**{name: value for name, value in self.get_params().items() if name != "nominal"})
        table, y = validate_data(self, X, y, **self._reading())
        check_classification_targets(y)
        weights = _check_sample_weight(sample_weight, table, dtype=np.float64, ensure_non_negative=True)
        self.classes_, classes = np.unique(y, return_inverse=True)
        mask = nominal_mask(self.nominal, self.n_features_in_, getattr(self, "feature_names_in_", None))
        # Cases of zero weight are dropped: not even their values may suggest a threshold.
        table, classes, weights = table[weights > 0], classes[weights > 0], weights[weights > 0]
        if not len(table):
            raise InputError("no case has a positive weight")
        self.categories_ = learn_categories(table, mask)
        counts = np.array([0 if known is None else len(known) for known in self.categories_])
        search = SplitSearch(encode(table, self.categories_), counts, classes, len(self.classes_), settings)
        self.tree_ = _grown_and_pruned(search, weights, settings)
        return self

    def predict_proba(self, X: ArrayLike) -> Floats:  # noqa: N803 - scikit-learn's name
        """Return the probability of each class for each row."""
        check_is_fitted(self, "tree_")
        table = validate_data(self, X, reset=False, **self._reading())
        values = encode(table, self.categories_)
        shares = self.tree_.probabilities()
        result = np.zeros((len(table), len(self.classes_)))
        for start in range(0, len(table), ROWS_AT_ONCE):
            rows = np.arange(start, min(start + ROWS_AT_ONCE, len(table)))
            arrived = self.tree_.descend(values, Placed(rows, np.zeros(len(rows), np.intp), np.ones(len(rows))))
            np.add.at(result, arrived.rows, shares[arrived.nodes] * arrived.weights[:, None])
        result /= result.sum(axis=1, keepdims=True)
        return result

    def predict(self, X: ArrayLike) -> NDArray[Any]:  # noqa: N803 - scikit-learn's name
        """Return the most probable class of each row; the first one on a tie."""
        probabilities = self.predict_proba(X)
        likeliest = probabilities > probabilities.max(axis=1, keepdims=True) - SMALL
        chosen: NDArray[Any] = self.classes_[np.argmax(likeliest, axis=1)]
        return chosen

    @property
    def n_leaves_(self) -> int:
        """The number of leaves."""
        return int(np.count_nonzero(self.tree_.feature == LEAF))

    def to_rules(self, feature_names: Sequence[str] | None = None) -> list[Rule]:
        """Return one readable rule per leaf, in the tree's order."""
        labels = self._labels(feature_names)
        return rules_of(self.tree_, labels)

    def to_text(self, feature_names: Sequence[str] | None = None) -> str:
        """Draw the tree as text, one line per branch."""
        labels = self._labels(feature_names)
        return draw_text(self.tree_, labels)

    def to_svg(self, feature_names: Sequence[str] | None = None) -> str:
        """Draw the tree as an SVG document."""
        labels = self._labels(feature_names)
        return draw_svg(self.tree_, labels)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return everything that prediction needs as flat arrays without Python objects."""
        check_is_fitted(self, "tree_")
        names = getattr(self, "feature_names_in_", None)
        return _storage.to_arrays(_storage.Model(self.tree_, self.classes_, self.categories_, names))

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Rebuild a classifier from its arrays, after validating them."""
        model = _storage.from_arrays(arrays)
        loaded = cls(nominal=[known is not None for known in model.categories])
        loaded.tree_, loaded.classes_, loaded.categories_ = model.tree, model.classes, model.categories
        loaded.n_features_in_ = len(model.categories)
        if model.feature_names is not None:
            loaded.feature_names_in_ = model.feature_names.astype(object)
        return loaded

    def save(self, path: str | Path) -> None:
        """Write the arrays to an `.npz` file."""
        _storage.write(self.to_arrays(), Path(path))

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a classifier from an `.npz` file."""
        return cls.from_arrays(_storage.read(Path(path)))

    def _reading(self) -> dict[str, Any]:
        """Return the dtype for validation: numbers, or objects if some columns are nominal."""
        return {"dtype": np.float64 if self.nominal is None else None, "ensure_all_finite": "allow-nan"}

    def _labels(self, feature_names: Sequence[str] | None) -> Labels:
        """Return the names of features, values and classes."""
        check_is_fitted(self, "tree_")
        names = feature_names if feature_names is not None else getattr(self, "feature_names_in_", None)
        return Labels.of(names, self.categories_, self.classes_)


def _grown_and_pruned(search: SplitSearch, weights: Floats, settings: TreeSettings) -> DecisionTree:
    """Grow a tree and prune it."""
    grown = grow(search, weights)
    pruner = Pruner(grown, search.values, search.classes, settings.confidence)
    if settings.collapse:
        pruner.collapse()
    if settings.prune:
        pruner.prune(subtree_raising=settings.subtree_raising)
    return grown.tree.compact()
