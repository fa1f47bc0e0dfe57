"""Measured pages, and figures aggregated over them."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from broadsheet.corpora.labelled_page import PageLabels, Split
from broadsheet.corpora.measures import Overlap
from broadsheet.experiments.coreex_study._grid import (
    PUBLISHED,
    SETTINGS,
    TUNED,
    CoreExVariant,
    GridMeasurements,
    Variant,
)

_INDICES = {setting: place for place, setting in enumerate(SETTINGS)}


class JudgedPage(NamedTuple):
    """A page with its measurements."""

    labels: PageLabels
    measured: GridMeasurements

    def words(self, setting: CoreExVariant) -> Overlap:
        """Return the overlap under a setting, weighted by words."""
        return self.measured.words[_INDICES[setting]]

    def nodes(self, setting: CoreExVariant) -> Overlap:
        """Return the overlap under a setting, with each text node counted once."""
        return self.measured.pieces[_INDICES[setting]]


def of_split(judged: Iterable[JudgedPage], split: Split) -> list[JudgedPage]:
    """Return the pages of one split."""
    return [page for page in judged if page.labels.split == split]


def sites(pages: Iterable[JudgedPage]) -> int:
    """Return the number of domains."""
    return len({page.labels.site for page in pages})


def mean_f(pages: Sequence[JudgedPage], setting: CoreExVariant) -> float:
    """Return the mean word-weighted F over pages."""
    return float(np.mean([page.words(setting).score.f for page in pages]))


def by_domain(dev: Sequence[JudgedPage], setting: CoreExVariant) -> dict[str, float]:
    """Return the mean word-weighted F of each domain."""
    scores: dict[str, list[float]] = {}
    for page in dev:
        scores.setdefault(page.labels.site, []).append(page.words(setting).score.f)
    return {domain: float(np.mean(values)) for domain, values in sorted(scores.items())}


def best_setting(train: Sequence[JudgedPage], variant: Variant) -> CoreExVariant:
    """Return the setting with the highest mean word-weighted F; the first one on a tie."""
    candidates = [setting for setting in SETTINGS if setting.variant == variant]
    return max(candidates, key=lambda setting: mean_f(train, setting))


def named_settings(best: dict[Variant, CoreExVariant]) -> dict[str, CoreExVariant]:
    """Name the evaluated settings: the published ones, ours, and the grid's choice if it differs."""
    named = {"exact, as published": PUBLISHED}
    if "exact" in best:
        named["exact, weights by the grid"] = best["exact"]
    named["default"] = TUNED
    if best.get("default", TUNED) != TUNED:
        named["default, by the grid"] = best["default"]
    return named
