"""Classify a page by its URL and the text of a link to it, before anything is fetched."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.records import KINDS, Kind, Verdict
from broadsheet.models.model_files import load
from broadsheet.models.trees import TreeEnsemble
from broadsheet.pages._url_reasons import reasons
from broadsheet.pages.address import split
from broadsheet.pages.url_features import FEATURES, MAX_URL, Rows, measure_addresses

#: The probability that a picture, feed or document is neither article nor section: none of the labelled ones was.
SURE = 0.99

_OTHER = KINDS.index("other")
_OTHER_SCHEME = re.compile(r"\s*(?!https?:)[a-z][a-z0-9+-]*:", re.IGNORECASE).match
_NOT_A_PAGE = "not the address of a page"
_FILE = "the address of a file"


@dataclass(frozen=True, slots=True, eq=False)
class UrlVerdicts:
    """Verdicts on many URLs, as columns; reasons are computed on demand."""

    #: Per row and kind, in the order of `KINDS`.
    probabilities: NDArray[np.float64]
    #: The kind of each row, as its index in `KINDS`.
    kind: NDArray[np.intp]
    model: TreeEnsemble
    rows: Rows
    #: The reason for each row that a rule decided, else None.
    settled: Sequence[str | None]

    def __len__(self) -> int:
        """Return the number of URLs."""
        return len(self.kind)

    def verdict(self, row: int) -> Verdict:
        """Return the verdict on one URL, with its reasons."""
        probabilities = self.probabilities[row]
        kind: Kind = KINDS[self.kind[row]]
        settled = self.settled[row]
        return Verdict(
            kind,
            None,
            float(probabilities[self.kind[row]]),
            dict(zip(KINDS, probabilities.tolist(), strict=True)),
            self._reasons(row) if settled is None else (settled,),
            self.model.card.label,
        )

    def _reasons(self, row: int) -> tuple[str, ...]:
        contributions = self.model.contributions(self.rows[row : row + 1])[0]
        kind, runner_up = np.argsort(-self.probabilities[row], kind="stable")[:2]
        return reasons(self.rows[row], contributions[kind] - contributions[runner_up])


def identify_url(url: str, anchor: str | None = None) -> Verdict:
    """Classify the page behind a URL as an article, a section or something else.

    `anchor` is the text of the link; without it, the URL alone is judged. The URL's scheme may be missing.
    """
    return identify_urls([url], [anchor]).verdict(0)


def identify_urls(
    urls: Sequence[str], anchors: Sequence[str | None] | None = None, model: TreeEnsemble | None = None
) -> UrlVerdicts:
    """Classify many URLs at once, such as all links of a page."""
    if anchors is not None and len(anchors) != len(urls):
        raise ValueError(f"got {len(urls)} URLs but {len(anchors)} anchors; pass one anchor (or None) per URL")
    trees = model or url_model()
    addresses = [split(url[:MAX_URL]) for url in urls]
    rows = measure_addresses(addresses, anchors)
    probabilities = trees.probabilities(rows)
    settled = [
        _NOT_A_PAGE if not address.host or _OTHER_SCHEME(url) else _FILE if address.extension == "file" else None
        for url, address in zip(urls, addresses, strict=True)
    ]
    sure = np.full(len(KINDS), (1 - SURE) / (len(KINDS) - 1))
    sure[_OTHER] = SURE
    probabilities[[reason is not None for reason in settled]] = sure
    return UrlVerdicts(probabilities, probabilities.argmax(axis=1), trees, rows, settled)


@cache
def url_model() -> TreeEnsemble:
    """Return the model shipped with Broadsheet."""
    model = load(Path(__file__).parent / "data" / "url.npz")
    if model.card.features != FEATURES or model.card.classes != KINDS:
        raise AssertionError(f"{model.card.label} was trained on other features than this version computes")
    return model
