"""The settings of the learner: algorithm, number of nearest distances, and weights, merging and across domains."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from broadsheet.document.columns import Ints
from broadsheet.experiments._page_journal import PageJournal, page_journal
from broadsheet.experiments._plots import Chart, Series, line_chart
from broadsheet.experiments.experiment import Context
from broadsheet.experiments.experiment_results import Cell, ExperimentResults, Plot, ResultTable
from broadsheet.experiments.memory_study._memory_pages import CLASS_COUNT, TESTED_PAGES, TaggedPages, collections
from broadsheet.experiments.memory_study._protocols import DEFAULT, DomainProtocol, MemorySettings
from broadsheet.experiments.memory_study._tag_scores import ELEMENTS, NOTHING, ElementScore, by_double_tag, pooled
from broadsheet.experiments.memory_study.domain_studies import ROOMS
from broadsheet.learning.memory_based import WEIGHTINGS, GroupHoldout, Weighting

__all__ = ["HELP", "NAME", "ROOMS", "run"]

NAME = "memory-settings"
HELP = "IB1 and IGTree, k from 1 to 10 and five weightings: which serve best, on one page of each domain (--labelled)"

MAX_DISTANCES = 10
_PROTOCOLS: tuple[DomainProtocol, ...] = ("merged", "across")
#: The published best settings and F of title, heading and body, with IB1 and with IGTree.
PUBLISHED: dict[DomainProtocol, tuple[str, Mapping[str, float], Mapping[str, float]]] = {
    "merged": (
        "ib1-1-shared_variance",
        {"title": 0.975, "heading": 0.944, "body": 0.981},
        {"title": 0.965, "heading": 0.792, "body": 0.856},
    ),
    "across": (
        "ib1-7-chi_square",
        {"title": 0.610, "heading": 0.514, "body": 0.892},
        {"title": 0.534, "heading": 0.427, "body": 0.816},
    ),
}
#: The published F of each weighting, averaged over k: title, heading, body.
PUBLISHED_WEIGHTINGS: dict[DomainProtocol, dict[Weighting, tuple[float, float, float]]] = {
    "merged": {
        "none": (0.958, 0.917, 0.972),
        "gain_ratio": (0.961, 0.902, 0.976),
        "information_gain": (0.968, 0.923, 0.972),
        "chi_square": (0.964, 0.917, 0.975),
        "shared_variance": (0.973, 0.917, 0.979),
    },
    "across": {
        "none": (0.308, 0.543, 0.898),
        "gain_ratio": (0.316, 0.539, 0.874),
        "information_gain": (0.306, 0.594, 0.901),
        "chi_square": (0.577, 0.523, 0.893),
        "shared_variance": (0.443, 0.414, 0.744),
    },
}

_MEASURES = (
    "Of each domain, {} page(s) are labelled from all other pages (merged), or from the pages of all other domains "
    "(across). Micro means of F over all domains, counted by exact double tag. The best settings are those with the "
    "highest mean F of title, heading and body. Error reduction is the share of the default's error (1 - F) that the "
    "best settings avoid; the published reductions divide by the new error instead."
)
_DIFFERENCE = (
    "The published best settings were found on 222 pages of 16 sources. Domains with fewer pages have fewer remembered "
    "elements of their own layout, which those at greater distances outvote: small k and weights that tell titles "
    "apart matter more here."
)

Scores = dict[MemorySettings, dict[str, ElementScore]]


def run(context: Context) -> ExperimentResults:
    """Score every setting, and report the means by k and by weighting, the best settings, and IGTree."""
    tables: list[ResultTable] = []
    plots: list[Plot] = []
    with page_journal(context, NAME, ROOMS, {"labelled": _labelled(context)}) as journal:
        for pages in collections(context):
            for protocol in _PROTOCOLS:
                scores = _grid(context, journal, pages, protocol)
                title = f"{protocol} domains, {pages.origin}"
                tables += [_weightings(title, protocol, scores), _best(title, protocol, scores)]
                plots.append(_plot(title, f"memory-settings-{protocol}-{pages.origin.split()[0]}", scores))
    return ExperimentResults(
        name=NAME,
        title="Memory-based learning: which settings serve best",
        remarks=(_MEASURES.format(_labelled(context)), _DIFFERENCE),
        tables=tuple(tables),
        plots=tuple(plots),
    )


def _labelled(context: Context) -> int:
    return context.labelled or TESTED_PAGES


def _grid(context: Context, journal: PageJournal, pages: TaggedPages, protocol: DomainProtocol) -> Scores:
    """Return the scores of every setting; what the journal knows is not computed again."""
    scores: Scores = {}
    groups = pages.page_of if protocol == "merged" else pages.domain_of
    tested = pages.tested(_labelled(context))
    holdout = GroupHoldout(pages.features, pages.tags, groups, class_count=CLASS_COUNT, tested=tested)
    keys = {group: f"{pages.digest()}/{protocol}/{group}" for group in np.unique(groups[tested]).tolist()}
    missing = [group for group, key in keys.items() if key not in journal.known]
    trees = [holdout.classified(weighting, 1, "igtree", missing) for weighting in WEIGHTINGS]
    by_trees = zip(*trees, strict=True)
    found = zip(holdout.grid(WEIGHTINGS, MAX_DISTANCES, missing), by_trees, strict=True)
    for group, ((members, codes), by_tree) in zip(context.track(missing), found, strict=True):
        by_setting = _by_setting(codes, [tree for _, tree in by_tree])
        rows = [
            (settings.weighting, settings.k, settings.algorithm, element, *_counts(score))
            for settings, classes in by_setting
            for element in ELEMENTS
            for score in [by_double_tag(pages.tags[members], classes, element)]
        ]
        journal.append(keys[group], {"scores": rows})
    for key in keys.values():
        for weighting, k, algorithm, element, *counts in journal.known[key]["scores"]:
            by_element = scores.setdefault(MemorySettings(weighting, k, algorithm), {})
            by_element[element] = pooled([by_element.get(element, NOTHING), ElementScore(*counts)])
    return scores


def _by_setting(codes: NDArray[np.uint8], trees: Sequence[Ints]) -> Iterator[tuple[MemorySettings, Ints]]:
    """Yield every setting with the classes that it gives."""
    for column, weighting in enumerate(WEIGHTINGS):
        for k in range(MAX_DISTANCES):
            yield MemorySettings(weighting, k + 1), codes[:, column, k].astype(np.int32)
        yield MemorySettings(weighting, 1, "igtree"), trees[column]


def _counts(score: ElementScore) -> tuple[int, int, int, int]:
    return score.tp, score.fp, score.tn, score.fn


def _mean_f(by_element: Mapping[str, ElementScore]) -> float:
    return sum(score.f for score in by_element.values()) / len(by_element)


def _weightings(title: str, protocol: DomainProtocol, scores: Scores) -> ResultTable:
    rows: list[tuple[Cell, ...]] = []
    for weighting in WEIGHTINGS:
        chosen = [scores[MemorySettings(weighting, k)] for k in range(1, MAX_DISTANCES + 1)]
        means = [sum(by[element].f for by in chosen) / len(chosen) for element in ELEMENTS]
        rows.append((weighting, *means, sum(means) / len(means), *PUBLISHED_WEIGHTINGS[protocol][weighting]))
    columns = ("weighting", *ELEMENTS, "mean", *(f"published {element}" for element in ELEMENTS))
    return ResultTable(f"F by weighting, mean over k, {title}", columns, tuple(rows))


def _best(title: str, protocol: DomainProtocol, scores: Scores) -> ResultTable:
    by_algorithm = {
        algorithm: max((s for s in scores if s.algorithm == algorithm), key=lambda s: _mean_f(scores[s]))
        for algorithm in ("ib1", "igtree")
    }
    best, tree = by_algorithm["ib1"], by_algorithm["igtree"]
    name, published, published_tree = PUBLISHED[protocol]
    rows: list[tuple[Cell, ...]] = []
    for element in ELEMENTS:
        chosen, default = scores[best][element], scores[DEFAULT][element]
        reduction = (chosen.f - default.f) / (1 - default.f) if default.f < 1 else 0.0
        rows.append(
            (
                element,
                *_counts(chosen),
                chosen.f,
                default.f,
                reduction,
                scores[tree][element].f,
                published[element],
                published_tree[element],
            )
        )
    columns = (
        "element", "TP", "FP", "TN", "FN", f"best F ({best})", f"default F ({DEFAULT})", "error reduction",
        f"IGTree F ({tree.weighting})", f"published best F ({name})", "published IGTree F",
    )  # fmt: skip
    return ResultTable(f"Best settings against the default, and IGTree, {title}", columns, tuple(rows))


def _plot(title: str, name: str, scores: Scores) -> Plot:
    def mean(element: str, k: int) -> float:
        return sum(scores[MemorySettings(weighting, k)][element].f for weighting in WEIGHTINGS) / len(WEIGHTINGS)

    distances: Sequence[int] = range(1, MAX_DISTANCES + 1)
    series = [Series(element, [mean(element, k) for k in distances]) for element in ELEMENTS]
    caption = f"F by the number of nearest distances, mean over weightings, {title}"
    chart = Chart(caption, "k", "F", [str(k) for k in distances], series, (0.0, 1.0))
    return Plot(name, caption, line_chart(chart))
