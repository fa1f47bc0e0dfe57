"""The texts that pairs are made of: articles of labelled pages, as the default reader reads them."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import broadsheet
from broadsheet.base.counters import Counters
from broadsheet.base.errors import InputError
from broadsheet.corpora.corpus_folder import find_corpora
from broadsheet.corpora.labelled_page import PageLabels

#: Corpora without articles.
LEFT_OUT = frozenset({"autopager", "contact_pages", "formasaurus", "frontpages_de", "mob_2014", "recipes"})
#: Shorter bodies are teasers and notices, not articles.
MIN_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class ArticleText:
    """The body of one page; `site` is its registered domain."""

    id: str
    site: str
    body: str

    @property
    def paragraphs(self) -> list[str]:
        """The paragraphs of the body."""
        return self.body.split("\n\n")


def read_texts(pages: Path) -> Iterator[ArticleText]:
    """Read the articles of all corpora in a folder."""
    for corpus in find_corpora([pages]):
        if corpus.name in LEFT_OUT:
            continue
        for page in corpus.pages(_may_be_article, Counters()):
            try:
                article = broadsheet.extract(page.html, page.labels.url, encoding="utf-8")
            except InputError:
                # What the reader refuses, an archive would not hold either.
                continue
            if article is not None and len(article.body) >= MIN_CHARACTERS:
                yield ArticleText(page.labels.id, page.labels.site, article.body)


def _may_be_article(labels: PageLabels) -> bool:
    return labels.kind in {"article", "unknown"}


def load(file: Path) -> list[ArticleText]:
    """Return texts that were saved."""
    with file.open(encoding="utf-8") as lines:
        return [ArticleText(**json.loads(line)) for line in lines]


def save(texts: Iterable[ArticleText], file: Path) -> None:
    """Save texts, so that the next run need not read the pages again."""
    with file.open("w", encoding="utf-8") as out:
        out.writelines(json.dumps(asdict(text), ensure_ascii=False) + "\n" for text in texts)
