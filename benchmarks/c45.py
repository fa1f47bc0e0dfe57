"""Time C4.5 against scikit-learn's tree, and against itself on more rows: `python -m benchmarks.c45`.

Times are CPU time, the minimum of the repeats; the learners take turns.
"""

import argparse
import math
import sys
import time
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import make_classification
from sklearn.tree import DecisionTreeClassifier

from benchmarks import machine
from broadsheet.learning.c45 import C45Classifier

GROWTH = 10
FEATURES = 20

Learn = Callable[[NDArray[np.float64], NDArray[np.int64]], int]


def c45(table: NDArray[np.float64], classes: NDArray[np.int64]) -> int:
    """Learn a pruned C4.5 tree and return its number of nodes."""
    return len(C45Classifier().fit(table, classes).tree_)


def unpruned(table: NDArray[np.float64], classes: NDArray[np.int64]) -> int:
    """Learn an unpruned C4.5 tree and return its number of nodes."""
    return len(C45Classifier(prune=False, collapse=False).fit(table, classes).tree_)


def peer(table: NDArray[np.float64], classes: NDArray[np.int64]) -> int:
    """Learn scikit-learn's tree with the same minimum leaf size and return its number of nodes."""
    model = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=0).fit(table, classes)
    return int(model.tree_.node_count)


LEARNERS: dict[str, Learn] = {"C4.5": c45, "C4.5, unpruned": unpruned, "scikit-learn, entropy": peer}


def measure(rows: int, repeat: int) -> dict[str, tuple[float, int]]:
    """Return the seconds and the nodes of each learner on generated data in which 10% of the labels are random."""
    table, classes = make_classification(rows, FEATURES, n_informative=10, flip_y=0.1, random_state=0)
    best: dict[str, tuple[float, int]] = {}
    for _ in range(repeat):
        for name, learn in LEARNERS.items():
            start = time.process_time()
            nodes = learn(table, classes)
            seconds = time.process_time() - start
            best[name] = min(best.get(name, (math.inf, 0)), (seconds, nodes))
    return best


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and print the table."""
    parser = argparse.ArgumentParser("python -m benchmarks.c45", description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000, help="the larger number of rows (%(default)s)")
    parser.add_argument("--repeat", type=int, default=3, help="take the minimum of so many runs (%(default)s)")
    options = parser.parse_args(arguments)
    if options.rows < 10 * GROWTH or options.repeat < 1:
        parser.error(f"--rows must be at least {10 * GROWTH}, --repeat at least 1")
    few, many = measure(options.rows // GROWTH, options.repeat), measure(options.rows, options.repeat)
    base = many["scikit-learn, entropy"][0]
    print(f"{'':<24}{options.rows // GROWTH:>10,} rows{options.rows:>12,} rows{'slope':>8}{'ratio':>8}{'nodes':>9}")
    for name, (seconds, nodes) in many.items():
        before = few[name][0]
        slope = math.log(seconds / before, GROWTH) if min(seconds, before) > 0 else math.nan
        ratio = seconds / base if base > 0 else math.nan
        print(f"{name:<24}{before:>13.2f} s{seconds:>15.2f} s{slope:>8.2f}{ratio:>8.2f}{nodes:>9,}")
    about = machine.describe()
    print(f"\n{about['cpu']}, {about['cores']} cores, Python {about['python']}; {FEATURES} features; {about['date']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
