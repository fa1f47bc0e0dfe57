"""Data to hold trees against: scikit-learn's own, and made ones with everything that makes trees differ."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine, make_classification


@dataclass(frozen=True)
class Data:
    """Rows to learn from and rows never seen; nominal columns hold whole numbers from 0, NaN is missing."""

    table: NDArray[np.float64]
    classes: NDArray[np.int64]
    fresh: NDArray[np.float64]
    nominal: tuple[int, ...] = ()
    weights: NDArray[np.float64] | None = None
    #: How many values each nominal column has, seen or not.
    values: dict[int, int] = field(default_factory=dict)


def _bundled(load: Callable[..., Any], keep: int | None = None) -> Data:
    """Learn from two rows in three of a data set that scikit-learn brings."""
    table, classes = load(return_X_y=True)
    table, classes = table[:keep], classes[:keep]
    fresh = np.arange(len(table)) % 3 == 2
    return Data(table[~fresh], classes[~fresh], table[fresh])


def _made(seed: int, rows: int, **options: Any) -> tuple[NDArray[np.float64], NDArray[np.int64], np.random.Generator]:
    """Make a problem whose labels are partly noise."""
    table, classes = make_classification(rows, random_state=seed, **options)
    return table, classes, np.random.default_rng(seed)


def _split(table: NDArray[np.float64], classes: NDArray[np.int64], learn: int, **more: Any) -> Data:
    """Learn from the first rows."""
    return Data(table[:learn], classes[:learn], table[learn:], **more)


def _noisy() -> Data:
    table, classes, _ = _made(1, 1500, n_features=8, n_informative=5, flip_y=0.25)
    return _split(table, classes, 1000)


def _missing() -> Data:
    table, classes, generator = _made(2, 1200, n_features=6, n_informative=4, n_classes=3, flip_y=0.1)
    table = np.round(table, 2)
    table[generator.random(table.shape) < 0.12] = np.nan
    return _split(table, classes, 800)


def _nominal() -> Data:
    generator = np.random.default_rng(3)
    sizes = (2, 3, 4, 6, 9)
    table = np.column_stack([generator.integers(0, size, 1500) for size in sizes]).astype(float)
    score = (table[:, 0] == 1) * 2.0 + (table[:, 2] >= 2) + (table[:, 3] == 5) * 2 + (table[:, 1] == 0) * table[:, 0]
    classes = (score + generator.normal(0, 0.6, 1500) > 1.5).astype(np.int64)
    values = dict(enumerate(sizes))
    return _split(table, classes, 1000, nominal=tuple(range(5)), values=values)


def _mixed(missing: float) -> Data:
    table, classes, generator = _made(4, 1500, n_features=6, n_informative=4, n_classes=3, flip_y=0.15)
    table = np.round(table, 1)
    coarse = np.digitize(table[:, :2] + generator.normal(0, 0.5, (1500, 2)), [-1.5, -0.5, 0.0, 0.8, 2.0]).astype(float)
    table = np.hstack([coarse, table])
    table[generator.random(table.shape) < missing] = np.nan
    return _split(table, classes, 1000, nominal=(0, 1), values={0: 6, 1: 6})


def _ties() -> Data:
    generator = np.random.default_rng(5)
    table = generator.integers(0, 4, (900, 6)).astype(float)
    classes = ((table[:, 0] + table[:, 1] > 3) ^ (generator.random(900) < 0.2)).astype(np.int64)
    # The same feature twice: equal gains, of which the first has to win.
    table = np.hstack([table, table[:, :1]])
    return _split(table, classes, 600)


def _duplicates() -> Data:
    table, classes, generator = _made(6, 300, n_features=5, n_informative=3, flip_y=0.2)
    again = generator.integers(0, 150, 700)
    table = np.vstack([table[:150][again], table[150:]]).round(1)
    return _split(table, np.concatenate([classes[:150][again], classes[150:]]), 700)


def _weighted() -> Data:
    table, classes, generator = _made(7, 1200, n_features=6, n_informative=4, flip_y=0.2)
    return _split(table, classes, 800, weights=np.round(generator.uniform(0.2, 3.0, 800), 2))


def _rare() -> Data:
    table, classes, generator = _made(8, 1500, n_features=6, n_informative=4, weights=[0.93], flip_y=0.04)
    table[generator.random(table.shape) < 0.3] = np.nan
    return _split(table, classes, 1000)


def random_data(seed: int) -> Data:
    """Make a table of any size and make-up, with labels that follow two columns or none."""
    generator = np.random.default_rng(seed)
    rows, columns, classes = generator.integers(30, 900), generator.integers(2, 9), generator.integers(2, 6)
    nominal = tuple(np.flatnonzero(generator.random(columns) < 0.4).tolist())
    table = generator.normal(size=(rows, columns)).round(int(generator.integers(0, 4)))
    values = {column: int(generator.integers(2, 8)) for column in nominal}
    for column, count in values.items():
        table[:, column] = generator.integers(0, count, rows)
        # Every value occurs: one that never does is missing to us, and an empty branch to J48.
        table[:count, column] = np.arange(count)
    score = table[:, 0] + table[:, 1] * generator.normal() + generator.normal(0, generator.uniform(0, 2), rows)
    labels = np.digitize(score, np.quantile(score, np.linspace(0, 1, classes + 1)[1:-1]))
    table[8:][generator.random((rows - 8, columns)) < generator.choice([0, 0.05, 0.3])] = np.nan
    return _split(table, labels, int(rows * 0.7), nominal=nominal, values=values)


DATA: dict[str, Callable[[], Data]] = {
    "iris": lambda: _bundled(load_iris),
    "wine": lambda: _bundled(load_wine),
    "breast cancer": lambda: _bundled(load_breast_cancer),
    "digits": lambda: _bundled(load_digits, 900),
    "noisy labels": _noisy,
    "missing numbers": _missing,
    "nominal": _nominal,
    "mixed": lambda: _mixed(0.0),
    "mixed and missing": lambda: _mixed(0.15),
    "ties": _ties,
    "duplicates": _duplicates,
    "weights": _weighted,
    "rare class, much missing": _rare,
}
