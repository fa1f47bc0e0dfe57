"""The paper's tables, with its figures next to ours."""

from collections.abc import Callable, Sequence

import numpy as np

from broadsheet.corpora.measures import Overlap, Score
from broadsheet.corpora.summary import Summary, summarise
from broadsheet.experiments.coreex_study._grid import (
    PUBLISHED,
    TEXT_WEIGHTS,
    THRESHOLDS,
    TUNED,
    VARIANTS,
    CoreExVariant,
    Variant,
)
from broadsheet.experiments.coreex_study._judged import JudgedPage, by_domain, mean_f
from broadsheet.experiments.experiment_results import Cell, ResultTable

#: The paper's figures: on 1,120 pages of 27 sources, with constants chosen on 500 others.
PAPER_WORDS = Score(0.97, 0.98, 0.98)
PAPER_NODES = Score(0.930, 0.925, 2 * 0.930 * 0.925 / (0.930 + 0.925))
PAPER_MS = 13.0

#: Domains with fewer pages are not listed.
MIN_PAGES_OF_A_DOMAIN = 3
#: An extraction shorter than this share of the answer is a fragment.
FRAGMENT = 0.2

_SCORES = ("P", "R", "F")


def against_paper(
    dev: Sequence[JudgedPage],
    named: dict[str, CoreExVariant],
    measure: str,
    overlap: Callable[[JudgedPage, CoreExVariant], Overlap],
    paper: Score,
) -> ResultTable:
    """Return precision, recall and F of one measure, the paper's figures first."""
    rows: list[tuple[Cell, ...]] = [("the paper", "0.9 / 0.01", 1120, *paper, None, None, None, None)]
    for name, setting in named.items() if dev else ():
        summary = summarise([overlap(page, setting) for page in dev])
        rows.append((name, _constants(setting), len(dev), *_means(summary), _interval(summary), *summary.pooled))
    columns = ("variant", "threshold / weight", "pages", *_SCORES, "F, 95 %", "P pooled", "R pooled", "F pooled")
    return ResultTable(f"Precision and recall, {measure}", columns, tuple(rows))


def failures(dev: Sequence[JudgedPage], named: dict[str, CoreExVariant]) -> ResultTable:
    """Return how pages fail: by extracting a fragment, or the wrong text."""
    rows = []
    for name, setting in named.items() if dev else ():
        overlaps = [page.words(setting) for page in dev]
        failed = [overlap for overlap in overlaps if overlap.score.f < 0.5]
        fragments = sum(overlap.extracted < FRAGMENT * overlap.answer for overlap in failed)
        elsewhere = sum(overlap.correct == 0 for overlap in failed)
        rows.append((name, len(overlaps), len(failed), fragments, elsewhere))
    columns = ("variant", "pages", "F below ½", f"of these under {FRAGMENT:.0%} of the text taken", "no word right")
    return ResultTable("How pages fail", columns, tuple(rows))


def times(pages: Sequence[JudgedPage]) -> ResultTable:
    """Return the CPU time per page, next to the paper's figure, which includes parsing."""
    rows: list[tuple[Cell, ...]] = [("the paper (Java 1.5, 1.8 GHz Opteron)", PAPER_MS, None, None)]
    names = {
        "lxml": "lxml's bare parse",
        "document": "bytes to document",
        "exact": "document to reading, exact",
        "default": "document to reading, default, with the metadata it asks for",
    }
    bare = float(np.mean([page.measured.times["lxml"] for page in pages])) if pages else 0.0
    for key, name in names.items() if pages else ():
        spent = np.array([page.measured.times[key] for page in pages])
        ratio = float(spent.mean()) / bare if bare else None
        rows.append((name, float(spent.mean()), float(np.median(spent)), ratio))
    return ResultTable(
        "Time, ms of CPU a page", ("step", "mean", "median", "mean, as a multiple of lxml's parse"), tuple(rows)
    )


def grid(train: Sequence[JudgedPage], variant: Variant) -> ResultTable:
    """Return the mean F for every pair of constants."""
    rows: list[tuple[Cell, ...]] = [
        (f"{threshold:g}", *(mean_f(train, CoreExVariant(variant, threshold, weight)) for weight in TEXT_WEIGHTS))
        for threshold in THRESHOLDS
    ]
    title = f"The grid, {variant}: mean F, word-weighted, on the training sites"
    return ResultTable(title, ("threshold", *(f"w {weight:g}" for weight in TEXT_WEIGHTS)), tuple(rows))


def groups(dev: Sequence[JudgedPage], name: str, key: Callable[[JudgedPage], str], least: int = 1) -> ResultTable:
    """Return mean and pooled scores of the published and our own constants by corpus or domain."""
    members: dict[str, list[JudgedPage]] = {}
    for page in dev:
        members.setdefault(key(page), []).append(page)
    rows: list[tuple[Cell, ...]] = []
    for group, pages in sorted(members.items()):
        if len(pages) < least:
            continue
        cells: list[Cell] = [group, len(pages)]
        for setting in (PUBLISHED, TUNED):
            words = [page.words(setting) for page in pages]
            cells += [*_means_of(words), _pooled(words), _means_of([page.nodes(setting) for page in pages])[2]]
        rows.append(tuple(cells))
    measured = (*_SCORES, "F pooled", "F nodes")
    columns = (name, "pages", *(f"{figure} {variant}" for variant in VARIANTS for figure in measured))
    several = f", those with {least} pages or more" if least > 1 else ""
    return ResultTable(f"By {name}{several}", columns, tuple(rows))


def consistency(dev: Sequence[JudgedPage], named: dict[str, CoreExVariant]) -> ResultTable:
    """Return the share of domains on which CoreEx works; the paper has 3 exceptions among 27."""
    rows: list[tuple[Cell, ...]] = [("the paper", 27, None, None, None)]
    for name, setting in named.items() if dev else ():
        scores = np.array(list(by_domain(dev, setting).values()))
        rows.append((name, len(scores), *(float((scores >= least).mean()) for least in (0.9, 0.7, 0.5))))
    columns = ("variant", "domains", "F ≥ 0.9", "F ≥ 0.7", "F ≥ 0.5")
    return ResultTable("Share of domains by their mean F, word-weighted", columns, tuple(rows))


def _means(summary: Summary) -> tuple[float, float, float]:
    return summary.precision.value, summary.recall.value, summary.f.value


def _interval(summary: Summary) -> str:
    return f"{summary.f.low:.3f}–{summary.f.high:.3f}"


def _constants(setting: CoreExVariant) -> str:
    return f"{setting.threshold:g} / {setting.weight_text:g}"


def _means_of(overlaps: Sequence[Overlap]) -> tuple[float, float, float]:
    precision, recall, f = np.mean([overlap.score for overlap in overlaps], axis=0).tolist()
    return precision, recall, f


def _pooled(overlaps: Sequence[Overlap]) -> float:
    return Overlap(*(int(total) for total in np.sum(overlaps, axis=0))).score.f
