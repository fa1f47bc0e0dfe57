"""Pages from which some are chosen to annotate, and others to test on: real ones and those of generated sites."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from zlib import crc32

import numpy as np

from broadsheet.base.counters import Counters
from broadsheet.base.records import Label
from broadsheet.corpora.annotation.piece_learner import PoolPage, Truth
from broadsheet.corpora.page_scoring import Truth as PageTruth
from broadsheet.experiments._generated import AT, generated_page
from broadsheet.newsweb.web import NewsWeb
from broadsheet.training.labelled_documents import LabelledDocument, labelled_documents

#: The most pages to choose from, and to test on, in a division.
MOST = 200
#: A site with fewer pages is not in the pool of sites with several; hosts of many sites have nothing in common.
MIN_OF_A_SITE = 4
HOSTS = frozenset({"blogspot.com"})
#: The generated archive: fixed, so that its pages are always the same. The first site has most pages, the others fewer.
SEED, SITES, DAYS, MAX_OF_A_SITE = 5, 24, 10, 80


@dataclass(frozen=True, slots=True, eq=False)
class KnownPage:
    """A page, its site, and which of its pieces are body."""

    site: str
    page: PoolPage
    truth: Truth

    @classmethod
    def of(cls, labelled: LabelledDocument) -> "KnownPage":
        """Measure a page."""
        return cls(labelled.site, PoolPage.of(labelled.document), labelled.labels == Label.BODY)


@dataclass(frozen=True, slots=True, eq=False)
class AnnotationPool:
    """Pages that are divided again and again into those to choose from and those to test on."""

    name: str
    pages: Sequence[KnownPage]

    def divide(self, order: int) -> tuple[list[KnownPage], list[KnownPage]]:
        """Return the pages to choose from, in a random order, and those to test on."""
        numbers = np.random.default_rng(order).permutation(len(self.pages)).tolist()
        tested = min(MOST, len(numbers) // 2)
        shuffled = [self.pages[number] for number in numbers]
        return shuffled[tested : tested + MOST], shuffled[:tested]


def annotation_pools(data: Path, counters: Counters) -> list[AnnotationPool]:
    """Return the pages of sites that the way of choosing was not chosen on, and those of a generated archive."""
    documents = [
        *labelled_documents(data, "train", counters, titled=False, is_used=_is_judged),
        *labelled_documents(data, "dev", counters, titled=False),
    ]
    pages = [KnownPage.of(document) for document in documents]
    titled = [page for page, document in zip(pages, documents, strict=True) if Label.TITLE in document.labels]
    often = Counter(page.site for page in pages)
    several = [page for page in pages if often[page.site] >= MIN_OF_A_SITE and page.site not in HOSTS]
    return [
        AnnotationPool("one page of each site", _first_of_each_site(pages)),
        # Corpora that label titles have newer pages, which are more alike.
        AnnotationPool("titled page of each site", _first_of_each_site(titled)),
        AnnotationPool("several pages of each site", several),
        AnnotationPool("generated archive", list(generated_archive())),
    ]


def _first_of_each_site(pages: Sequence[KnownPage]) -> list[KnownPage]:
    return list({page.site: page for page in reversed(pages)}.values())


def generated_archive(sites: int = SITES) -> Iterator[KnownPage]:
    """Yield the articles of an archive with few large and many small sources."""
    web = NewsWeb(SEED, sites)
    for number, site in enumerate(web.sites):
        size = max(MAX_OF_A_SITE // (number + 1), MIN_OF_A_SITE)
        for index, article in enumerate(web.articles(AT - timedelta(days=DAYS), AT, site=site, newest=size)):
            truth = PageTruth.from_page(generated_page(web, site, article, index))
            yield KnownPage.of(LabelledDocument(truth.document, truth.labelled.labels, site.host))


def _is_judged(site: str) -> bool:
    """Tell whether a train site is of the half that the way of choosing was not chosen on."""
    return crc32(site.encode()) % 2 == 1
