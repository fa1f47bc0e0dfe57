"""What is known of a page beside the links to it: its content, and the feeds that list it."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np

from broadsheet.base.records import KINDS
from broadsheet.sources.site_evidence import beliefs_of, contrasts
from broadsheet.sources.target_counts import Doubles

#: Probabilities of the kinds, by kind of evidence.
Evidence = Mapping[str, Mapping[str, float]]

#: How much each kind of evidence counts: for whether it is an article, and if not, whether it is a section. That of the
#: content was fitted to publishers that the other models have not seen, with pages that stand in for theirs.
PAGE_WEIGHTS: Mapping[str, tuple[float, float]] = MappingProxyType({"content": (1.2, 1.1), "feed": (1.0, 1.0)})
#: No single model is surer of a page than this.
MIN_PROBABILITY = 0.002


def page_scores(known: Sequence[Evidence]) -> Doubles:
    """Return how much the evidence about each page changes both logarithms of odds; nothing where nothing is known."""
    scores = np.zeros((len(known), 2))
    for name, weights in PAGE_WEIGHTS.items():
        rows = [row for row, evidence in enumerate(known) if evidence.get(name)]
        if rows:
            said = np.array([[known[row][name].get(kind, 0.0) for kind in KINDS] for row in rows])
            said = np.maximum(said, MIN_PROBABILITY)
            scores[rows] += contrasts(said / said.sum(axis=1, keepdims=True)) * weights
    return scores


def with_page(links: Mapping[str, float], known: Evidence) -> dict[str, float]:
    """Return the probabilities that follow from what the links to a page say and what else is known of it."""
    said = np.array([[links.get(kind, 0.0) for kind in KINDS]])
    beliefs = beliefs_of(contrasts(said) + page_scores([known]))[0]
    return dict(zip(KINDS, beliefs.tolist(), strict=True))
