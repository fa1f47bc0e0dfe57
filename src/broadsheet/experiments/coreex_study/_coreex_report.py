"""Tables, plots and remarks of the CoreEx study."""

from collections.abc import Iterator, Sequence

from broadsheet.experiments._plots import Chart, Series, bar_chart, line_chart
from broadsheet.experiments.coreex_study import _coreex_tables
from broadsheet.experiments.coreex_study._grid import (
    PUBLISHED,
    SETTINGS,
    TEXT_WEIGHTS,
    THRESHOLDS,
    TUNED,
    VARIANTS,
    CoreExVariant,
    Variant,
)
from broadsheet.experiments.coreex_study._judged import (
    JudgedPage,
    best_setting,
    by_domain,
    mean_f,
    named_settings,
    of_split,
    sites,
)
from broadsheet.experiments.experiment_results import ExperimentResults, Plot


def findings(judged: Sequence[JudgedPage], origin: str) -> ExperimentResults:
    """Return all tables and plots; constants are chosen on the training sites only."""
    train, dev = (of_split(judged, split) for split in ("train", "dev"))
    best = {variant: best_setting(train, variant) for variant in VARIANTS if train}
    named = named_settings(best)
    tables = [
        _coreex_tables.against_paper(dev, named, "word-weighted", JudgedPage.words, _coreex_tables.PAPER_WORDS),
        _coreex_tables.against_paper(dev, named, "node-based", JudgedPage.nodes, _coreex_tables.PAPER_NODES),
        _coreex_tables.failures(dev, named),
        _coreex_tables.times([*train, *dev]),
        *(_coreex_tables.grid(train, variant) for variant in best),
        _coreex_tables.groups(dev, "corpus", lambda page: page.labels.corpus),
        _coreex_tables.groups(dev, "domain", lambda page: page.labels.site, _coreex_tables.MIN_PAGES_OF_A_DOMAIN),
        _coreex_tables.consistency(dev, named),
    ]
    return ExperimentResults(
        name="coreex",
        title="CoreEx, evaluated as in its paper",
        remarks=tuple(_remarks(train, dev, best, origin)),
        tables=tuple(table for table in tables if table.rows),
        plots=tuple(_plots(train, dev, best)),
        figures=_figures(train, dev, best, origin),
    )


def _remarks(
    train: Sequence[JudgedPage], dev: Sequence[JudgedPage], best: dict[Variant, CoreExVariant], origin: str
) -> Iterator[str]:
    yield (
        f"On {origin}: constants chosen on {len(train)} pages of {sites(train)} training domains, figures on "
        f"{len(dev)} pages of {sites(dev)} others. P, R and F are means over pages; the pooled figures sum the "
        "counts of all pages."
    )
    for variant, setting in best.items():
        yield (
            f"The grid chose threshold {setting.threshold:g} and a text weight of {setting.weight_text:g} for the "
            f"{variant} variant; the paper uses 0.9 and 0.01."
        )


def _plots(
    train: Sequence[JudgedPage], dev: Sequence[JudgedPage], best: dict[Variant, CoreExVariant]
) -> Iterator[Plot]:
    for variant in best:
        series = [
            Series(
                f"threshold {threshold:g}",
                [mean_f(train, CoreExVariant(variant, threshold, weight)) for weight in TEXT_WEIGHTS],
            )
            for threshold in THRESHOLDS
        ]
        title = f"CoreEx, {variant}: F on the training sites"
        chart = Chart(title, "weight of the text's share", "mean F, word-weighted", _ticks(), series, (0.0, 1.0))
        yield Plot(f"coreex-grid-{variant}", f"{title}, by weight and threshold", line_chart(chart))
    corpora = sorted({page.labels.corpus for page in dev})
    if corpora:
        bars = [
            Series(
                name, [mean_f([page for page in dev if page.labels.corpus == corpus], setting) for corpus in corpora]
            )
            for name, setting in (("as published", PUBLISHED), ("default", TUNED))
        ]
        title = "CoreEx by corpus, on sites that no constant was chosen on"
        chart = Chart(title, "corpus", "mean F, word-weighted", corpora, bars, (0.0, 1.0))
        yield Plot("coreex-corpora", title, bar_chart(chart))


def _ticks() -> list[str]:
    return [f"{weight:g}" for weight in TEXT_WEIGHTS]


def _figures(
    train: Sequence[JudgedPage], dev: Sequence[JudgedPage], best: dict[Variant, CoreExVariant], origin: str
) -> dict[str, object]:
    """Return figures that are not in the tables: every setting on both splits, and every domain."""
    return {
        "origin": origin,
        "paper": {
            "words": _coreex_tables.PAPER_WORDS._asdict(),
            "nodes": _coreex_tables.PAPER_NODES._asdict(),
            "ms": _coreex_tables.PAPER_MS,
        },
        "best": {variant: setting._asdict() for variant, setting in best.items()},
        "settings": [
            {**setting._asdict(), **{split: mean_f(pages, setting) for split, pages in splits.items() if pages}}
            for splits in ({"train": train, "dev": dev},)
            for setting in SETTINGS
        ],
        "domains": {name: by_domain(dev, setting) for name, setting in (("exact", PUBLISHED), ("default", TUNED))},
    }
