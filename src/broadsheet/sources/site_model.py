"""The model of a source's targets: several kinds of evidence, weighed by a handful of numbers.

What the address says (`identify_urls`), what the links to a target say, both together, and what the other targets of
the same site say. How far addresses are trusted is fitted on each site, without labels. Two questions are weighed
apart: is it an article, and if not, is it a section? Behaviour and link texts answer the first one well, addresses and
places on pages the second.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from broadsheet.models.model_errors import ModelError
from broadsheet.models.model_files import load, save
from broadsheet.models.trees import TreeEnsemble
from broadsheet.pages.url_features import ANCHOR
from broadsheet.pages.url_features import FEATURES as URL_FEATURES
from broadsheet.pages.url_verdicts import identify_urls, url_model
from broadsheet.sources._address_trust import trusted
from broadsheet.sources.address_versions import originals_of
from broadsheet.sources.link_features import LINK_FEATURES, measure_links
from broadsheet.sources.site_evidence import GROUPS, LINK_GROUPS, beliefs_of, contrasts, groups_of, stacked
from broadsheet.sources.source_links import LinkTable
from broadsheet.sources.target_counts import Doubles

#: Beliefs are shared between targets this often.
ROUNDS = 2
VERSION = 3
#: What the model of links and addresses together looks at.
JOINT_FEATURES = (*LINK_FEATURES, *URL_FEATURES[: -len(ANCHOR)])
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
class TargetModels:
    """What judges each target by itself: by its address, by the links to it, and by both together."""

    links: TreeEnsemble
    #: None to judge without addresses.
    addresses: TreeEnsemble | None = None
    joint: TreeEnsemble | None = None

    def beliefs(
        self, table: LinkTable, pages: Doubles | None = None, originals: NDArray[np.intp] | None = None
    ) -> list[Doubles]:
        """Return what each model says: by the address as far as the site's links support it, by the links, by both.

        Of a version of another target they say what they say of that; a caller that knows the versions already passes
        them as `originals`.
        """
        features = measure_links(table)
        by_links = self.links.probabilities(features)
        if self.addresses is None or self.joint is None:
            return [by_links]
        by_address = identify_urls(table.urls, [anchor or None for anchor in table.anchors], self.addresses)
        by_both = self.joint.probabilities(joint_features(features, by_address.rows))
        places = originals_of(table.urls) if originals is None else originals
        address, links, both = (each[places] for each in (by_address.probabilities, by_links, by_both))
        said = links if pages is None else beliefs_of(contrasts(links) + pages)
        return [beliefs_of(trusted(contrasts(address), said)), links, both]


@dataclass(frozen=True, slots=True)
class SiteModel:
    """Says what the targets of a source are."""

    models: TargetModels
    weights: EvidenceWeights
    #: The weights that serve without addresses.
    bare_weights: EvidenceWeights
    #: Whose sites the model has learned from.
    publishers: frozenset[str] = frozenset()

    def without_addresses(self) -> "SiteModel":
        """Return the model that does not look at addresses."""
        return replace(self, models=TargetModels(self.models.links))

    def probabilities(self, table: LinkTable, pages: Doubles | None = None) -> Doubles:
        """Return the probability of each kind, in the order of `KINDS`, for each target."""
        return self.evidence(table, pages)[-1]

    def evidence(self, table: LinkTable, pages: Doubles | None = None) -> Sequence[Doubles]:
        """Return what is believed after each step: by each of the models, by all of them, after each round.

        `pages` is what else is known of each target, as `page_scores` returns it: it counts for the target itself, and
        through what is believed of it for others.
        """
        # A version is what its original is, which only addresses tell.
        originals = originals_of(table.urls) if self.models.addresses else np.arange(len(table))
        own = self.models.beliefs(table, pages, originals)
        names, weights = (GROUPS, self.weights) if self.models.addresses else (LINK_GROUPS, self.bare_weights)
        groups = groups_of(table)
        own_contrasts = [contrasts(each) for each in own]
        known = 0.0 if pages is None else pages
        steps = [*own, first_beliefs(own, known)]
        for number in range(ROUNDS):
            evidence = stacked(own_contrasts, [groups[name] for name in names], steps[-1])
            steps.append(beliefs_of(weights.scores(number, evidence)[originals] + known))
        return steps


def joint_features(links: NDArray[np.float32], addresses: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return one row of `JOINT_FEATURES` per target; both have features of link texts, of which one is enough."""
    return np.column_stack((links, addresses[:, : len(URL_FEATURES) - len(ANCHOR)]))


def first_beliefs(own: Sequence[Doubles], pages: Doubles | float = 0.0) -> Doubles:
    """Return the beliefs that the first round starts from: all models count the same."""
    return beliefs_of(np.mean([contrasts(each) for each in own], axis=0) + pages)


@cache
def site_model() -> SiteModel:
    """Return the model shipped with Broadsheet."""
    return load_site_model(_DATA, url_model())


def load_site_model(folder: Path, addresses: TreeEnsemble) -> SiteModel:
    """Read what `save_site_model` wrote; the model of addresses is kept elsewhere."""
    links, joint = load(folder / "links.npz"), load(folder / "joint.npz")
    for model, features in ((links, LINK_FEATURES), (joint, JOINT_FEATURES)):
        if model.card.features != features:
            raise ModelError(f"{model.card.label} was trained on other features than this version computes")
    stored = json.loads((folder / "weights.jsonl").read_text(encoding="utf-8"))
    weights, bare = (EvidenceWeights(stored[name]["weights"], stored[name]["biases"]) for name in ("weights", "bare"))
    return SiteModel(TargetModels(links, addresses, joint), weights, bare, frozenset(stored["publishers"]))


def save_site_model(model: SiteModel, folder: Path) -> None:
    """Write a model without its model of addresses."""
    if model.models.joint is None:
        raise ValueError("a model without addresses cannot be stored")
    folder.mkdir(parents=True, exist_ok=True)
    save(model.models.links, folder / "links.npz")
    save(model.models.joint, folder / "joint.npz")
    stored = {
        "weights": asdict(model.weights),
        "bare": asdict(model.bare_weights),
        "publishers": sorted(model.publishers),
    }
    (folder / "weights.jsonl").write_text(json.dumps(stored) + "\n", encoding="utf-8")
