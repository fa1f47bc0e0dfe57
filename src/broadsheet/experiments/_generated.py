"""Generated labelled pages: articles of the simulated news web, whose text is known."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from broadsheet.corpora.labelled_page import Gold, LabelledPage, PageLabels, Split
from broadsheet.newsweb.site import Site
from broadsheet.newsweb.truth import ArticleTruth
from broadsheet.newsweb.web import NewsWeb

ORIGIN = "pages of the simulated news web"

#: Fixed, so that the pages are always the same.
SEED = 2
SITES = 8
DAYS = 5
ARTICLES_OF_A_SITE = 12
AT = datetime(2026, 3, 2, 12, tzinfo=UTC)

_CORPUS = "newsweb"


def generate() -> Iterator[LabelledPage]:
    """Yield the pages; every other site belongs to the training split."""
    web = NewsWeb(SEED, SITES)
    for number, site in enumerate(web.sites):
        articles = web.articles(AT - timedelta(days=DAYS), AT, site=site, newest=ARTICLES_OF_A_SITE)
        for index, article in enumerate(articles):
            yield generated_page(web, site, article, index, "dev" if number % 2 else "train")


def generated_page(
    web: NewsWeb, site: Site, article: ArticleTruth, index: int, split: Split | None = None
) -> LabelledPage:
    """Return the page of one article of a site, with its labels."""
    labels = PageLabels(
        name=f"{site.slug}-{index}",
        corpus=_CORPUS,
        site=site.host,
        split=split,
        language=article.language,
        kind="article",
        url=article.url,
        gold=_gold(article),
    )
    # The pages of a corpus are UTF-8, whatever the charset of the site.
    return LabelledPage(labels, web.fetch(article.url, AT).body.decode(site.charset).encode())


def _gold(article: ArticleTruth) -> Gold:
    half = (len(article.paragraphs) + 1) // 2
    paragraphs = (article.standfirst, *article.paragraphs[:half], article.crosshead, *article.paragraphs[half:])
    return Gold(
        body="\n\n".join(paragraph for paragraph in paragraphs if paragraph),
        title=article.title,
        date=article.published.date().isoformat(),
        authors=article.authors,
        headings=(article.crosshead,) if article.crosshead else None,
        trust="full",
    )
