"""Active learning: F against the number of annotated pages, by how these pages are chosen."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.counters import Counters
from broadsheet.base.errors import InputError
from broadsheet.base.records import Label
from broadsheet.corpora.corpus_folder import find_corpora
from broadsheet.corpora.evaluation import read_pages
from broadsheet.corpora.labelled_page import SPLITS
from broadsheet.corpora.site_splits import shuffled
from broadsheet.document import Document, parse
from broadsheet.experiments._page_journal import PageJournal, page_journal
from broadsheet.experiments._plots import Chart, Series, line_chart
from broadsheet.experiments.annotation_study.fine_tuning_study import PageGroup, base_models, page_groups
from broadsheet.experiments.experiment import Context
from broadsheet.experiments.experiment_results import Cell, ExperimentResults, Plot, ResultTable
from broadsheet.learning.intervals import bootstrap
from broadsheet.reading import coreex
from broadsheet.reading.lines.line_choice import choose
from broadsheet.reading.lines.lines import find_lines
from broadsheet.reading.paragraphs import in_headings
from broadsheet.reading.structure_check import structure_errors
from broadsheet.reading.titles import find_title
from broadsheet.reading.trained import Models, title_of
from broadsheet.training import reader_training
from broadsheet.training.fine_tuning import TuningSettings, fine_tune, line_f, table_probabilities
from broadsheet.training.reader_training import TrainingData

NAME = "active-learning"
HELP = "adapt a reader to the pages that it is in doubt about instead of random ones, and compare what it gains"
ROOMS = ("document", "models", "reading", "training", "corpora")

#: Random divisions of the pages into those to annotate and those to test on.
ORDERS = 20
COUNTS = (4, 8, 16)
#: Pages to test on.
TESTED = 90
#: Rounds of fine-tuning; with few pages held out, no number of rounds would be certain to be better.
ROUNDS = 4
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

    @classmethod
    def of(cls, place: int, site: str, document: Document) -> "PoolPage":
        """Look at a page."""
        lines = find_lines(document)
        body = np.isin(coreex.read(document).labels, (Label.BODY, Label.HEADING))
        first = np.minimum(lines.first, len(body) - 1)
        title, _ = title_of(document, lines, find_title(document))
        return cls(place, site, body[first], in_headings(document)[first], title)


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


#: The ways to choose pages: at random, at random from each site in turn, the most doubtful of each site in turn, and
#: the most doubtful of all.
CRITERIA = (RANDOM, "sites in turn", "doubt, sites in turn", "doubt")


def run(context: Context) -> ExperimentResults:
    """Choose pages in each way, adapt a net to them, and read other pages of the same sites."""
    if context.pages is None:
        raise InputError("active-learning needs --pages, a folder with labelled pages")
    data = reader_training.collect(context.pages.parent, frozenset(SPLITS), context.say)
    return study(context, data)


def study(context: Context, data: TrainingData) -> ExperimentResults:
    """Run the experiment on pages that are already measured."""
    groups = page_groups(data)
    both = base_models(context, data, groups)
    # One net of two: it learns the same in half the time.
    base = Models(both.nets[:1], both.vocabulary)
    with page_journal(context, NAME, ROOMS, {"tested": TESTED, "rounds": ROUNDS}) as journal:
        looked: list[PoolPage] = []
        for order in context.track(range(ORDERS)):
            missing = [name for name in CRITERIA if f"{order} {name}" not in journal.known]
            if missing:
                looked = looked or _look(context, data, [group for group in groups if not group.is_kind])
            for name in missing:
                pool, tested = _divide(looked, order)
                journal.append(f"{order} {name}", {"f": _curve(data, base, pool, tested, name)})
                context.say(f"order {order + 1}, {name}: {journal.known[f'{order} {name}']['f']}")
        return _report(journal)


def _look(context: Context, data: TrainingData, groups: Sequence[PageGroup]) -> list[PoolPage]:
    """Look at the pages of sites without their labels."""
    places = {data.table.pages[place].labels.id: place for group in groups for place in group.pages}
    corpora = find_corpora([context.pages] if context.pages else [])
    found = read_pages(corpora, [data.table.pages[place].labels for place in places.values()], Counters())
    return [
        PoolPage.of(places[page.labels.id], page.labels.site, parse(page.html, page.labels.url, encoding="utf-8"))
        for page in found
    ]


def _divide(looked: Sequence[PoolPage], order: int) -> tuple[list[PoolPage], list[int]]:
    """Return pages to annotate, in a random order, and pages to test on."""
    pages = shuffled(looked, lambda page: str(page.place), order)
    return pages[TESTED:], [page.place for page in pages[:TESTED]]


def _curve(
    data: TrainingData, base: Models, pool: Sequence[PoolPage], tested: Sequence[int], criterion: str
) -> list[float]:
    """Return the mean F on the tested pages before fine-tuning, and after it on each number of annotated pages."""
    order = _order(data, base, pool, criterion)
    weights = reader_training.length_weights(data.table)
    models = [base]
    for count in COUNTS:
        places = [page.place for page in order[:count]]
        models.append(fine_tune(base, data.table, places, weights, TuningSettings(rounds=ROUNDS)).models)
    return [round(float(np.mean([line_f(each, data.table, place) for place in tested])), 5) for each in models]


def _order(data: TrainingData, base: Models, pool: Sequence[PoolPage], criterion: str) -> list[PoolPage]:
    """Return the pages in the order of annotation."""
    if criterion == RANDOM:
        return list(pool)
    values = {page.place: 0.0 for page in pool}
    if criterion != "sites in turn":
        values = {page.place: _doubt(data, base, page) for page in pool}
    ranked = sorted(pool, key=lambda page: -values[page.place])
    if criterion == "doubt":
        return ranked
    taken = Counter[str]()
    turns: list[tuple[int, int]] = []
    for rank, page in enumerate(ranked):
        turns.append((taken[page.site], rank))
        taken[page.site] += 1
    return [ranked[rank] for _, rank in sorted(turns)]


def _doubt(data: TrainingData, base: Models, page: PoolPage) -> float:
    probabilities = table_probabilities(base, data.table, page.place).astype(np.float64)
    words = data.table.line_words[data.table.lines_of(page.place)].astype(np.float64)
    reading = LineReading(probabilities, choose(probabilities, words.astype(np.float32)), words)
    return reading.margin + reading.disagreement(page) + reading.structure(page)


def _report(journal: PageJournal) -> ExperimentResults:
    curves = {name: np.array([journal.known[f"{order} {name}"]["f"] for order in range(ORDERS)]) for name in CRITERIA}
    rows: list[tuple[Cell, ...]] = []
    leads: list[tuple[Cell, ...]] = []
    for place, count in enumerate((0, *COUNTS)):
        rows.append((count, *(float(curve[:, place].mean()) for curve in curves.values())))
        for name, curve in curves.items():
            if name != RANDOM and count:
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
    "A net of the default reader, trained without any page of the studied sites, is adapted to some of their pages,"
    f" and reads {TESTED} others. The pages are divided {ORDERS} times at random. Doubt is the sum of three criteria:"
    " the share of F that the net expects to miss, its disagreement with CoreEx, and whether the structure of its"
    " reading is wrong. Low and high are the 2.5th and 97.5th percentile of resampled divisions. F counts the words of"
    " lines."
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
        "F on other pages",
        [str(count) for count in (0, *COUNTS)],
        series,
        (min(values) - 0.01, max(values) + 0.01),
    )
    return Plot("active-learning", "F against the number of annotated pages", line_chart(chart))
