"""Words looked for in articles."""

import unicodedata
from collections.abc import Callable, Sequence

from broadsheet.base.records import Article


def finder(words: Sequence[str]) -> Callable[[Article], bool]:
    """Return what says whether an article has all the words in its title or body, whatever their case."""
    wanted = [_folded(word) for word in words]

    def has_all(article: Article) -> bool:
        text = _folded(f"{article.title or ''}\n{article.body}")
        return all(word in text for word in wanted)

    return has_all


def _folded(text: str) -> str:
    """Return text in which letters are equal that differ in case, or in how their accents are encoded."""
    return unicodedata.normalize("NFC", text.casefold())
