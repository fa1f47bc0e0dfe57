"""Active learning: F against the number of annotated pages, by how these pages are chosen."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from broadsheet.base.errors import InputError
from broadsheet.corpora.annotation.annotation_session import TOGETHER
from broadsheet.corpora.annotation.layout_likeness import Doubles, covering_order
from broadsheet.corpora.annotation.page_choice import FIRST, PagePool
from broadsheet.corpora.annotation.piece_learner import PieceLearner
from broadsheet.experiments._page_journal import PageJournal, page_journal
from broadsheet.experiments._plots import Chart, Series, line_chart
from broadsheet.experiments.annotation_study.annotation_pools import AnnotationPool, KnownPage, annotation_pools
from broadsheet.experiments.experiment import Context
from broadsheet.experiments.experiment_results import Cell, ExperimentResults, Plot, ResultTable
from broadsheet.learning.intervals import bootstrap

NAME = "active-learning"
HELP = "learn from pages that are chosen in several ways instead of at random, and compare how well others are read"
ROOMS = (
    "base",
    "newsweb",
    "document",
    "models",
    "reading",
    "learning",
    "outputs",
    "pages",
    "corpora",
    "training",
    "experiments",
)

#: Random divisions of the pages into those to choose from and those to test on.
ORDERS = 20
COUNTS = (FIRST, 8, 16, 24, 32)
RANDOM, CHOSEN = "random", "coverage of doubt"
#: The ways to choose pages: at random; the most doubtful ones; those that are like most others; and those that are like
#: most others that are doubtful, which is how `annotate --next` chooses.
CRITERIA = (RANDOM, "doubt", "coverage", CHOSEN)
#: Learning from all pages that could be chosen.
ALL = "all"
#: How F is averaged.
MEASURES = {"pages": "mean over pages", "sites": "mean over sites"}

_REMARK = (
    f"A reader that knows nothing learns from {FIRST} pages at random, then from {TOGETHER} more at a time, which are"
    " chosen in one of several ways, and reads other pages. Doubt is the share of F that it expects to miss on a page."
    " Coverage chooses pages whose layout is like that of many others; coverage of doubt counts these others by the"
    f" square of their doubt. F of the body by characters; {ORDERS} random divisions; low and high are the 2.5th and"
    " 97.5th percentile of resampled divisions."
)


def run(context: Context) -> ExperimentResults:
    """Choose pages in each way, learn from them, and read other pages."""
    if context.pages is None:
        raise InputError("active-learning needs --pages, a folder with labelled pages")
    return study(context, annotation_pools(context.pages.parent, context.counters))


def study(context: Context, pools: Sequence[AnnotationPool], orders: int = ORDERS) -> ExperimentResults:
    """Run the experiment on pages that are measured."""
    for pool in pools:
        if len(pool.pages) < 2 * max(COUNTS):
            raise InputError(f"active-learning needs {2 * max(COUNTS)} labelled pages, not {len(pool.pages)}")
    with page_journal(context, NAME, ROOMS, {"pools": {pool.name: len(pool.pages) for pool in pools}}) as journal:
        tasks = [(pool, order, name) for pool in pools for order in range(orders) for name in (*CRITERIA, ALL)]
        for pool, order, name in context.track(tasks):
            key = f"{pool.name} {order} {name}"
            if key not in journal.known:
                journal.append(key, _scores(pool, order, name))
        return _report([pool.name for pool in pools], orders, journal)


def _scores(pool: AnnotationPool, order: int, criterion: str) -> dict[str, list[float]]:
    """Return the F on the tested pages, after each number of annotated ones, averaged over pages and over sites."""
    candidates, tested = pool.divide(order)
    learners = (_everything if criterion == ALL else _learners)(candidates, criterion)
    scores: dict[str, list[float]] = {measure: [] for measure in MEASURES}
    for learner in learners:
        by_site: defaultdict[str, list[float]] = defaultdict(list)
        for each in tested:
            by_site[each.site].append(learner.f(each.page, each.truth))
        scores["pages"].append(float(np.mean([f for fs in by_site.values() for f in fs])))
        scores["sites"].append(float(np.mean([np.mean(fs) for fs in by_site.values()])))
    return {measure: [round(value, 5) for value in values] for measure, values in scores.items()}


def _everything(candidates: Sequence[KnownPage], _: str) -> Iterator[PieceLearner]:
    truths = {place: each.truth for place, each in enumerate(candidates)}
    yield PagePool([each.page for each in candidates]).learner(truths)


def _learners(candidates: Sequence[KnownPage], criterion: str) -> Iterator[PieceLearner]:
    """Yield what has been learned after each number of annotated pages."""
    return (learner for done, learner in annotate(candidates, criterion, max(COUNTS)) if len(done) in COUNTS)


def annotate(candidates: Sequence[KnownPage], criterion: str, most: int) -> Iterator[tuple[list[int], PieceLearner]]:
    """Yield the places of more and more annotated pages, and what was learned from them, which chooses the next."""
    pool = PagePool([each.page for each in candidates])
    done = list(range(FIRST))
    while True:
        learner = pool.learner({place: candidates[place].truth for place in done})
        yield done, learner
        if len(done) >= most:
            return
        done = done + _choose(pool, learner, done, criterion)


def _choose(pool: PagePool, learner: PieceLearner, done: Sequence[int], criterion: str) -> list[int]:
    """Return the places of the next pages to annotate."""
    if criterion == CHOSEN:
        return pool.next_pages(learner, done, TOGETHER)
    if criterion == "coverage":
        return covering_order(pool.alike, np.ones(len(pool.pages)), done, TOGETHER)
    left = [place for place in range(len(pool.pages)) if place not in set(done)]
    if criterion == "doubt":
        doubts = pool.doubts(learner)
        left.sort(key=lambda place: -doubts[place])
    return left[:TOGETHER]


def _report(pools: Sequence[str], orders: int, journal: PageJournal) -> ExperimentResults:
    tables, plots, figures = [], [], {}
    for pool in pools:
        for measure, means in MEASURES.items():
            curves = {
                name: np.array([journal.known[f"{pool} {order} {name}"][measure] for order in range(orders)])
                for name in (*CRITERIA, ALL)
            }
            figures[f"{pool}, {means}"] = {name: curve.tolist() for name, curve in curves.items()}
            columns = ("annotated", *CRITERIA, "lead", "low", "high", "won", "lead of doubt", "lead of coverage", ALL)
            tables.append(ResultTable(f"{pool.capitalize()}: F, {means}", columns, tuple(_rows(curves))))
            if measure == "pages":
                plots.append(_plot(pool, curves))
    return ExperimentResults(
        name=NAME,
        title="Choosing the pages to annotate",
        remarks=(_REMARK, f"Lead is that of {CHOSEN} over random choice, and won counts the divisions that it won."),
        tables=tuple(tables),
        plots=tuple(plots),
        figures=figures,
    )


def _rows(curves: dict[str, Doubles]) -> Iterator[tuple[Cell, ...]]:
    everything = float(curves[ALL].mean())
    for place, count in enumerate(COUNTS):
        means = [float(curves[name][:, place].mean()) for name in CRITERIA]
        differences = curves[CHOSEN][:, place] - curves[RANDOM][:, place]
        lead = bootstrap(differences.tolist())
        others = (means[CRITERIA.index(name)] - means[0] for name in ("doubt", "coverage"))
        yield (count, *means, lead.value, lead.low, lead.high, int((differences > 0).sum()), *others, everything)


def _plot(pool: str, curves: dict[str, Doubles]) -> Plot:
    series = []
    for name in CRITERIA:
        intervals = [bootstrap(column.tolist()) for column in curves[name].T]
        band = [(each.low, each.high) for each in intervals] if name in {RANDOM, CHOSEN} else []
        series.append(Series(name, [each.value for each in intervals], band))
    edges = [edge for each in series for pair in each.band for edge in pair]
    values = [value for each in series for value in each.values if value is not None]
    chart = Chart(
        f"F by the choice of annotated pages: {pool}",
        "annotated pages",
        "F on other pages",
        [str(count) for count in COUNTS],
        series,
        (min(edges + values) - 0.005, max(edges + values) + 0.005),
    )
    first = pool.partition(" ")[0]
    return Plot(f"{NAME}-{first}", f"F against the number of annotated pages: {pool}", line_chart(chart))
