"""Pages that were measured, and what follows from many of them."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from broadsheet.corpora.measures import Overlap
from broadsheet.corpora.page import PageLabels, Split
from broadsheet.experiments.coreex.grid import PUBLISHED, SETTINGS, TUNED, Measured, Setting, Variant

_PLACES = {setting: place for place, setting in enumerate(SETTINGS)}


class Judged(NamedTuple):
    """A page and how CoreEx did on it."""

    labels: PageLabels
    measured: Measured

    def words(self, setting: Setting) -> Overlap:
        """Return what was taken under a setting, weighted by words."""
        return self.measured.words[_PLACES[setting]]

    def nodes(self, setting: Setting) -> Overlap:
        """Return what was taken under a setting, each text node counted once."""
        return self.measured.pieces[_PLACES[setting]]


def of_split(judged: Iterable[Judged], split: Split) -> list[Judged]:
    """Return the pages of one split."""
    return [page for page in judged if page.labels.split == split]


def sites(pages: Iterable[Judged]) -> int:
    """Return the number of domains."""
    return len({page.labels.site for page in pages})


def mean_f(pages: Sequence[Judged], setting: Setting) -> float:
    """Return the mean over pages of F, word-weighted."""
    return float(np.mean([page.words(setting).score.f for page in pages]))


def by_domain(dev: Sequence[Judged], setting: Setting) -> dict[str, float]:
    """Return the mean F of each domain, word-weighted."""
    scores: dict[str, list[float]] = {}
    for page in dev:
        scores.setdefault(page.labels.site, []).append(page.words(setting).score.f)
    return {domain: float(np.mean(values)) for domain, values in sorted(scores.items())}


def best_setting(train: Sequence[Judged], variant: Variant) -> Setting:
    """Return the setting with the highest mean F, word-weighted; of equals the first."""
    own = [setting for setting in SETTINGS if setting.variant == variant]
    return max(own, key=lambda setting: mean_f(train, setting))


def named_settings(best: dict[Variant, Setting]) -> dict[str, Setting]:
    """Name the settings that are judged: published, ours, and what the grid chose where that is another."""
    named = {"exact, as published": PUBLISHED}
    if "exact" in best:
        named["exact, weights by the grid"] = best["exact"]
    named["default"] = TUNED
    if best.get("default", TUNED) != TUNED:
        named["default, by the grid"] = best["default"]
    return named
