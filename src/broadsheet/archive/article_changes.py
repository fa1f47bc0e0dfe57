"""What changed from one version of an article to another, in brief."""

from collections import Counter
from dataclasses import dataclass

from broadsheet.base.records import Article
from broadsheet.base.text_words import words

#: The parts of an article that readers see, and how a change of each is called.
_PARTS = {
    "title": "title",
    "body": "text",
    "headings": "text",
    "description": "description",
    "authors": "authors",
    "published": "date",
}


@dataclass(frozen=True, slots=True)
class ArticleChange:
    """Which parts of an article changed, and how many words were added to and removed from its title and text.

    Words are counted regardless of their order: a paragraph that only moved adds and removes none.
    """

    parts: tuple[str, ...]
    words_added: int
    words_removed: int


def article_change(before: Article, after: Article) -> ArticleChange:
    """Compare two versions of an article."""
    parts = [name for field, name in _PARTS.items() if getattr(before, field) != getattr(after, field)]
    old, new = (Counter(words(f"{article.title or ''} {article.body}")) for article in (before, after))
    return ArticleChange(tuple(dict.fromkeys(parts)), (new - old).total(), (old - new).total())
