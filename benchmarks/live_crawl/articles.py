"""Real article pages, drawn evenly from corpora, and the addresses and links under which they are served."""

import gzip
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from benchmarks.pages import draw
from broadsheet.base.counters import Counters
from broadsheet.base.errors import InputError
from broadsheet.corpora.corpus_folder import find_corpora

_WORDS = re.compile(r"[a-z0-9]+")
_SLUG_WORDS = 8


@dataclass(frozen=True, slots=True)
class ServedArticle:
    """One page: its path on the site, the headline that links to it, and its bytes."""

    path: str
    headline: str
    html: bytes


def draw_articles(source: Path, number: int, seed: int) -> list[ServedArticle]:
    """Draw article pages in UTF-8 from each corpus in turn; fewer, where there are not so many."""
    corpora = find_corpora([source])
    ids = {labels.id: corpus.path for corpus in corpora for labels in corpus.labels() if labels.kind == "article"}
    chosen = set(draw(ids, number, seed))
    pages = [
        page
        for corpus in corpora
        if any(page_id.startswith(f"{corpus.name}/") for page_id in chosen)
        for page in corpus.pages(lambda labels: labels.id in chosen, Counters())
    ]
    articles = [
        _served(index, page.labels.gold.title, page.labels.name, page.html)
        for index, page in enumerate(page for page in pages if _is_utf8(page.html))
    ]
    if not articles:
        raise InputError(f"{source}: no page with the page_type article in UTF-8 here")
    # Corpora differ in size, so each site gets some of all.
    random.Random(seed).shuffle(articles)
    return articles


def share(articles: Sequence[ServedArticle], sites: int) -> list[list[ServedArticle]]:
    """Divide the articles among sites."""
    return [list(articles[site::sites]) for site in range(sites)]


def front_page(name: str, articles: Sequence[ServedArticle]) -> bytes:
    """Return a home page that links to the articles by their headlines."""
    items = "\n".join(
        f'<article><h2><a href="{article.path}">{escape(article.headline)}</a></h2></article>' for article in articles
    )
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(name)}</title></head>\n'
        f"<body><main>\n{items}\n</main></body></html>\n"
    ).encode()


def compressed(body: bytes) -> bytes:
    """Compress as a web server does, with the time left out so that equal pages stay equal."""
    return gzip.compress(body, mtime=0)


def _served(index: int, title: str | None, name: str, html: bytes) -> ServedArticle:
    words = [*_WORDS.findall((title or name).lower()), *"an article from the corpora".split()][:_SLUG_WORDS]
    path = f"/2026/11/16/{'-'.join(words)}-{100_000 + index}.html"
    return ServedArticle(path, title or f"The article {name} as it stands in its corpus", html)


def _is_utf8(html: bytes) -> bool:
    try:
        html.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
