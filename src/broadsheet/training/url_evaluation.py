"""How well addresses are judged on publishers that the model has not seen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.records import KINDS
from broadsheet.learning.confusion import Counts, confusion, f_by_kind
from broadsheet.models.trees import Doubles
from broadsheet.pages.url_features import measure
from broadsheet.training.addresses import LabelledAddress
from broadsheet.training.url_model import Examples, fit


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """Addresses with the scores that a model gave them which had seen nothing of their publishers."""

    addresses: Sequence[LabelledAddress]
    scores: Doubles

    @property
    def truth(self) -> NDArray[np.intp]:
        """What each address is, as its place in `KINDS`."""
        return np.array([KINDS.index(address.kind) for address in self.addresses], np.intp)

    @property
    def site_weights(self) -> Doubles:
        """Weights by which every site counts the same."""
        _, site, size = np.unique([address.site for address in self.addresses], return_inverse=True, return_counts=True)
        return 1 / size[site]

    def confusions(self) -> dict[str, Counts]:
        """Return, by site, how many addresses of each kind (row) were taken for which kind (column)."""
        found, truth = self.scores.argmax(axis=1), self.truth
        rows: dict[str, list[int]] = {}
        for row, address in enumerate(self.addresses):
            rows.setdefault(address.site, []).append(row)
        return {site: confusion(truth[own], found[own], len(KINDS)) for site, own in rows.items()}


def leave_one_publisher_out(
    followed: Sequence[LabelledAddress], pages: Sequence[LabelledAddress]
) -> tuple[Judged, Judged]:
    """Judge each followed publisher's certain addresses by a model that learned from all others.

    They are judged with the text of a link, and by the address alone.
    """
    examples = Examples.of(followed, pages)
    judged: list[LabelledAddress] = []
    with_anchors, bare = [], []
    for publisher in sorted({address.publisher for address in followed}):
        held_out = [address for address in followed if address.publisher == publisher and address.certain]
        model = fit(examples.without(publisher))
        urls = [address.url for address in held_out]
        anchors = [address.anchors[0] if address.anchors else None for address in held_out]
        judged += held_out
        with_anchors.append(model.scores(measure(urls, anchors)))
        bare.append(model.scores(measure(urls)))
    return Judged(judged, np.concatenate(with_anchors)), Judged(judged, np.concatenate(bare))


def f_scores(counts: Counts) -> dict[str, float]:
    """Return F for each kind; a kind that a site has none of is left out."""
    there = counts.sum(axis=1) > 0
    return {kind: f for kind, f, is_there in zip(KINDS, f_by_kind(counts).tolist(), there, strict=True) if is_there}


def summary(confusions: Mapping[str, Counts]) -> dict[str, float]:
    """Return F of articles, and the mean F over a site's kinds, both as means over sites."""
    by_site = [f_scores(counts) for counts in confusions.values()]
    articles = [scores["article"] for scores in by_site if "article" in scores]
    return {
        "article_f": float(np.mean(articles)),
        "macro_f": float(np.mean([np.mean(list(scores.values())) for scores in by_site])),
    }
