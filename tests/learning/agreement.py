"""How far our trees agree with J48's; `python -m tests.learning.agreement` prints it for every data set."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from broadsheet.learning.c45 import C45Classifier
from tests.learning import weka
from tests.learning.datasets import DATA, Data

#: J48's options and ours.
Way = tuple[list[str], dict[str, Any]]

PRUNING: dict[str, Way] = {
    "pruned": (["-C", "0.25", "-M", "2"], {}),
    "unpruned": (["-U", "-M", "2"], {"prune": False}),
}
SWITCHES: dict[str, Way] = {
    "no subtree raising": (["-S"], {"subtree_raising": False}),
    "no collapse": (["-U", "-O"], {"prune": False, "collapse": False}),
    "no MDL correction": (["-J"], {"mdl_correction": False}),
    "midpoints": (["-doNotMakeSplitPointActualValue"], {"observed_thresholds": False}),
    "confidence": (["-C", "0.05"], {"confidence": 0.05}),
    "leaf size": (["-M", "10"], {"min_leaf": 10}),
}


def learnt(data: Data, **settings: Any) -> C45Classifier:
    nominal = [column in data.nominal for column in range(data.table.shape[1])] if data.nominal else None
    return C45Classifier(nominal=nominal, **settings).fit(data.table, data.classes, data.weights)


def agreements(data: Data, ways: dict[str, Way], folder: Path) -> dict[str, float]:
    """Return the part of all rows, learnt and fresh, for which both predict the same class."""
    asked = np.vstack([data.table, data.fresh])

    def of(name: str) -> float:
        options, settings = ways[name]
        (folder / name).mkdir()
        theirs = np.unique(data.classes)[weka.predict(data, options, folder / name).classes]
        return float(np.mean(learnt(data, **settings).predict(asked) == theirs))

    with ThreadPoolExecutor(2) as pool:
        return dict(zip(ways, pool.map(of, ways), strict=True))


def main() -> None:
    """Print a table: the agreement and the sizes of both trees, with pruning and without."""
    for name, make in DATA.items():
        data, cells = make(), []
        with TemporaryDirectory() as folder:
            shares = agreements(data, PRUNING, Path(folder))
            for way, (options, settings) in PRUNING.items():
                sizes = len(learnt(data, **settings).tree_), weka.size(data, options, Path(folder))
                cells.append(f"{shares[way]:.1%} | {sizes[0]} / {sizes[1]}")
        print(f"| {name} | {len(data.table)} + {len(data.fresh)} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
