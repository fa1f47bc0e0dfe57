"""Remembering: F on the other pages of a site against the number of its pages that the memory reader remembers."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from broadsheet.base.errors import InputError
from broadsheet.corpora.corpus_errors import Unusable
from broadsheet.corpora.corpus_folder import find_corpora
from broadsheet.corpora.evaluation import CorpusSelection, read_pages
from broadsheet.corpora.page_scoring import Truth
from broadsheet.corpora.site_splits import shuffled
from broadsheet.experiments._page_journal import PageJournal, page_journal
from broadsheet.experiments._plots import Chart, Series, line_chart
from broadsheet.experiments.experiment import Context
from broadsheet.experiments.experiment_results import Cell, ExperimentResults, Plot, ResultTable
from broadsheet.learning.intervals import bootstrap
from broadsheet.reading.memory_reader import SHIPPED, MemoryModels, load_models
from broadsheet.training.labelled_documents import LabelledDocument
from broadsheet.training.memory_adaptation import body_f
from broadsheet.training.memory_training import remember_more

NAME = "remembering"
HELP = "let the memory reader remember a few annotated pages of a site, and read its other pages"
ROOMS = ("base", "document", "models", "reading", "learning", "outputs", "corpora", "training", "experiments")

COUNTS = (2, 5, 10)
#: Random orders in which the pages of a site are annotated.
ORDERS = 3
#: A site with fewer pages is not studied, and hosts of many sites are not, which have nothing in common.
MIN_PAGES = 6
HOSTS = frozenset({"blogspot.com"})

_REMARK = (
    "The shipped memory reader has not learned from the dev sites. It remembers the first 2 to 10 pages of a random"
    f" order of one such site beside its own, and reads the others: the mean F of the body by characters, {ORDERS}"
    " orders. At least as many pages are tested as are remembered. Gains are means over sites, against the shipped"
    " reader on the same pages; low and high are the 2.5th and 97.5th percentile of resampled sites."
)

Site = Sequence[LabelledDocument]


def run(context: Context) -> ExperimentResults:
    """Remember more and more pages of each site, and read its other pages."""
    if context.pages is None:
        raise InputError("remembering needs --pages, a folder with labelled pages")
    corpora = find_corpora([context.pages])
    labelled = [
        labels
        for labels in CorpusSelection("dev", None).choose(corpora, context.counters)
        if labels.gold.trust in {"full", "silver"} and labels.site not in HOSTS
    ]
    often = Counter(labels.site for labels in labelled)
    chosen = [labels for labels in labelled if often[labels.site] >= MIN_PAGES]
    sites: dict[str, dict[str, LabelledDocument]] = defaultdict(dict)
    for page in read_pages(corpora, chosen, context.counters):
        try:
            truth = Truth.from_page(page)
        except Unusable as reason:
            context.counters.count("left out", str(reason))
        else:
            document = LabelledDocument(truth.document, truth.labelled.labels, page.labels.site)
            sites[page.labels.site][page.labels.id] = document
    return study(context, {site: pages for site, pages in sorted(sites.items()) if len(pages) >= MIN_PAGES})


def study(context: Context, sites: Mapping[str, Mapping[str, LabelledDocument]]) -> ExperimentResults:
    """Run the experiment on pages that are labelled."""
    shipped = load_models(SHIPPED)
    with page_journal(context, NAME, ROOMS, {"orders": ORDERS}) as journal:
        for site, seed in context.track([(site, seed) for site in sites for seed in range(ORDERS)]):
            if f"{site} {seed}" not in journal.known:
                order = [sites[site][name] for name in shuffled(list(sites[site]), str, seed)]
                journal.append(f"{site} {seed}", dict(_curve(shipped, order)))
        return _report({site: len(pages) for site, pages in sites.items()}, journal)


def _curve(shipped: MemoryModels, order: Site) -> Iterator[tuple[str, float]]:
    """Yield the mean F of the tested pages by the number of remembered pages."""
    counts = [count for count in COUNTS if 2 * count <= len(order)]
    tested = order[counts[-1] :]
    yield "0", _mean_f(shipped, tested)
    for count in counts:
        yield str(count), _mean_f(replace(shipped, memory=remember_more(shipped.memory, order[:count])), tested)


def _mean_f(models: MemoryModels, pages: Site) -> float:
    return round(float(np.mean([body_f(models, page) for page in pages])), 5)


def _report(sizes: Mapping[str, int], journal: PageJournal) -> ExperimentResults:
    rows: list[tuple[Cell, ...]] = []
    gains: dict[int, list[float]] = defaultdict(list)
    for site, size in sizes.items():
        curves = [journal.known[f"{site} {seed}"] for seed in range(ORDERS)]
        means = {count: float(np.mean([curve[str(count)] for curve in curves]))
                 for count in (0, *COUNTS) if str(count) in curves[0]}  # fmt: skip
        rows.append((site, size, *(means.get(count) for count in (0, *COUNTS))))
        for count, mean in means.items():
            gains[count].append(mean - means[0])
    summary = {count: bootstrap(gains[count]) for count in COUNTS if gains[count]}
    return ExperimentResults(
        name=NAME,
        title="Remembering annotated pages",
        remarks=(_REMARK,),
        tables=(
            ResultTable("F by the number of remembered pages", ("site", "pages", "0", *map(str, COUNTS)), tuple(rows)),
            ResultTable(
                "Gains",
                ("remembered", "sites", "gain", "low", "high"),
                tuple((count, len(gains[count]), i.value, i.low, i.high) for count, i in summary.items()),
            ),
        ),
        plots=(_plot({0: 0.0, **{count: interval.value for count, interval in summary.items()}}),),
    )


def _plot(gains: Mapping[int, float]) -> Plot:
    values = list(gains.values())
    chart = Chart(
        "Remembering annotated pages of a site",
        "remembered pages",
        "gain in F on other pages",
        [str(count) for count in gains],
        [Series("gain in F", values)],
        (min(values) - 0.01, max(values) + 0.01),
    )
    return Plot("remembering", "Gain in F against the number of remembered pages", line_chart(chart))
