"""Labelled pages as rows of features.

Most pages have a kind from their corpus. Some without one were labelled by hand in two passes (see the annotation
guide); those labels are in `data/page-kinds.jsonl`, without the pages. Kinds that are wrong by the guide are corrected
(`corpora/kind_errata.py`), unless the pages are wanted as they are labelled.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.counters import Counters
from broadsheet.base.errors import LimitError
from broadsheet.base.records import KINDS
from broadsheet.corpora.corpus_folder import Corpus, find_corpora
from broadsheet.corpora.evaluation import read_pages
from broadsheet.corpora.kind_errata import with_corrected_kind
from broadsheet.corpora.labelled_page import PageLabels
from broadsheet.corpora.site_splits import sample
from broadsheet.document import parse
from broadsheet.pages.page_features import FEATURES, Row, measure
from broadsheet.reading.lines.page_terms import terms_of
from broadsheet.training._followed_pages import FOLLOWED, followed_pages, is_root

#: Cap per site and kind, so that one site does not dominate a kind.
MAX_PER_SITE = 20
#: A corpus of pages that news led to. It calls all its sites news sites, but many are shops, forums and institutions.
CARRIED_NEWS = "metahtml"

_BY_HAND = Path(__file__).parent / "data" / "page-kinds.jsonl"

#: A page's labels, its bytes, and their encoding if it is known.
_EncodedPage = tuple[PageLabels, bytes, str | None]


@dataclass(frozen=True, slots=True)
class HandLabel:
    """A hand label: the agreed kind and subtype, the label of each pass, and whether the site is a news site."""

    id: str
    kind: str
    subtype: str | None
    #: Whether both passes were sure and agreed.
    sure: bool
    #: None if it was not judged.
    news_site: bool | None
    first: str
    second: str


@cache
def labelled_by_hand() -> dict[str, HandLabel]:
    """Return the hand labels by page id."""
    rows = (HandLabel(**json.loads(line)) for line in _BY_HAND.read_text("utf-8").splitlines())
    return {label.id: label for label in rows}


@dataclass(frozen=True, slots=True, eq=False)
class PageExamples:
    """Pages in columns: features, terms, kind as its index in `KINDS`, whether the site is a news site, and labels."""

    rows: NDArray[np.float32]
    terms: tuple[frozenset[str], ...]
    truth: NDArray[np.intp]
    news: NDArray[np.bool_]
    labels: tuple[PageLabels, ...]

    def __len__(self) -> int:
        """Return the number of pages."""
        return len(self.truth)

    def where(self, mask: NDArray[np.bool_]) -> "PageExamples":
        """Select some of the pages."""
        chosen = mask.nonzero()[0].tolist()
        terms, labels = tuple(self.terms[page] for page in chosen), tuple(self.labels[page] for page in chosen)
        return PageExamples(self.rows[mask], terms, self.truth[mask], self.news[mask], labels)


def examples(data: Path, counters: Counters, *, as_labelled: bool = False) -> PageExamples:
    """Measure all pages with a known kind: those of the corpora, and those of the sites that were followed.

    The corpora are in `pages/` and, if it is there, in `more/metahtml.tar.xz`. Wrong kinds are corrected, unless the
    pages are wanted `as_labelled`.
    """
    more = data / "more" / f"{CARRIED_NEWS}.tar.xz"
    corpora = find_corpora([data / "pages", *([more] if more.exists() else [])])
    splits = {labels.site: labels.split for corpus in corpora for labels in corpus.labels() if labels.split}
    followed = ((page.labels, page.html, None) for page in followed_pages(data, splits, counters))
    chosen = _choose(known_kinds(corpora, as_labelled=as_labelled), None)
    pages = chain(_corpus_pages(corpora, chosen, counters), followed)
    return _measured(pages, news_sites(corpora), counters)


def corpus_examples(corpora: Sequence[Corpus], counters: Counters, most_articles: int | None = None) -> PageExamples:
    """Measure the pages of corpora with a known kind, up to a cap per site and kind, and at most so many articles."""
    pages = _corpus_pages(corpora, _choose(known_kinds(corpora), most_articles), counters)
    return _measured(pages, news_sites(corpora), counters)


def news_sites(corpora: Iterable[Corpus]) -> frozenset[str]:
    """Return the news sites according to the corpora or the hand labels."""
    by_hand = labelled_by_hand()
    return frozenset(
        labels.site
        for corpus in corpora
        if corpus.name != CARRIED_NEWS
        for labels in corpus.labels()
        if labels.news_site or (labels.id in by_hand and by_hand[labels.id].news_site)
    )


def known_kinds(corpora: Iterable[Corpus], *, as_labelled: bool = False) -> list[PageLabels]:
    """Return the labels of all pages whose kind is known, from the corpus or by hand, and wrong kinds corrected."""
    labelled = [labels for corpus in corpora for labels in corpus.labels()]
    by_hand = labelled_by_hand()
    known = [
        replace(labels, kind=by_hand[labels.id].kind) if labels.kind == "unknown" and labels.id in by_hand else labels
        for labels in labelled
    ]
    corrected = known if as_labelled else map(with_corrected_kind, known)
    return [labels for labels in corrected if labels.kind in KINDS]


def _choose(known: Sequence[PageLabels], most_articles: int | None) -> list[PageLabels]:
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


def _corpus_pages(
    corpora: Sequence[Corpus], chosen: Sequence[PageLabels], counters: Counters
) -> Iterator[_EncodedPage]:
    known = {labels.id: labels for labels in chosen}
    for page in read_pages(corpora, chosen, counters):
        yield known[page.labels.id], page.html, "utf-8"


def _measured(pages: Iterable[_EncodedPage], news: frozenset[str], counters: Counters) -> PageExamples:
    # Sorted, so that random draws do not depend on the order of files on disk.
    measured = sorted(_measure_pages(pages, counters), key=lambda page: page[0].id)
    rows = np.array([row for _, row, _ in measured], np.float32).reshape(len(measured), len(FEATURES))
    labels = tuple(labels for labels, _, _ in measured)
    return PageExamples(
        rows,
        tuple(terms for _, _, terms in measured),
        np.array([KINDS.index(page.kind) for page in labels], np.intp),
        np.array([page.site in news or page.corpus in FOLLOWED for page in labels], np.bool_),
        labels,
    )


def _measure_pages(
    pages: Iterable[_EncodedPage], counters: Counters
) -> Iterator[tuple[PageLabels, Row, frozenset[str]]]:
    # Most terms are on many pages, and need to be in memory only once.
    known: dict[str, str] = {}
    for labels, html, encoding in pages:
        try:
            document = parse(html, address_of(labels), encoding=encoding)
        except LimitError as error:
            counters.count("left out", type(error).__name__)
            continue
        terms = frozenset(known.setdefault(term, term) for term in terms_of(document))
        yield labels, measure(document), terms


def address_of(labels: PageLabels) -> str | None:
    """Return a page's URL, or None if the corpus gives an article only the URL of its site."""
    return None if is_root(labels.url) and labels.kind == "article" else labels.url
