"""Whether two pages hold one article."""

from collections import Counter

from broadsheet.base.records import Article
from broadsheet.base.text_words import words

#: The share of words that two editions of one article have in common, of all words of the longer one.
AGREEMENT = 0.9


def agree(one: Article, other: Article) -> bool:
    """Say whether two articles are one: the same text, or the same title and nearly the same text.

    Without the title, reports that a machine writes every day would be taken for each other.
    """
    if one.body == other.body:
        return bool(one.body) or one.title == other.title
    if words(one.title or "") != words(other.title or ""):
        return False
    first, second = Counter(words(one.body)), Counter(words(other.body))
    return (first & second).total() >= AGREEMENT * max(first.total(), second.total())
