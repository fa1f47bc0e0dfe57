"""The pages of the experiment: half of them articles, the others of all other kinds."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from broadsheet.base.counters import Counters
from broadsheet.base.records import KINDS
from broadsheet.corpora.corpus_folder import find_corpora
from broadsheet.corpora.evaluation import read_pages
from broadsheet.corpora.labelled_page import Gold, LabelledPage, PageLabels
from broadsheet.corpora.site_splits import sample
from broadsheet.experiments._generated import AT, ORIGIN, SEED, SITES
from broadsheet.experiments.experiment import Context
from broadsheet.newsweb.web import NewsWeb
from broadsheet.training.page_examples import news_sites

#: Pages per site and kind, so that no site dominates a kind.
MAX_OF_A_SITE = 20
#: Articles per site of the simulated news web.
ARTICLES_OF_A_SITE = 30

#: Subtypes that are not pages for readers.
_NOT_PAGES = frozenset({"robots", "feed", "sitemap"})


@dataclass(frozen=True, slots=True)
class PageSelection:
    """The chosen pages and a description of their origin."""

    pages: Sequence[LabelledPage]
    origin: str


def choose(context: Context) -> PageSelection:
    """Choose all non-article pages of news sites and as many articles; generated ones without corpora."""
    if context.pages is None:
        context.say(f"no --pages given: using {ORIGIN}, so the figures say little about real pages")
        return PageSelection(list(_balanced_pages(list(_generated()), context.sample)), ORIGIN)
    corpora = find_corpora([context.pages])
    news = news_sites(corpora)
    known = [labels for corpus in corpora for labels in corpus.labels() if labels.kind in KINDS and labels.site in news]
    chosen = balanced(known, context.sample)
    return PageSelection(list(read_pages(corpora, chosen, context.counters)), "labelled pages of real news sites")


def balanced(known: Sequence[PageLabels], size: int | None) -> list[PageLabels]:
    """Return as many articles as other pages, at most `size` in all and few of any one site."""
    counted: Counter[tuple[str, str]] = Counter()
    halves: dict[bool, list[PageLabels]] = {True: [], False: []}
    for labels in sample(known, len(known)):
        counted[labels.site, labels.kind] += 1
        if counted[labels.site, labels.kind] <= MAX_OF_A_SITE:
            halves[labels.kind == "article"].append(labels)
    half = min(*map(len, halves.values()), (size or len(known)) // 2)
    return [*halves[True][:half], *halves[False][:half]]


def _balanced_pages(pages: Sequence[LabelledPage], size: int | None) -> Iterator[LabelledPage]:
    by_name = {page.labels.id: page for page in pages}
    return (by_name[labels.id] for labels in balanced([page.labels for page in pages], size))


def _generated() -> Iterator[LabelledPage]:
    """Yield the articles, sections and other pages of the simulated news web."""
    web = NewsWeb(SEED, SITES)
    for site in web.sites:
        others = [(truth.url, truth.kind) for truth in web.permanent_pages(site, AT) if truth.subtype not in _NOT_PAGES]
        newest = web.articles(AT.replace(month=2), AT, site=site, newest=ARTICLES_OF_A_SITE)
        for number, (url, kind) in enumerate([*others, *((truth.url, "article") for truth in newest)]):
            labels = PageLabels(
                name=f"{site.slug}-{number}",
                corpus="newsweb",
                site=site.host,
                split=None,
                language=None,
                kind=kind,
                url=url,
                gold=Gold(),
            )
            yield LabelledPage(labels, web.fetch(url, AT).body.decode(site.charset).encode())


def count_kinds(pages: Sequence[LabelledPage], counters: Counters) -> None:
    """Count the pages by kind."""
    for page in pages:
        counters.count("pages", page.labels.kind)
