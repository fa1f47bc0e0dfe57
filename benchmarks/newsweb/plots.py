"""A plot of each statistic: how real and planned sites are distributed."""

import re
from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes

from benchmarks.newsweb.likeness import Statistic, distance, values_of
from benchmarks.newsweb.snapshot import SeenSite

#: Statistics that range over several orders of magnitude.
_WIDE = ("bytes", "words", "links", "targets")
_COLUMNS, _POINTS = 3, 120


def plot_all(folder: Path, statistics: Sequence[Statistic], real: Sequence[SeenSite], made: Sequence[SeenSite]) -> None:
    """Write one picture for each statistic, and `all.svg` with all of them."""
    folder.mkdir(parents=True, exist_ok=True)
    # The same figures give the same bytes.
    mpl.rcParams.update({"svg.hashsalt": "newsweb", "svg.fonttype": "none", "font.size": 8})
    rows = -(-len(statistics) // _COLUMNS)
    whole, grid = plt.subplots(rows, _COLUMNS, figsize=(3.4 * _COLUMNS, 1.9 * rows), layout="constrained")
    for statistic, axes in zip(statistics, grid.flat, strict=False):
        samples = (values_of(statistic, real), values_of(statistic, made))
        single, own = plt.subplots(figsize=(5, 3), layout="constrained")
        for each in (axes, own):
            _draw(each, statistic.name, *samples)
        name = "-".join(re.findall(r"[a-z]+", statistic.name.lower()))
        single.savefig(folder / f"{name}.svg", metadata={"Date": None})
        plt.close(single)
    for axes in grid.flat[len(statistics) :]:
        axes.set_visible(False)
    whole.savefig(folder / "all.svg", metadata={"Date": None})
    plt.close(whole)


def _draw(axes: Axes, name: str, real: Sequence[float], made: Sequence[float]) -> None:
    for label, sample in (("real", real), ("news web", made)):
        shares = np.linspace(0, 1, _POINTS)
        axes.step(np.quantile(sample, shares), shares, label=f"{label} ({len(sample)})", where="post")
    if name.startswith(_WIDE):
        axes.set_xscale("log")
    axes.set_title(f"{name} ({distance(real, made):.2f})")
    axes.set_ylim(0, 1)
    axes.legend(loc="lower right", fontsize="small")
