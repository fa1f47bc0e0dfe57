"""Active learning: F on other sites against the number of annotated pages, by how these pages are chosen."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from broadsheet.base.counters import Counters
from broadsheet.base.errors import InputError
from broadsheet.base.records import Label
from broadsheet.corpora.annotation.page_choice import cover
from broadsheet.corpora.corpus_folder import find_corpora
from broadsheet.corpora.evaluation import read_pages
from broadsheet.corpora.labelled_page import SPLITS
from broadsheet.corpora.site_splits import shuffled
from broadsheet.document import Document, parse
from broadsheet.experiments._page_journal import PageJournal, page_journal
from broadsheet.experiments._plots import Chart, Series, line_chart
from broadsheet.experiments.experiment import Context
from broadsheet.experiments.experiment_results import Cell, ExperimentResults, Plot, ResultTable
from broadsheet.learning.intervals import bootstrap
from broadsheet.reading import coreex
from broadsheet.reading.lines.line_choice import choose
from broadsheet.reading.lines.lines import find_lines
from broadsheet.reading.paragraphs import in_headings
from broadsheet.reading.structure_check import structure_errors
from broadsheet.reading.titles import find_title
from broadsheet.reading.trained import title_of
from broadsheet.training import reader_training
from broadsheet.training.fine_tuning import selected_f
from broadsheet.training.reader_training import TrainingData

NAME = "active-learning"
HELP = "annotate the pages that teach a reader most instead of random ones, and compare how fast it learns"
ROOMS = ("document", "reading", "training", "corpora")

#: Pages that are drawn once; their sites are divided at random again and again, into those to annotate and to test on.
DRAWN, ORDERS = 300, 20
COUNTS = (2, 4, 8, 16, 32)
#: The inverse of the regularisation of the regression.
PENALTY = 0.01
RANDOM = "random"

Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class PoolPage:
    """A page that may be annotated: its place in the table, and what can be seen of it without labels."""

    place: int
    site: str
    #: Which lines CoreEx takes for the article, which are in headings, and which begins the title.
    coreex: NDArray[np.bool_]
    headings: NDArray[np.bool_]
    title: int | None
    #: Its lines on average: two pages with like averages are of like layout.
    layout: Doubles

    @classmethod
    def of(cls, place: int, site: str, document: Document, layout: Doubles) -> "PoolPage":
        """Look at a page."""
        lines = find_lines(document)
        body = np.isin(coreex.read(document).labels, (Label.BODY, Label.HEADING))
        first = np.minimum(lines.first, len(body) - 1)
        title, _ = title_of(document, lines, find_title(document))
        return cls(place, site, body[first], in_headings(document)[first], title, layout)


@dataclass(frozen=True, slots=True, eq=False)
class LineReading:
    """What a learner says of the lines of a page: probabilities, which it selects, and how many words each has."""

    probabilities: Doubles
    chosen: NDArray[np.bool_]
    words: Doubles

    @property
    def margin(self) -> float:
        """The share of F that the learner itself expects to miss."""
        expected = float(self.probabilities @ self.words)
        total = float(self.words[self.chosen].sum()) + expected
        return 1 - 2 * float(self.probabilities[self.chosen] @ self.words[self.chosen]) / total if total else 0.0

    def disagreement(self, page: PoolPage) -> float:
        """The share of F that CoreEx misses if the learner is right."""
        total = float(self.words[self.chosen].sum() + self.words[page.coreex].sum())
        return 1 - 2 * float(self.words[self.chosen & page.coreex].sum()) / total if total else 0.0

    def structure(self, page: PoolPage) -> float:
        """Whether the structure of the reading is wrong."""
        labels = np.where(self.chosen, np.where(page.headings, Label.HEADING, Label.BODY), Label.GARBAGE)
        if page.title is not None and page.title < len(labels):
            labels[page.title] = Label.TITLE
        return float(bool(structure_errors(map(Label, labels.tolist()))))


Doubt = Callable[[LineReading, PoolPage], float]
#: How doubtful a reading is, by each criterion.
DOUBTS: dict[str, Doubt] = {
    "margin": lambda reading, _: reading.margin,
    "disagreement": lambda reading, page: reading.disagreement(page),
    "structure": lambda reading, page: reading.structure(page) + 0.001 * reading.margin,
    "all": lambda reading, page: reading.margin + reading.disagreement(page) + reading.structure(page),
    "even": lambda *_: 1.0,
}
#: Either the most doubtful pages are annotated, one of a site, or those whose layout is nearest to that of many pages,
#: each counted by its doubt.
TOP, COVERING = "most", "covering"
CRITERIA: dict[str, tuple[str, str] | None] = {
    RANDOM: None,
    "margin": (TOP, "margin"),
    "disagreement": (TOP, "disagreement"),
    "structure": (TOP, "structure"),
    "all three": (TOP, "all"),
    "layout": (COVERING, "even"),
    "layout and doubt": (COVERING, "all"),
}


def run(context: Context) -> ExperimentResults:
    """Choose pages by each criterion, train on them, and read pages of other sites."""
    if context.pages is None:
        raise InputError("active-learning needs --pages, a folder with labelled pages")
    data = reader_training.collect(context.pages.parent, frozenset(SPLITS), context.say)
    return study(context, data)


def study(context: Context, data: TrainingData) -> ExperimentResults:
    """Run the experiment on pages that are already measured."""
    with page_journal(context, NAME, ROOMS, {"orders": ORDERS, "drawn": DRAWN}) as journal:
        drawn: list[PoolPage] = []
        for order in context.track(range(ORDERS)):
            missing = [name for name in CRITERIA if f"{order} {name}" not in journal.known]
            drawn = drawn or (_draw(context, data) if missing else [])
            for name in missing:
                journal.append(f"{order} {name}", {"f": _curve(data, *_divide(drawn, order), name)})
                context.say(f"order {order + 1}, {name}: {journal.known[f'{order} {name}']['f']}")
        return _report(journal)


def _draw(context: Context, data: TrainingData) -> list[PoolPage]:
    """Draw pages, and look at each without its labels."""
    pages = data.table.pages
    usable = [place for place in reader_training.usable(data) if pages[place].gold_words]
    drawn = shuffled(usable, lambda place: pages[place].labels.id)[:DRAWN]
    places = {pages[place].labels.id: place for place in drawn}
    layouts = np.array([_layout(data, place) for place in drawn])
    layouts = (layouts - layouts.mean(axis=0)) / (layouts.std(axis=0) + 1e-6)
    by_place = dict(zip(drawn, layouts, strict=True))
    corpora = find_corpora([context.pages] if context.pages else [])
    found = read_pages(corpora, [pages[place].labels for place in drawn], Counters())
    looked = []
    for page in found:
        place = places[page.labels.id]
        document = parse(page.html, page.labels.url, encoding="utf-8")
        looked.append(PoolPage.of(place, page.labels.site, document, by_place[place]))
    return looked


def _layout(data: TrainingData, place: int) -> Doubles:
    lines = data.table.lines_of(place)
    rows, words = data.table.rows[lines].astype(np.float64), data.table.line_words[lines] + 3.0
    return np.concatenate((rows.mean(axis=0), words @ rows / words.sum()))


def _divide(drawn: Sequence[PoolPage], order: int) -> tuple[list[PoolPage], list[int]]:
    """Return pages to annotate, in a random order, and pages of other sites to test on."""
    sites = shuffled({page.site for page in drawn}, str, order)
    learned = set(sites[: len(sites) // 2])
    pool = shuffled((page for page in drawn if page.site in learned), lambda page: str(page.place), order)
    return pool, [page.place for page in drawn if page.site not in learned]


def _curve(data: TrainingData, pool: Sequence[PoolPage], tested: Sequence[int], criterion: str) -> list[float]:
    """Return the mean F on the tested pages after each number of annotated pages; all criteria begin alike."""
    annotated = list(pool[: COUNTS[0]])
    learner = _fit(data, [page.place for page in annotated])
    curve = [_mean_f(data, learner, tested)]
    for count in COUNTS[1:]:
        annotated += _choose(data, learner, pool, annotated, count - len(annotated), CRITERIA[criterion])
        learner = _fit(data, [page.place for page in annotated])
        curve.append(_mean_f(data, learner, tested))
    return curve


def _choose(  # noqa: PLR0913, PLR0917 - what to choose from, and by what
    data: TrainingData,
    learner: Pipeline,
    pool: Sequence[PoolPage],
    annotated: Sequence[PoolPage],
    number: int,
    criterion: tuple[str, str] | None,
) -> list[PoolPage]:
    """Return the next pages to annotate."""
    left = [page for page in pool if page not in annotated]
    if criterion is None:
        return left[:number]
    way, name = criterion
    readings = _read(data, learner, [page.place for page in pool])
    doubts = np.array([DOUBTS[name](readings[page.place], page) for page in pool])
    if way == TOP:
        taken = {page.site for page in annotated}
        ranked = np.argsort(-doubts, kind="stable").tolist()
        # One page of each site: the most doubtful, which comes last in this order and so replaces the others.
        first = {pool[place].site: pool[place] for place in reversed(ranked) if pool[place].site not in taken}
        return sorted(first.values(), key=lambda page: -float(doubts[pool.index(page)]))[:number]
    known = [place for place, page in enumerate(pool) if page in annotated]
    chosen = cover(np.array([page.layout for page in pool]), doubts, known, number)
    return [pool[place] for place in chosen]


def _mean_f(data: TrainingData, learner: Pipeline, places: Sequence[int]) -> float:
    readings = _read(data, learner, places)
    scores = [selected_f(readings[place].probabilities, data.table, place) for place in places]
    return round(float(np.mean(scores)), 5)


def _fit(data: TrainingData, places: Sequence[int]) -> Pipeline:
    """Train a logistic regression on the features of the lines of some pages, which takes a fraction of a second."""
    table = data.table
    slices = [table.lines_of(place) for place in places]
    rows, is_body = (np.concatenate([column[each] for each in slices]) for column in (table.rows, table.is_body))
    shares = [table.line_words[each] + 3.0 for each in slices]
    weights = np.concatenate([each / each.sum() for each in shares]) * len(rows) / len(places)
    learner = make_pipeline(StandardScaler(), LogisticRegression(C=PENALTY, solver="newton-cholesky", max_iter=30))
    with threadpool_limits(1):
        return learner.fit(rows.astype(np.float64), is_body > 0, logisticregression__sample_weight=weights)


def _read(data: TrainingData, learner: Pipeline, places: Sequence[int]) -> dict[int, LineReading]:
    """Read pages together, which takes less time than one by one."""
    table = data.table
    slices = [table.lines_of(place) for place in places]
    rows = np.concatenate([table.rows[each] for each in slices]).astype(np.float64)
    with threadpool_limits(1):
        predicted = learner.predict_proba(rows)[:, 1]
    ends = np.cumsum([each.stop - each.start for each in slices])
    readings = {}
    for place, lines, probabilities in zip(places, slices, np.split(predicted, ends[:-1]), strict=True):
        words = table.line_words[lines].astype(np.float64)
        readings[place] = LineReading(probabilities, choose(probabilities, words.astype(np.float32)), words)
    return readings


def _report(journal: PageJournal) -> ExperimentResults:
    curves = {name: np.array([journal.known[f"{order} {name}"]["f"] for order in range(ORDERS)]) for name in CRITERIA}
    rows: list[tuple[Cell, ...]] = []
    leads: list[tuple[Cell, ...]] = []
    for place, count in enumerate(COUNTS):
        rows.append((count, *(float(curve[:, place].mean()) for curve in curves.values())))
        for name, curve in curves.items():
            if name != RANDOM:
                lead = bootstrap((curve[:, place] - curves[RANDOM][:, place]).tolist())
                won = int((curve[:, place] > curves[RANDOM][:, place]).sum())
                leads.append((count, name, lead.value, lead.low, lead.high, won))
    return ExperimentResults(
        name=NAME,
        title="Choosing the pages to annotate",
        remarks=(_REMARK,),
        tables=(
            ResultTable("Mean F by the number of annotated pages", ("annotated", *CRITERIA), tuple(rows)),
            ResultTable(
                "Lead over random choice", ("annotated", "criterion", "lead", "low", "high", "orders won"), tuple(leads)
            ),
        ),
        plots=(_plot(curves),),
        figures={"curves": {name: curve.tolist() for name, curve in curves.items()}},
    )


_REMARK = (
    f"A logistic regression learns from pages that are annotated one after another, and reads pages of other sites:"
    f" {DRAWN} pages, whose sites are divided {ORDERS} times at random. Each time, all criteria begin with the same two"
    " pages. Low and high are the 2.5th and 97.5th percentile of resampled divisions. F counts the words of lines."
)


def _plot(curves: dict[str, Doubles]) -> Plot:
    series = [Series(name, curve.mean(axis=0).tolist()) for name, curve in curves.items()]
    error = 1.96 * curves[RANDOM].std(axis=0, ddof=1) / np.sqrt(ORDERS)
    for name, sign in (("random, 97.5 %", 1), ("random, 2.5 %", -1)):
        series.append(Series(name, (curves[RANDOM].mean(axis=0) + sign * error).tolist()))
    values = [value for each in series for value in each.values if value is not None]
    chart = Chart(
        "F by the choice of annotated pages",
        "annotated pages",
        "F on other sites",
        [str(count) for count in COUNTS],
        series,
        (min(values) - 0.01, max(values) + 0.01),
    )
    return Plot("active-learning", "F on other sites against the number of annotated pages", line_chart(chart))
