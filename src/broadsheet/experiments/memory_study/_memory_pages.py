"""The pages of the experiments of memory-based learning: every element described and tagged, grouped by domain."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from hashlib import sha256
from itertools import chain, islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.records import Label
from broadsheet.corpora.corpus_errors import Unusable
from broadsheet.corpora.corpus_folder import find_corpora
from broadsheet.corpora.evaluation import CorpusSelection, read_pages
from broadsheet.corpora.labelled_page import SPLITS, LabelledPage, PageLabels
from broadsheet.corpora.page_scoring import Truth
from broadsheet.document.columns import Ints
from broadsheet.experiments._generated import AT, generated_page
from broadsheet.experiments.experiment import Context
from broadsheet.newsweb.drawn_sites import draw_sites
from broadsheet.newsweb.site import Site
from broadsheet.newsweb.web import NewsWeb
from broadsheet.reading.double_tags import DOUBLE_TAGS, join_tags, slot_labels
from broadsheet.reading.element_features import element_features

#: A domain is used if it has at least this many pages, and at most the second number of them are.
MIN_PAGES, MAX_PAGES = 4, 30
#: In the experiment with many settings, so many pages of each domain are labelled.
TESTED_PAGES = 1
#: The share of the labelled body that has to be found in the page, and of the found text that has to belong to it.
MIN_COVERAGE, MIN_PURITY = 0.8, 0.8

#: The generated domains, drawn to be like real ones: fixed, so that the pages are always the same.
SEED, DOMAINS, PAGES_OF_A_DOMAIN, DAYS = 4, 8, 40, 30


@dataclass(frozen=True, slots=True, eq=False)
class TaggedPage:
    """The elements of one page: their features and the codes of their double tags."""

    name: str
    domain: str
    features: Ints
    tags: Ints


@dataclass(frozen=True, slots=True, eq=False)
class TaggedPages:
    """Pages of several domains, one after the other, and the page and domain of every element."""

    origin: str
    pages: tuple[TaggedPage, ...]

    @property
    def features(self) -> Ints:
        """The features of all elements."""
        return np.concatenate([page.features for page in self.pages])

    @property
    def tags(self) -> Ints:
        """The codes of the double tags of all elements."""
        return np.concatenate([page.tags for page in self.pages])

    @property
    def page_of(self) -> Ints:
        """The number of the page of every element."""
        return np.repeat(np.arange(len(self.pages), dtype=np.int32), [len(page.tags) for page in self.pages])

    @property
    def domains(self) -> tuple[str, ...]:
        """The domains, in the order of their first pages."""
        return tuple(dict.fromkeys(page.domain for page in self.pages))

    @property
    def domain_of(self) -> Ints:
        """The number of the domain of every element."""
        numbers = {domain: number for number, domain in enumerate(self.domains)}
        return np.array([numbers[page.domain] for page in self.pages], np.int32)[self.page_of]

    def tested(self, most: int) -> NDArray[np.bool_]:
        """Return which elements are on one of the first pages of their domain, as many as given."""
        seen: dict[str, int] = defaultdict(int)
        chosen = []
        for page in self.pages:
            seen[page.domain] += 1
            chosen.append(seen[page.domain] <= most)
        return np.array(chosen, np.bool_)[self.page_of]

    def digest(self) -> str:
        """Return a short name for exactly these pages, elements and tags."""
        content = sha256()
        for page in self.pages:
            content.update(page.name.encode() + page.features.tobytes() + page.tags.tobytes())
        return content.hexdigest()[:12]

    def of_domain(self, domain: str) -> "TaggedPages":
        """Return the pages of one domain."""
        return replace(self, pages=tuple(page for page in self.pages if page.domain == domain))

    def select(self, numbers: Iterable[int]) -> "TaggedPages":
        """Return some of the pages."""
        return replace(self, pages=tuple(self.pages[number] for number in numbers))


def collections(context: Context) -> list[TaggedPages]:
    """Return the real pages, if a folder was given, and the generated ones."""
    found = [generated_pages(context)]
    if context.pages is None:
        context.say("no --pages given: using generated domains alone, so the figures say little about real pages")
        return found
    return [real_pages(context, context.pages), *found]


def real_pages(context: Context, folder: Path) -> TaggedPages:
    """Return the pages of all domains with enough labelled articles; what is left out is counted."""
    corpora = find_corpora([folder])
    rows = [
        labels
        for split in SPLITS
        for labels in CorpusSelection(split, "article", None, 0).choose(corpora, context.counters)
        if labels.gold.title and labels.gold.body and not labels.gold.disagrees
    ]
    chosen = _with_enough(rows)
    if context.sample is not None:
        chosen = chosen[: context.sample]
    tagged = [page for page in _tagged(context, chosen, read_pages(corpora, chosen, context.counters)) if page]
    counts: dict[str, list[TaggedPage]] = defaultdict(list)
    for page in tagged:
        counts[page.domain].append(page)
    kept = [page for pages in counts.values() for page in pages if len(pages) >= MIN_PAGES]
    return TaggedPages("real pages", tuple(kept))


def generated_pages(context: Context) -> TaggedPages:
    """Return as many pages of every generated domain, whose truth is known, headings included."""
    web = NewsWeb(SEED, draw_sites(SEED, DOMAINS))
    size = PAGES_OF_A_DOMAIN if context.sample is None else min(PAGES_OF_A_DOMAIN, context.sample)
    chosen = (islice(_generated(context, web, site), size) for site in context.track(web.sites))
    return TaggedPages("generated pages", tuple(chain.from_iterable(chosen)))


def _generated(context: Context, web: NewsWeb, site: Site) -> Iterator[TaggedPage]:
    """Yield the pages of a site from the newest back, without those that hold too little of their article."""
    ends = (AT - timedelta(days=day) for day in range(DAYS))
    articles = (
        article for end in ends for article in reversed(web.articles(end - timedelta(days=1), end, at=AT, site=site))
    )
    for index, article in enumerate(articles):
        page = tag_page(generated_page(web, site, article, index), partial(context.counters.count, "left out"))
        if page:
            yield page


def _with_enough(rows: Sequence[PageLabels]) -> list[PageLabels]:
    by_site: dict[str, list[PageLabels]] = defaultdict(list)
    for labels in sorted(rows, key=lambda labels: labels.id):
        by_site[labels.site].append(labels)
    return [
        labels for site in sorted(by_site) if len(by_site[site]) >= MIN_PAGES for labels in by_site[site][:MAX_PAGES]
    ]


def _tagged(context: Context, chosen: Sequence[object], pages: Iterator[LabelledPage]) -> Iterator[TaggedPage | None]:
    for _, page in zip(context.track(chosen), pages, strict=False):
        yield tag_page(page, partial(context.counters.count, "left out"))


def tag_page(page: LabelledPage, count: "partial[None]") -> TaggedPage | None:
    """Describe and tag the elements of a page; None, and a count, if its labels are not found in it."""
    try:
        truth = Truth.from_page(page)
    except Unusable as error:
        count(str(error))
        return None
    document, labelled = truth.document, truth.labelled
    if labelled.body.coverage < MIN_COVERAGE or labelled.body.purity < MIN_PURITY:
        count("too little of the labelled body is in the page")
        return None
    if Label.TITLE not in labelled.labels:
        count("the labelled title is not in the page")
        return None
    elements = element_features(document)
    tags = join_tags(slot_labels(document, elements.nodes, labelled.labels)).astype(np.int32)
    return TaggedPage(page.labels.id, page.labels.site, elements.values, tags)


CLASS_COUNT = len(DOUBLE_TAGS)
