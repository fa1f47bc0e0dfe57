"""Labelled pages as rows of features.

Most pages have a kind from their corpus. Some without one were labelled by hand in two passes (see the annotation
guide); those labels are in `data/page-kinds.jsonl`, without the pages.
"""

import json
import tarfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.counters import Counters
from broadsheet.base.errors import LimitError
from broadsheet.base.records import KINDS
from broadsheet.corpora.corpus_folder import Corpus, find_corpora
from broadsheet.corpora.evaluation import read_pages
from broadsheet.corpora.labelled_page import PageLabels
from broadsheet.corpora.site_splits import sample
from broadsheet.document import parse
from broadsheet.pages.page_features import FEATURES, Row, measure

#: Cap per site and kind, so that one site does not dominate a kind.
MAX_PER_SITE = 20

_LABELS = "labels.jsonl"
_BY_HAND = Path(__file__).parent / "data" / "page-kinds.jsonl"


@dataclass(frozen=True, slots=True)
class HandLabel:
    """A hand label: the agreed kind and subtype, the label of each pass, and whether the site is a news site."""

    id: str
    kind: str
    subtype: str | None
    #: Whether both passes were sure and agreed.
    sure: bool
    news_site: bool
    first: str
    second: str


@cache
def labelled_by_hand() -> dict[str, HandLabel]:
    """Return the hand labels by page id."""
    rows = (HandLabel(**json.loads(line)) for line in _BY_HAND.read_text("utf-8").splitlines())
    return {label.id: label for label in rows}


@dataclass(frozen=True, slots=True, eq=False)
class PageExamples:
    """Pages in columns: features, kind as its index in `KINDS`, whether the site is a news site, and labels."""

    rows: NDArray[np.float32]
    truth: NDArray[np.intp]
    news: NDArray[np.bool_]
    labels: tuple[PageLabels, ...]

    def __len__(self) -> int:
        """Return the number of pages."""
        return len(self.truth)

    def where(self, mask: NDArray[np.bool_]) -> "PageExamples":
        """Select some of the pages."""
        chosen = tuple(labels for labels, wanted in zip(self.labels, mask.tolist(), strict=True) if wanted)
        return PageExamples(self.rows[mask], self.truth[mask], self.news[mask], chosen)


def examples(pages: Path, counters: Counters, most_articles: int | None = None) -> PageExamples:
    """Measure the pages with a labelled kind, up to a cap per site and kind, and at most `most_articles` articles."""
    corpora = find_corpora([pages])
    chosen = _choose(corpora, most_articles)
    sites = news_sites(corpora)
    # Sorted, so that random draws do not depend on the order of files on disk.
    measured = sorted(_measure_pages(corpora, chosen, counters), key=lambda page: page[0].id)
    rows = np.array([row for _, row in measured], np.float32).reshape(len(measured), len(FEATURES))
    labels = tuple(labels for labels, _ in measured)
    return PageExamples(
        rows,
        np.array([KINDS.index(page.kind) for page in labels], np.intp),
        np.array([page.site in sites for page in labels], np.bool_),
        labels,
    )


def news_sites(corpora: Iterable[Corpus]) -> frozenset[str]:
    """Return the news sites according to the corpora or the hand labels."""
    sites = set()
    for corpus in corpora:
        for line in _label_lines(corpus.path):
            row = json.loads(line)
            labels = PageLabels.from_row(corpus.name, row)
            by_hand = labelled_by_hand().get(labels.id)
            if row.get("news_site") or (by_hand and by_hand.news_site):
                sites.add(labels.site)
    return frozenset(sites)


def known_kinds(corpora: Iterable[Corpus]) -> list[PageLabels]:
    """Return the labels of all pages whose kind is known, from the corpus or by hand."""
    labelled = [labels for corpus in corpora for labels in corpus.labels()]
    by_hand = labelled_by_hand()
    known = [
        replace(labels, kind=by_hand[labels.id].kind) if labels.kind == "unknown" and labels.id in by_hand else labels
        for labels in labelled
    ]
    return [labels for labels in known if labels.kind in KINDS]


def _choose(corpora: Sequence[Corpus], most_articles: int | None) -> list[PageLabels]:
    known = known_kinds(corpora)
    counted: Counter[tuple[str, str]] = Counter()
    chosen = []
    # In random order, so that all corpora of a site have the same chance under its cap.
    for labels in sample(known, len(known)):
        counted[labels.site, labels.kind] += 1
        counted["", labels.kind] += 1
        too_many = labels.kind == "article" and most_articles is not None and counted["", "article"] > most_articles
        if counted[labels.site, labels.kind] <= MAX_PER_SITE and not too_many:
            chosen.append(labels)
    return chosen


def _measure_pages(
    corpora: Sequence[Corpus], chosen: Sequence[PageLabels], counters: Counters
) -> Iterator[tuple[PageLabels, Row]]:
    known = {labels.id: labels for labels in chosen}
    for page in read_pages(corpora, chosen, counters):
        labels = known[page.labels.id]
        try:
            document = parse(page.html, address_of(labels), encoding="utf-8")
        except LimitError as error:
            counters.count("left out", type(error).__name__)
            continue
        yield labels, measure(document)


def address_of(labels: PageLabels) -> str | None:
    """Return a page's URL, or None if the corpus gives an article only the URL of its site."""
    parts = urlsplit(labels.url or "")
    is_site = not parts.path.strip("/") and not parts.query
    return None if is_site and labels.kind == "article" else labels.url


def _label_lines(path: Path) -> list[bytes]:
    """Return the lines of a corpus's label file, which comes first in a packed corpus."""
    if path.is_dir():
        return (path / _LABELS).read_bytes().splitlines()
    with tarfile.open(path, "r|xz") as members:
        for member in members:
            file = members.extractfile(member) if PurePosixPath(member.name).name == _LABELS else None
            if file:
                return file.read().splitlines()
    return []
