"""Labelled pages that the shipped readers have not learned from: of dev sites, and of other kinds than articles."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from broadsheet.base.counters import Counters
from broadsheet.corpora.corpus_errors import Unusable
from broadsheet.corpora.corpus_folder import find_corpora
from broadsheet.corpora.corrected_labels import corrected_labels
from broadsheet.corpora.evaluation import read_pages
from broadsheet.corpora.labelled_page import PageLabels
from broadsheet.corpora.page_scoring import Truth
from broadsheet.corpora.site_splits import shuffled
from broadsheet.experiments.annotation_study.adapted_reader import Annotated
from broadsheet.training.labelled_documents import MIN_COVERAGE, MIN_PURITY, LabelledDocument

#: A site or kind with fewer pages is not used.
MIN_GROUP_PAGES = 8
#: Hosts of many sites, which have nothing in common.
_HOSTS = frozenset({"blogspot.com"})
#: Kinds of pages that neither reader has learned from, on any site.
_KINDS = {"other": "products, documentation, forums", "section": "lists"}


@dataclass(frozen=True, slots=True)
class PageGroup:
    """Pages of one site, or of one kind from many sites."""

    name: str
    is_kind: bool
    pages: tuple[PageLabels, ...]

    def order(self, seed: int) -> list[PageLabels]:
        """Return the pages in a random order: of a kind, one page of each site."""
        order = shuffled(self.pages, lambda page: page.id, seed)
        return list({page.site: page for page in order}.values()) if self.is_kind else order


def page_groups(rows: Iterable[PageLabels]) -> list[PageGroup]:
    """Return the sites and kinds with enough pages that the shipped readers have not learned from."""
    unseen = [
        row
        for row in rows
        if row.gold.body and row.gold.trust in {"full", "silver"} and (row.split == "dev" or row.kind in _KINDS)
    ]
    often = Counter(row.site for row in unseen)
    sites = sorted(site for site, number in often.items() if number >= MIN_GROUP_PAGES and site not in _HOSTS)
    groups = [PageGroup(site, False, tuple(row for row in unseen if row.site == site)) for site in sites]
    for kind, name in _KINDS.items():
        own = tuple(row for row in unseen if row.kind == kind)
        if len({row.site for row in own}) >= MIN_GROUP_PAGES:
            groups.append(PageGroup(name, True, own))
    return groups


class UnseenPages:
    """The corpora of a folder, of which groups of pages are read."""

    def __init__(self, folder: Path, counters: Counters) -> None:
        """Find the corpora; `counters` count what is left out."""
        self._corpora, self._counters = find_corpora([folder]), counters

    def groups(self) -> list[PageGroup]:
        """Return the groups of all corpora."""
        return page_groups(corrected_labels(self._corpora))

    def read(self, wanted: Sequence[PageLabels]) -> list[Annotated]:
        """Return the pages whose labelled body is found in them, in the given order; others are counted."""
        found = {}
        for page in read_pages(self._corpora, wanted, self._counters):
            try:
                truth = Truth.from_page(page)
            except Unusable as reason:
                self._counters.count("left out", str(reason))
                continue
            body = truth.labelled.body
            if body.coverage >= MIN_COVERAGE and body.purity >= MIN_PURITY:
                found[page.labels.id] = LabelledDocument(truth.document, truth.labelled.labels, page.labels.site)
            else:
                self._counters.count("left out", "too little of the labelled body is in the page, or too much else")
        return [(row, found[row.id]) for row in wanted if row.id in found]
