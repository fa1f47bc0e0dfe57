"""The weight of every feature, as information gain and as gain ratio, within, merging and across domains."""

from collections.abc import Iterator

import numpy as np

from broadsheet.experiments._plots import Chart, Series, bar_chart
from broadsheet.experiments.experiment import Context
from broadsheet.experiments.experiment_results import Cell, ExperimentResults, Plot, ResultTable
from broadsheet.experiments.memory_study._memory_pages import CLASS_COUNT, TaggedPages, collections
from broadsheet.experiments.memory_study.domain_studies import ROOMS
from broadsheet.learning.memory_based import FeatureCounts, Weighting
from broadsheet.reading.element_features import FEATURES

__all__ = ["HELP", "NAME", "ROOMS", "run"]

NAME = "feature-weights"
HELP = "the weight of each of the 41 features, as information gain and as gain ratio"

#: The published weights when domains are merged, in the order of the features.
PUBLISHED = (
    0.012, 0.014, 0.017, 0.019, 0.021, 0.030, 0.023, 0.021, 0.017, 0.016, 0.013,
    0.082, 0.105, 0.118, 0.205, 0.118, 0.098, 0.077, 0.014, 0.121, 0.011, 0.221, 0.011, 0.136, 0.011,
    0.052, 0.101, 0.035, 0.045, 0.056, 0.100, 0.056, 0.048, 0.036, 0.012, 0.005, 0.014, 0.040, 0.008, 0.077, 0.008,
)  # fmt: skip
_MEASURES = "Weights of all pages together, and the mean of the weights within each domain."
_DIFFERENCE = (
    "The published table calls its weights information gain, but some exceed the entropy of its classes (0.217 bits), "
    "which no information gain can. Both are printed here."
)
_WEIGHTINGS: tuple[Weighting, ...] = ("information_gain", "gain_ratio")


def run(context: Context) -> ExperimentResults:
    """Weigh the features of all pages together, and of each domain alone."""
    tables, plots = [], []
    for pages in collections(context):
        tables.append(_table(pages))
        plots.append(_plot(pages))
    return ExperimentResults(
        name=NAME,
        title="Memory-based learning: the weights of the features",
        remarks=(_MEASURES, _DIFFERENCE),
        tables=tuple(tables),
        plots=tuple(plots),
    )


def _weigh(pages: TaggedPages) -> Iterator[np.ndarray[tuple[int], np.dtype[np.float64]]]:
    symbols = np.zeros(len(FEATURES), np.bool_)
    counts = FeatureCounts.count(pages.features, pages.tags, CLASS_COUNT, symbols)
    for weighting in _WEIGHTINGS:
        yield counts.weights(weighting)


def _table(pages: TaggedPages) -> ResultTable:
    together = list(_weigh(pages))
    single = np.mean([list(_weigh(pages.of_domain(domain))) for domain in pages.domains], axis=0)
    rows: list[tuple[Cell, ...]] = [
        (number + 1, name, *(float(column[number]) for column in (*together, *single)), PUBLISHED[number])
        for number, name in enumerate(FEATURES)
    ]
    columns = (
        "number", "feature", "information gain", "gain ratio", "information gain, single domains",
        "gain ratio, single domains", "published, merged",
    )  # fmt: skip
    return ResultTable(f"Weights, {pages.origin}", columns, tuple(rows))


def _plot(pages: TaggedPages) -> Plot:
    _, ratios = _weigh(pages)
    title = f"Gain ratio of the 41 features, {pages.origin}"
    series = [Series("here", ratios.tolist()), Series("published", PUBLISHED)]
    chart = Chart(title, "feature", "weight", [str(number + 1) for number in range(len(FEATURES))], series)
    return Plot(f"feature-weights-{pages.origin.split()[0]}", title, bar_chart(chart))
