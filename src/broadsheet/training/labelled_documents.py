"""The labelled pages that the memory reader learns from, and is measured on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.counters import Counters
from broadsheet.base.records import Label
from broadsheet.corpora.corpus_errors import Unusable
from broadsheet.corpora.corpus_folder import find_corpora
from broadsheet.corpora.evaluation import CorpusSelection, read_pages
from broadsheet.corpora.labelled_page import Split
from broadsheet.corpora.page_scoring import Truth
from broadsheet.document import Document

#: The share of the labelled body that has to be found in the page, and of the found text that has to belong to it.
MIN_COVERAGE, MIN_PURITY = 0.8, 0.8


@dataclass(frozen=True, slots=True, eq=False)
class LabelledDocument:
    """A page, the labels of its pieces, and its site, if it is known."""

    document: Document
    labels: NDArray[np.int8]
    site: str = ""


def labelled_documents(
    data: Path, split: Split, counters: Counters, *, titled: bool = True, is_used: Callable[[str], bool] = bool
) -> list[LabelledDocument]:
    """Return all pages whose labelled title and body are found in them; one of each site comes before a second of any.

    The first of them are of as many sites as possible, and of all corpora. With `titled` false, a labelled body is
    enough. `is_used` says which sites to take; by default all that have a name.
    """
    corpora = find_corpora([data / "pages"])
    rows = [
        row
        for row in CorpusSelection(split, "article", None, 0).choose(corpora, counters)
        if row.gold.body and not row.gold.disagrees and row.gold.trust in {"full", "silver"}
        if (row.gold.title or not titled) and is_used(row.site)
    ]
    found = []
    for page in read_pages(corpora, rows, counters):
        try:
            truth = Truth.from_page(page)
        except Unusable as reason:
            counters.count("left out", str(reason))
            continue
        body, labels = truth.labelled.body, truth.labelled.labels
        if body.coverage >= MIN_COVERAGE and body.purity >= MIN_PURITY and (Label.TITLE in labels or not titled):
            found.append((page.labels.id, LabelledDocument(truth.document, labels, page.labels.site)))
        else:
            counters.count("left out", "too little of the labelled title and body is in the page, or too much else")
    return _spread(found)


def _spread(found: Sequence[tuple[str, LabelledDocument]]) -> list[LabelledDocument]:
    seen: dict[str, int] = {}
    ranked = []
    for _, page in sorted(found, key=lambda pair: crc32(pair[0].encode())):
        seen[page.site] = seen.get(page.site, 0) + 1
        ranked.append((seen[page.site], page))
    return [page for _, page in sorted(ranked, key=lambda pair: pair[0])]
