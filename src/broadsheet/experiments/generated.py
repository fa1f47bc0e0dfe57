"""Labelled pages that need no corpus: articles of the invented news web, whose text is known."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from broadsheet.corpora.labelled_page import Gold, LabelledPage, PageLabels
from broadsheet.newsweb.truth import ArticleTruth
from broadsheet.newsweb.web import NewsWeb

ORIGIN = "pages that the news web makes"

#: The same pages every time: the web of one seed, at one moment.
SEED = 2
SITES = 8
DAYS = 5
ARTICLES_OF_A_SITE = 12
AT = datetime(2026, 3, 2, 12, tzinfo=UTC)

_CORPUS = "newsweb"


def generate() -> Iterator[LabelledPage]:
    """Give the pages; every second site is one to tune on."""
    web = NewsWeb(SEED, SITES)
    for number, site in enumerate(web.sites):
        articles = web.articles(AT - timedelta(days=DAYS), AT, site=site)[-ARTICLES_OF_A_SITE:]
        for place, article in enumerate(articles):
            response = web.fetch(article.url, AT)
            labels = PageLabels(
                name=f"{site.slug}-{place}",
                corpus=_CORPUS,
                site=site.host,
                split="dev" if number % 2 else "train",
                language=article.language,
                kind="article",
                url=article.url,
                gold=_gold(article),
            )
            # The pages of a corpus are UTF-8, whatever a site serves them in.
            yield LabelledPage(labels, response.body.decode(site.charset).encode())


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
