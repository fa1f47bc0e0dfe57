"""Whether two pages hold one article."""

from collections import Counter

from broadsheet.base.records import Article

#: The share of words that two editions of one article have in common, of all words of the longer one.
AGREEMENT = 0.9


def agree(one: Article, other: Article) -> bool:
    """Say whether two articles are one: the same text, or the same title and nearly the same text.

    Without the title, reports that a machine writes every day would be taken for each other.
    """
    if one.body == other.body:
        return bool(one.body) or one.title == other.title
    if _words(one.title or "") != _words(other.title or ""):
        return False
    first, second = Counter(_words(one.body)), Counter(_words(other.body))
    return (first & second).total() >= AGREEMENT * max(first.total(), second.total())


def _words(text: str) -> list[str]:
    """Return the words of a text; scripts that write without spaces are taken letter by letter."""
    return [word for part in text.split() for word in (part if ord(part[0]) >= 0x2E80 else [part])]
