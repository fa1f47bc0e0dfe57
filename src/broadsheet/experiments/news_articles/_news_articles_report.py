"""Tables, plot and trees of the blocked experiment."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from broadsheet.experiments._plots import Chart, Series, bar_chart
from broadsheet.experiments.experiment_results import ExperimentResults, Plot, ResultTable
from broadsheet.experiments.news_articles._factors import TREATMENTS
from broadsheet.experiments.news_articles._trials import DIVISIONS, FOLDS, TRIALS, Division, PageCases, learner
from broadsheet.learning.significance import Significance, corrected_resampled_t_test

_PLAIN, _WITH_TARGETS = TREATMENTS


class TreatmentScores(NamedTuple):
    """F1 of one treatment in every fold of every trial."""

    division: Division
    treatment: str
    scores: list[float]


def findings(
    name: str, cases: PageCases, blocks: Sequence[TreatmentScores], kinds: Sequence[str], origin: str
) -> ExperimentResults:
    """Return the results of the trials."""
    compared = {division: _compare(blocks, division) for division in DIVISIONS}
    return ExperimentResults(
        name=name,
        title="Identifying news articles: link-target features beside two readers",
        remarks=(
            _pages_remark(cases, kinds, origin),
            *(_verdict(division, compared[division]) for division in DIVISIONS),
        ),
        tables=(_scores_table(blocks), _comparison_table(compared), _sizes_table(cases)),
        plots=(_plot(blocks), *_trees(cases)),
        figures={"blocks": [block._asdict() for block in blocks], "kinds": dict(Counter(kinds))},
    )


def _compare(blocks: Sequence[TreatmentScores], division: Division) -> Significance:
    scores = {block.treatment: block.scores for block in blocks if block.division == division}
    return corrected_resampled_t_test(scores[_WITH_TARGETS], scores[_PLAIN], 1 / (FOLDS - 1))


def _pages_remark(cases: PageCases, kinds: Sequence[str], origin: str) -> str:
    counted = Counter(kinds)
    balance = ", ".join(f"{counted[kind]} {kind}" for kind in sorted(counted))
    return (
        f"{len(kinds)} {origin}, {len(set(cases.sites.tolist()))} sites ({balance}); {TRIALS} trials of {FOLDS} folds. "
        "The plan (Standke, 2019) has 330 pages of ten sites, about half of them articles."
    )


def _verdict(division: Division, test: Significance) -> str:
    effect = "help" if test.difference > 0 else "harm"
    if test.p >= 0.05:
        effect = "make no significant difference"
    return f"Folds by {division}: link-target features {effect} (F1 {test.difference:+.3f}, p = {test.p:.3f})."


def _scores_table(blocks: Sequence[TreatmentScores]) -> ResultTable:
    rows = [
        (
            block.division,
            block.treatment,
            len(block.scores),
            float(np.mean(block.scores)),
            float(np.std(block.scores, ddof=1)),
        )
        for block in blocks
    ]
    return ResultTable("F1 of articles", ("folds by", "features", "folds", "mean", "deviation"), tuple(rows))


def _comparison_table(compared: dict[Division, Significance]) -> ResultTable:
    rows = [(division, test.difference, test.t, test.p) for division, test in compared.items()]
    return ResultTable(
        "With link targets against without, corrected resampled t-test",
        ("folds by", "difference of F1", "t", "p"),
        tuple(rows),
    )


def _sizes_table(cases: PageCases) -> ResultTable:
    rows = []
    for treatment, names in TREATMENTS.items():
        tree = learner(names).fit(cases.table(names), cases.truth)
        rows.append((treatment, len(tree.tree_), tree.n_leaves_, names[int(tree.tree_.feature[0])]))
    return ResultTable("The trees on all pages", ("features", "nodes", "leaves", "root"), tuple(rows))


def _plot(blocks: Sequence[TreatmentScores]) -> Plot:
    series = [
        Series(treatment, [float(np.mean(b.scores)) for b in blocks if b.treatment == treatment])
        for treatment in TREATMENTS
    ]
    title = "F1 of articles, mean over folds and trials"
    chart = Chart(title, "folds by", "F1", list(DIVISIONS), series, (0.0, 1.0))
    return Plot("news-articles-f1", title, bar_chart(chart))


def _trees(cases: PageCases) -> list[Plot]:
    plots = []
    for treatment, file in ((_PLAIN, "news-articles-tree-readers"), (_WITH_TARGETS, "news-articles-tree-all")):
        names = TREATMENTS[treatment]
        labelled = np.where(cases.truth, "article", "not article")
        tree = learner(names).fit(cases.table(names), labelled)
        plots.append(Plot(file, f"C4.5 on all pages: {treatment}", tree.to_svg(names)))
    return plots
