"""The model of a source's targets: three sources of evidence, weighed by a handful of numbers.

What the address says (`identify_urls`), what the links to a target say, and what the other targets of the same site
say. Two questions are weighed apart: is it an article, and if not, is it a section? Behaviour and link texts answer the
first one well, addresses and places on pages the second.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

from broadsheet.models.model_errors import ModelError
from broadsheet.models.model_files import load
from broadsheet.models.trees import TreeEnsemble
from broadsheet.pages.url_verdicts import identify_urls, url_model
from broadsheet.sources.link_features import LINK_FEATURES, measure_links
from broadsheet.sources.site_evidence import GROUPS, LINK_GROUPS, beliefs_of, contrasts, groups_of, stacked
from broadsheet.sources.source_links import LinkTable
from broadsheet.sources.target_counts import Doubles

#: Beliefs are shared between targets this often.
ROUNDS = 2
VERSION = 2
_DATA = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True)
class EvidenceWeights:
    """The weight of each kind of evidence for both questions, in each round, and what is added to the sum."""

    #: By round, question and kind of evidence; then by round and question.
    weights: Sequence[Sequence[Sequence[float]]]
    biases: Sequence[Sequence[float]]

    def scores(self, number: int, evidence: Doubles) -> Doubles:
        """Return both logarithms of odds after a round."""
        scores: Doubles = np.einsum("nkq,qk->nq", evidence, np.array(self.weights[number]))
        scores += np.array(self.biases[number])
        return scores

    def beliefs(self, number: int, evidence: Doubles) -> Doubles:
        """Return the probabilities of the kinds after a round."""
        return beliefs_of(self.scores(number, evidence))


@dataclass(frozen=True, slots=True)
class SiteModel:
    """Says what the targets of a source are."""

    #: The model of addresses; None to judge without addresses.
    addresses: TreeEnsemble | None
    links: TreeEnsemble
    weights: EvidenceWeights
    #: The weights that serve without addresses.
    bare_weights: EvidenceWeights
    #: Whose sites the model has learned from.
    publishers: frozenset[str] = frozenset()

    def without_addresses(self) -> "SiteModel":
        """Return the model that does not look at addresses."""
        return replace(self, addresses=None)

    def probabilities(self, table: LinkTable, pages: Doubles | None = None) -> Doubles:
        """Return the probability of each kind, in the order of `KINDS`, for each target."""
        return self.evidence(table, pages)[-1]

    def evidence(self, table: LinkTable, pages: Doubles | None = None) -> Sequence[Doubles]:
        """Return what is believed after each step: by the address (if used), by the links, after each round.

        `pages` is what else is known of each target, as `page_scores` returns it: it counts for the target itself, and
        through what is believed of it for others.
        """
        own = own_beliefs(table, self.addresses, self.links)
        names, weights = (GROUPS, self.weights) if self.addresses else (LINK_GROUPS, self.bare_weights)
        groups = groups_of(table)
        own_contrasts = [contrasts(each) for each in own]
        known = 0.0 if pages is None else pages
        steps = [*own, first_beliefs(own, known)]
        for number in range(ROUNDS):
            evidence = stacked(own_contrasts, [groups[name] for name in names], steps[-1])
            steps.append(beliefs_of(weights.scores(number, evidence) + known))
        return steps


def own_beliefs(table: LinkTable, addresses: TreeEnsemble | None, links: TreeEnsemble) -> list[Doubles]:
    """Return what the models say of each target by itself."""
    by_links = links.probabilities(measure_links(table))
    if addresses is None:
        return [by_links]
    anchors = [anchor or None for anchor in table.anchors]
    return [identify_urls(table.urls, anchors, addresses).probabilities, by_links]


def first_beliefs(own: Sequence[Doubles], pages: Doubles | float = 0.0) -> Doubles:
    """Return the beliefs that the first round starts from: all models count the same."""
    return beliefs_of(np.mean([contrasts(each) for each in own], axis=0) + pages)


@cache
def site_model() -> SiteModel:
    """Return the model shipped with Broadsheet."""
    links = load(_DATA / "links.npz")
    if links.card.features != LINK_FEATURES:
        raise ModelError(f"{links.card.label} was trained on other features than this version computes")
    stored = json.loads((_DATA / "weights.jsonl").read_text(encoding="utf-8"))
    weights, bare = (EvidenceWeights(stored[name]["weights"], stored[name]["biases"]) for name in ("weights", "bare"))
    return SiteModel(url_model(), links, weights, bare, frozenset(stored["publishers"]))
