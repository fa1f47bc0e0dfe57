"""Curves of recall and delay over requests, as SVG."""

from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl
from matplotlib import pyplot as plt

from benchmarks.news_crawl.entrants import OURS
from benchmarks.news_crawl.measures import Total, on_all_sites

#: More than the ten of matplotlib's cycle, so that no two crawlers look alike.
COLOURS = (*(f"C{number}" for number in range(10)), "black", "gold", "navy", "salmon")


def plot_curves(file: Path, totals: Sequence[Total]) -> None:
    """Draw, for each family of sites, recall and mean delay of all crawlers over the requests that looking takes."""
    # The same figures give the same bytes.
    mpl.rcParams.update({"svg.hashsalt": "news_crawl", "svg.fonttype": "none", "font.size": 8})
    swept = [each for each in on_all_sites(totals) if each.tier == "links"]
    families = list(dict.fromkeys(each.family for each in swept))
    figure, grid = plt.subplots(
        len(families), 2, figsize=(10, 3.6 * len(families)), layout="constrained", squeeze=False
    )
    for family, (recall, delay) in zip(families, grid, strict=True):
        names = list(dict.fromkeys(each.crawler for each in swept if each.family == family))
        for number, name in enumerate(names):
            own = [each for each in swept if (each.family, each.crawler) == (family, name) and each.looking > 0]
            curve = sorted(own, key=lambda each: each.looking)
            style = {"linewidth": 2.0} if name.startswith(OURS) else {"linewidth": 0.9, "linestyle": "--"}
            looking, colour = [each.looking for each in curve], COLOURS[number % len(COLOURS)]
            delays = [max(0.01, each.mean_delay) for each in curve]
            recall.plot(looking, [each.recall for each in curve], marker=".", color=colour, label=name, **style)
            delay.plot(looking, delays, marker=".", color=colour, label=name, **style)
        recall.set_ylabel("recall")
        delay.set_ylabel("mean delay, h (missed: to the end)")
        delay.set_yscale("log")
        for axes in (recall, delay):
            axes.set_xscale("log")
            axes.set_xlabel("requests an hour and source, without one for each article found")
            axes.set_title(family)
            axes.grid(alpha=0.3)
        recall.legend(fontsize="x-small", loc="lower right")
    figure.savefig(file, metadata={"Date": None})
    plt.close(figure)
