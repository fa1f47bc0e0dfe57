"""When is a source explored? Evaluators of its verdicts, each a registered class that is found by name.

Other packages register evaluators of their own under the entry point group `broadsheet.switches`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.entry_points import registered
from broadsheet.base.errors import ConfigError
from broadsheet.base.records import Kind
from broadsheet.learning.cluster_labels import class_entropy, silhouette, standardised, two_clusters
from broadsheet.sources.expected_quality import SWITCH_F, expected_f
from broadsheet.sources.target_counts import Doubles, TargetCounts
from broadsheet.sources.temporal_features import feature_table

#: The group of entry points in which other packages register evaluators.
ENTRY_POINTS = "broadsheet.switches"
#: By what the indices look at articles and other pages: how long links to them stay, and how lively they are.
INDEX_FEATURES = ("referred_stability", "reference_dynamicity_rate")
#: Articles are less stable and livelier.
_TOWARDS = np.array([-1.0, 1.0])
#: What quiet and lively sites alike reach within a day: of seven sites of the news web that constants are chosen on,
#: the worst have a silhouette of 0.54 and an entropy of 1.9 bits from snapshot 15 on (3 bits are possible).
MIN_SILHOUETTE, MAX_ENTROPY = 0.5, 2.0
#: Fewer labels than these say nothing about a source.
MIN_LABELS = 10


class Evaluation(NamedTuple):
    """What was measured, its value, what it is compared with, and whether it is good enough to switch."""

    measure: str
    value: float
    bound: float
    is_enough: bool


@dataclass(frozen=True, slots=True)
class JudgedSnapshot:
    """What all targets of a source were just judged to be, by their keys."""

    kinds: Mapping[str, Kind]
    #: How likely each is to be an article.
    articles: Mapping[str, float]
    #: Returns how the links to some targets have behaved; counted only if it is asked for.
    counts: Callable[[list[str]], TargetCounts]
    #: What targets are for certain, as far as anybody has said.
    labels: Mapping[str, Kind]


class SwitchEvaluator(Protocol):
    """Says how well the pages of a source are told apart."""

    name: ClassVar[str]

    def evaluate(self, judged: JudgedSnapshot) -> Evaluation:
        """Measure one snapshot."""
        ...


class QualityEvaluator:
    """Expects the F1 of articles that calibrated probabilities promise; needs no labels."""

    name: ClassVar[str] = "quality"

    def evaluate(self, judged: JudgedSnapshot) -> Evaluation:
        """Return the expected F1 of articles."""
        value = expected_f(np.fromiter(judged.articles.values(), float))
        return Evaluation("expected F1 of articles", value, SWITCH_F, value >= SWITCH_F)


class SupervisedEvaluator:
    """Compares verdicts with labels; a source with hardly any is measured as `quality` does."""

    name: ClassVar[str] = "supervised"

    def evaluate(self, judged: JudgedSnapshot) -> Evaluation:
        """Return the F1 of articles among the targets that have a label."""
        known = {key: kind for key, kind in judged.labels.items() if key in judged.kinds}
        if len(known) < MIN_LABELS:
            return QualityEvaluator().evaluate(judged)
        found = {key for key in known if judged.kinds[key] == "article"}
        true = {key for key, kind in known.items() if kind == "article"}
        value = 2 * len(found & true) / max(1, len(found) + len(true))
        return Evaluation(f"F1 of articles by {len(known)} labels", value, SWITCH_F, value >= SWITCH_F)


class SilhouetteEvaluator:
    """Asks whether the pages of a source fall into two clusters by how links to them behave; needs no labels."""

    name: ClassVar[str] = "silhouette"

    def evaluate(self, judged: JudgedSnapshot) -> Evaluation:
        """Return the mean silhouette of the clusters; one alone is not enough."""
        value = float(np.nan_to_num(silhouette(*_behaviour(judged)), nan=-1.0))
        return Evaluation("silhouette of behaviour", value, MIN_SILHOUETTE, value >= MIN_SILHOUETTE)


class EntropyEvaluator:
    """Asks whether the pages in each of two clusters behave alike; needs no labels."""

    name: ClassVar[str] = "entropy"

    def evaluate(self, judged: JudgedSnapshot) -> Evaluation:
        """Return the mean entropy within the clusters, in bits; one alone is not enough."""
        rows, labels = _behaviour(judged)
        if len(np.unique(labels)) < 2:
            return Evaluation("entropy of behaviour, in bits", np.log2(len(rows) + 2).item(), MAX_ENTROPY, False)
        value = class_entropy(rows, labels)
        return Evaluation("entropy of behaviour, in bits", value, MAX_ENTROPY, value <= MAX_ENTROPY)


def _behaviour(judged: JudgedSnapshot) -> tuple[Doubles, NDArray[np.intp]]:
    """Return how the links to each target have behaved, and to which of two clusters it belongs by that."""
    rows = standardised(feature_table(judged.counts(list(judged.kinds)), INDEX_FEATURES))
    return rows, two_clusters(rows, _TOWARDS).astype(np.intp)


EVALUATORS: Mapping[str, Callable[[], SwitchEvaluator]] = MappingProxyType(
    {each.name: each for each in (QualityEvaluator, SupervisedEvaluator, SilhouetteEvaluator, EntropyEvaluator)}
)


def build_evaluator(name: str) -> SwitchEvaluator:
    """Build the evaluator of a name; an unknown name is an error that lists the known ones."""
    # Only what is named is loaded: an entry point may be code of anybody.
    installed = registered(ENTRY_POINTS)
    if name not in installed and name not in EVALUATORS:
        known = ", ".join(dict.fromkeys((*EVALUATORS, *installed)))
        raise ConfigError(f"newsroom.switch: no evaluator is called {name!r}; the installed ones are {known}")
    found: Callable[[], SwitchEvaluator] = installed[name].load() if name in installed else EVALUATORS[name]
    return found()
