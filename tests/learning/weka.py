"""Weka's J48 as an oracle, run as a program of its own."""

import csv
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tests.learning.datasets import Data

#: Keeps a slow machine from waiting for ever.
SECONDS = 120


@dataclass(frozen=True)
class Answer:
    """What J48 says of the rows it learnt from, and then of the fresh ones."""

    classes: NDArray[np.int64]
    probabilities: NDArray[np.float64]


def find_jar() -> Path | None:
    """Return Weka's jar: the one that an environment variable names, or that of python-weka-wrapper3."""
    if named := os.environ.get("WEKA_JAR"):
        return Path(named)
    package = find_spec("weka")
    folders = (package.submodule_search_locations or ()) if package else ()
    places = [Path(folder) / "lib" / "weka.jar" for folder in folders]
    return next((place for place in places if place.is_file()), None)


def why_missing() -> str | None:
    """Say what the oracle lacks, if anything."""
    if shutil.which("java") is None:
        return "java is not installed (Debian: default-jre-headless)"
    if find_jar() is None:
        return "Weka is not installed (python-weka-wrapper3, or WEKA_JAR=weka.jar)"
    return None


def predict(data: Data, options: list[str], folder: Path) -> Answer:
    """Train J48 on the data and return what it predicts."""
    learn, ask = folder / "learn.arff", folder / "ask.arff"
    learn.write_text(arff(data, data.table, data.classes, data.weights))
    everything = np.vstack([data.table, data.fresh])
    ask.write_text(arff(data, everything, np.zeros(len(everything), np.int64), None))
    output = "weka.classifiers.evaluation.output.prediction.CSV -distribution -decimals 6"
    printed = _run([*options, "-t", str(learn), "-T", str(ask), "-classifications", output])
    rows = [row for row in csv.reader(printed.splitlines()) if row and row[0].isdigit()]
    probabilities = np.array([[float(cell.lstrip("*")) for cell in row[4:] if cell] for row in rows])
    return Answer(np.array([int(row[2].split(":")[0]) - 1 for row in rows]), probabilities)


def size(data: Data, options: list[str], folder: Path) -> int:
    """Return the number of nodes of J48's tree."""
    learn = folder / "learn.arff"
    learn.write_text(arff(data, data.table, data.classes, data.weights))
    found = re.search(r"Size of the tree :\s*(\d+)", _run([*options, "-t", str(learn), "-no-cv"]))
    assert found
    return int(found[1])


def arff(
    data: Data, table: NDArray[np.float64], classes: NDArray[np.int64], weights: NDArray[np.float64] | None
) -> str:
    """Write rows in Weka's format."""
    lines = ["@relation data"]
    for column in range(table.shape[1]):
        values = ",".join(f"v{value}" for value in range(data.values.get(column, 0)))
        lines.append(f"@attribute x{column} {f'{{{values}}}' if column in data.nominal else 'numeric'}")
    lines += ["@attribute class {" + ",".join(f"c{each}" for each in np.unique(data.classes)) + "}", "@data"]
    for index, row in enumerate(table):
        cells = [_cell(value, nominal=column in data.nominal) for column, value in enumerate(row)]
        weight = "" if weights is None else f",{{{float(weights[index])!r}}}"
        lines.append(",".join([*cells, f"c{classes[index]}"]) + weight)
    return "\n".join(lines) + "\n"


def _cell(value: float, *, nominal: bool) -> str:
    """Write one value."""
    if np.isnan(value):
        return "?"
    return f"v{int(value)}" if nominal else repr(float(value))


def _run(arguments: list[str]) -> str:
    """Run J48 and return what it prints."""
    java = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", str(find_jar())]
    command = [*java, "weka.classifiers.trees.J48", *arguments]
    # What runs is this test's own choice, and what it reads this test's own data.
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=SECONDS).stdout  # noqa: S603
