"""Active learning: F against the number of annotated pages, by how these pages are chosen."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from broadsheet.base.errors import InputError
from broadsheet.base.records import Label
from broadsheet.corpora.annotation.layout_likeness import covering_order, layout, likeness, piece_features
from broadsheet.corpora.annotation.page_choice import LEAST_WEIGHT
from broadsheet.experiments._page_journal import PageJournal, page_journal
from broadsheet.experiments._plots import Chart, Series, line_chart
from broadsheet.experiments.experiment import Context
from broadsheet.experiments.experiment_results import Cell, ExperimentResults, Plot, ResultTable
from broadsheet.learning.intervals import bootstrap
from broadsheet.training.labelled_documents import LabelledDocument, labelled_documents

NAME = "active-learning"
HELP = "learn from pages that are chosen in several ways instead of at random, and compare how well others are read"
ROOMS = ("base", "document", "models", "reading", "learning", "corpora", "training", "experiments")

#: Random divisions of the pages into those to annotate and those to test on.
ORDERS = 20
COUNTS = (4, 8, 16, 32)
#: All pages, from as many sites as possible, and those to test on.
PAGES, TESTED = 300, 100
RANDOM = "random"
#: The ways to choose pages: at random; the most doubtful ones; those that are like most others; and those that are like
#: most others that are doubtful.
CRITERIA = (RANDOM, "doubt", "coverage", "coverage of doubt")

Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class PoolPage:
    """A page that may be annotated or tested: the features of its pieces, what they are, and its layout."""

    rows: Doubles
    is_body: NDArray[np.bool_]
    characters: Doubles
    layout: Doubles

    @classmethod
    def of(cls, page: LabelledDocument) -> "PoolPage":
        """Measure a page."""
        characters = np.diff(page.document.sums.characters).astype(np.float64)
        return cls(piece_features(page.document), page.labels == Label.BODY, characters, layout(page.document))


class PieceLearner:
    """A reader that has learned from some annotated pages alone: a logistic regression over pieces of text."""

    def __init__(self, pages: Sequence[PoolPage], scale: tuple[Doubles, Doubles]) -> None:
        """Learn which pieces are body; those of a page count by their share of its text, and all pages alike."""
        self._scale = scale
        rows = np.concatenate([self._scaled(page) for page in pages])
        weights = np.concatenate([page.characters / max(page.characters.sum(), 1) for page in pages])
        truth = np.concatenate([page.is_body for page in pages])
        with threadpool_limits(limits=1):
            self._model = LogisticRegression(C=3.0, max_iter=100).fit(rows, truth, weights)

    def _scaled(self, page: PoolPage) -> Doubles:
        mean, deviation = self._scale
        return ((page.rows - mean) / deviation).clip(-4, 4)

    def probabilities(self, page: PoolPage) -> Doubles:
        """Return the probability of each piece to be body."""
        found: Doubles = self._model.predict_proba(self._scaled(page))[:, 1]
        return found

    def f(self, page: PoolPage) -> float:
        """Return the F of the body of a page, by characters."""
        chosen = self.probabilities(page) > 0.5
        return _f(chosen.astype(np.float64), page.is_body, page.characters)

    def margin(self, page: PoolPage) -> float:
        """Return the share of F that the learner itself expects to miss."""
        probabilities = self.probabilities(page)
        return 1 - _f(probabilities, probabilities > 0.5, page.characters)


def _f(first: Doubles, second: NDArray[np.bool_], characters: Doubles) -> float:
    total = float(first @ characters + characters[second].sum())
    return 2 * float((first * characters)[second].sum()) / total if total else 1.0


def run(context: Context) -> ExperimentResults:
    """Choose pages in each way, learn from them, and read other pages."""
    if context.pages is None:
        raise InputError("active-learning needs --pages, a folder with labelled pages")
    with page_journal(context, NAME, ROOMS, {"pages": PAGES, "tested": TESTED}) as journal:
        tasks = [(order, name) for order in range(ORDERS) for name in CRITERIA]
        missing = [task for task in tasks if "{} {}".format(*task) not in journal.known]
        if missing:
            documents = labelled_documents(context.pages.parent, "train", context.counters)[:PAGES]
            study = ChoiceStudy([PoolPage.of(page) for page in documents])
            for order, name in context.track(missing):
                journal.append(f"{order} {name}", {"f": study.curve(order, name)})
        return _report(journal)


class ChoiceStudy:
    """Pages of which some are annotated and others tested, in random divisions."""

    def __init__(self, pages: Sequence[PoolPage], tested: int = TESTED) -> None:
        """Compare the layouts of all pages."""
        if len(pages) < tested + max(COUNTS):
            raise InputError(
                f"active-learning needs {tested + max(COUNTS)} pages with labelled title and body, not {len(pages)}"
            )
        self.pages, self.tested = pages, tested
        rows = np.concatenate([page.rows for page in pages])
        self._scale = rows.mean(axis=0), rows.std(axis=0) + 1e-6
        self._alike = likeness([page.layout for page in pages])

    def curve(self, order: int, criterion: str) -> list[float]:
        """Return the mean F on the tested pages after each number of annotated ones; the learner chooses as it goes."""
        numbers = np.random.default_rng(order).permutation(len(self.pages)).tolist()
        tested, pool = numbers[: self.tested], numbers[self.tested :]
        chosen: list[int] = []
        learner: PieceLearner | None = None
        scores = []
        for count in COUNTS:
            chosen += self._choose(pool, chosen, count - len(chosen), criterion, learner)
            learner = PieceLearner([self.pages[number] for number in chosen], self._scale)
            scores.append(round(float(np.mean([learner.f(self.pages[number]) for number in tested])), 5))
        return scores

    def _choose(
        self, pool: Sequence[int], chosen: Sequence[int], size: int, criterion: str, learner: PieceLearner | None
    ) -> list[int]:
        """Return the next pages to annotate; without a learner, doubt says nothing."""
        left = [number for number in pool if number not in set(chosen)]
        doubts = np.array([learner.margin(self.pages[number]) if learner else 0.0 for number in pool])
        if criterion == "doubt":
            by_page = dict(zip(pool, doubts.tolist(), strict=True))
            return sorted(left, key=lambda number: -by_page[number])[:size]
        if criterion == RANDOM:
            return left[:size]
        weights = LEAST_WEIGHT + doubts if criterion == "coverage of doubt" else np.ones(len(pool))
        covered = [pool.index(number) for number in chosen]
        return [pool[place] for place in covering_order(self._alike[np.ix_(pool, pool)], weights, covered, size)]


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
    f"A reader that knows nothing learns from 4 to 32 of {PAGES - TESTED} pages, almost every one of another site, and"
    f" reads {TESTED} others. The pages are divided {ORDERS} times at random. Doubt is the share of F that the reader"
    " expects to miss on a page, after it has learned from the pages chosen before. Coverage chooses pages whose layout"
    " is like that of many others; coverage of doubt counts these others by their doubt. Low and high are the 2.5th and"
    " 97.5th percentile of resampled divisions. F of the body by characters, mean over pages."
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
        [str(count) for count in COUNTS],
        series,
        (min(values) - 0.01, max(values) + 0.01),
    )
    return Plot("active-learning", "F against the number of annotated pages", line_chart(chart))
