"""Evaluation of URL identification on publishers that the model has not seen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.records import KINDS
from broadsheet.learning.confusion import Counts, confusion, f_by_kind
from broadsheet.models.trees import Doubles
from broadsheet.pages.url_features import measure
from broadsheet.training._labelled_addresses import LabelledAddress
from broadsheet.training._url_model import AddressExamples, fit

#: Into how many parts the publishers that were followed briefly are divided; a model is trained without each.
FOLDS = 5


@dataclass(frozen=True, slots=True, eq=False)
class JudgedAddresses:
    """URLs with their scores, each from a model that had not seen the publisher."""

    addresses: Sequence[LabelledAddress]
    scores: Doubles

    @property
    def truth(self) -> NDArray[np.intp]:
        """The kind of each URL, as its index in `KINDS`."""
        return np.array([KINDS.index(address.kind) for address in self.addresses], np.intp)

    @property
    def site_weights(self) -> Doubles:
        """Weights that make every site count equally."""
        _, site, size = np.unique([address.site for address in self.addresses], return_inverse=True, return_counts=True)
        return 1 / size[site]

    def confusions(self) -> dict[str, Counts]:
        """Return one confusion matrix per site: true kinds by row, predicted kinds by column."""
        predicted, truth = self.scores.argmax(axis=1), self.truth
        rows: dict[str, list[int]] = {}
        for row, address in enumerate(self.addresses):
            rows.setdefault(address.site, []).append(row)
        return {site: confusion(truth[at], predicted[at], len(KINDS)) for site, at in rows.items()}


def judge_left_out(
    followed: Sequence[LabelledAddress],
    pages: Sequence[LabelledAddress],
    folds: int = FOLDS,
    *,
    one_by_one: bool = True,
) -> tuple[JudgedAddresses, JudgedAddresses]:
    """Judge each followed publisher's certain URLs with a model trained on others.

    They are judged with an anchor text, and by the URL alone. Publishers that were followed for long are left out one
    by one, the others in folds; unless they are to be left out `one_by_one`, all are left out in folds.
    """
    examples = AddressExamples.of(followed, pages)
    long = {address.publisher for address in followed if not address.brief}
    brief = sorted({address.publisher for address in followed} - long)
    alone, together = ([[publisher] for publisher in sorted(long)], []) if one_by_one else ([], sorted(long))
    parts = alone + [part for fold in range(folds) if (part := [*together[fold::folds], *brief[fold::folds]])]
    judged: list[LabelledAddress] = []
    with_anchors, bare = [], []
    for left_out in parts:
        held_out = [address for address in followed if address.publisher in left_out and address.certain]
        model = fit(examples.without(left_out))
        urls = [address.url for address in held_out]
        anchors = [address.anchors[0] if address.anchors else None for address in held_out]
        judged += held_out
        with_anchors.append(model.scores(measure(urls, anchors)))
        bare.append(model.scores(measure(urls)))
    return JudgedAddresses(judged, np.concatenate(with_anchors)), JudgedAddresses(judged, np.concatenate(bare))


def f_scores(counts: Counts) -> dict[str, float]:
    """Return F1 per kind, for the kinds that the site has."""
    there = counts.sum(axis=1) > 0
    return {kind: f for kind, f, is_there in zip(KINDS, f_by_kind(counts).tolist(), there, strict=True) if is_there}


def summary(confusions: Mapping[str, Counts]) -> dict[str, float]:
    """Return F1 of articles and macro F1, both averaged over sites."""
    by_site = [f_scores(counts) for counts in confusions.values()]
    articles = [scores["article"] for scores in by_site if "article" in scores]
    return {
        "article_f": float(np.mean(articles)),
        "macro_f": float(np.mean([np.mean(list(scores.values())) for scores in by_site])),
    }
