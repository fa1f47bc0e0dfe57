"""The URL model: its examples, their weights, and its hyperparameters."""

from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier

from broadsheet.base.records import KINDS
from broadsheet.models.card import Card
from broadsheet.models.trees import TreeEnsemble
from broadsheet.pages.url_features import FEATURES, measure
from broadsheet.training._boosting import fit_weighted
from broadsheet.training._conversion import of_boosting
from broadsheet.training._labelled_addresses import LabelledAddress

VERSION = 2

#: The weight of labelled pages relative to followed sites, whose URLs are what the model is for.
PAGES_SHARE = 0.3

#: 0 keeps the frequencies of the kinds, 1 gives them equal weight.
BALANCE = 0.8

#: The weight of a URL without an anchor text, relative to the same URL with one. More would teach the model to rely on
#: the URL where both say the same, and it would misjudge sites whose sections have URLs like those of articles.
BARE_WEIGHT = 0.1

#: The weight of a site that was saved on a few days: its labels come from rules over addresses, so that they teach too
#: much trust in addresses.
BRIEF_WEIGHT = 0.3

_SETTINGS = {
    "max_iter": 60,
    "learning_rate": 0.1,
    "max_leaf_nodes": 12,
    "min_samples_leaf": 20,
    "l2_regularization": 1.0,
    "max_bins": 63,
}


@dataclass(frozen=True, slots=True, eq=False)
class AddressExamples:
    """URLs to learn from, which of them come from followed sites, and their features, measured once for all models."""

    addresses: Sequence[LabelledAddress]
    followed: Sequence[bool]
    #: A row for each anchor text of a URL, and one for the URL alone.
    features: NDArray[np.float32]
    #: The position of each row's URL, and the row's weight relative to the others of that URL.
    owners: NDArray[np.intp]
    shares: NDArray[np.float64]

    @classmethod
    def of(cls, followed: Sequence[LabelledAddress], pages: Sequence[LabelledAddress]) -> "AddressExamples":
        """Combine both sources."""
        addresses = [*followed, *pages]
        anchors: list[list[str | None]] = [[*_texts(address), None] for address in addresses]
        counts = [len(texts) for texts in anchors]
        urls = [address.url for address, count in zip(addresses, counts, strict=True) for _ in range(count)]
        return cls(
            addresses,
            [True] * len(followed) + [False] * len(pages),
            measure(urls, [text for texts in anchors for text in texts]),
            np.repeat(np.arange(len(addresses)), counts),
            np.array([share for count in counts for share in (*[1.0] * (count - 1), BARE_WEIGHT)]),
        )

    def without(self, publishers: Container[str]) -> "AddressExamples":
        """Return the examples of all other publishers."""
        kept = np.array([address.publisher not in publishers for address in self.addresses], np.bool_)
        rows = kept[self.owners]
        return AddressExamples(
            [address for address, is_kept in zip(self.addresses, kept, strict=True) if is_kept],
            [is_followed for is_followed, is_kept in zip(self.followed, kept, strict=True) if is_kept],
            self.features[rows],
            (np.cumsum(kept) - 1)[self.owners[rows]],
            self.shares[rows],
        )


def fit(examples: AddressExamples, temperature: float = 1.0, training: str = "") -> TreeEnsemble:
    """Train the model; the same examples give the same model."""
    owners, shares = examples.owners, examples.shares
    kinds = np.array([KINDS.index(address.kind) for address in examples.addresses], np.intp)[owners]
    weights = _weights(examples)[owners] * shares / np.bincount(owners, shares)[owners]
    estimator = HistGradientBoostingClassifier(**_SETTINGS, early_stopping=False, random_state=0)
    fit_weighted(estimator, examples.features, kinds, weights * len(weights))
    card = Card(name="url", version=VERSION, features=FEATURES, classes=KINDS, training=training)
    return of_boosting(estimator, card, temperature)


def _texts(address: LabelledAddress) -> list[str]:
    """Return the most frequent anchor text, which comes first, and the longest one, which a crawler takes."""
    return list(dict.fromkeys((address.anchors[0], max(address.anchors, key=len)))) if address.anchors else []


def _weights(examples: AddressExamples) -> NDArray[np.float64]:
    """Return weights that sum to 1: sites by the square root of their size, pages by their share, kinds balanced."""
    sizes = Counter(address.site for address in examples.addresses)
    followed = np.array(examples.followed)
    weights = np.array([sizes[address.site] ** -0.5 for address in examples.addresses])
    weights[[address.brief for address in examples.addresses]] *= BRIEF_WEIGHT
    weights[~followed] = 1.0
    for rows, share in ((followed, 1.0), (~followed, PAGES_SHARE)):
        weights[rows] *= share / max(weights[rows].sum(), 1e-9)
    kinds = np.array([KINDS.index(address.kind) for address in examples.addresses])
    shares = np.bincount(kinds, weights, len(KINDS))
    even = (shares.mean() / np.maximum(shares, 1e-9)) ** BALANCE
    weights *= even[kinds]
    normalised: NDArray[np.float64] = weights / weights.sum()
    return normalised
