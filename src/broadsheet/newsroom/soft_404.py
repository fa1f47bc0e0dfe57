"""Soft 404s: pages with status 200 that stand at the address of an article which is no longer there."""

from collections import Counter
from datetime import datetime, timedelta

from broadsheet.base.records import Article
from broadsheet.base.text_words import words
from broadsheet.newsroom.judging import CONTENT
from broadsheet.newsroom.page_visit import Findings

#: By its content alone such a page is less likely an article than this, whatever its address says.
MAX_ARTICLE = 0.5
#: It has less than this share of the article's words.
MAX_SHARED = 0.2
#: A page is asked for again after an hour, then after two, and so on, before it is given up.
WAIT = timedelta(hours=1)
MAX_TRIES = 6


def is_soft_404(found: Findings, before: Article) -> bool:
    """Return whether a page that was an article is now an error page, a section or some other page.

    It is one if it does not look like an article and has hardly a word of it. Words of a language are not looked for.
    """
    content = found.evidence.get(CONTENT)
    if content is None or content.get("article", 0.0) >= MAX_ARTICLE:
        return False
    old, new = _words(before), Counter[str]() if found.article is None else _words(found.article)
    return (old & new).total() < MAX_SHARED * max(1, old.total())


#: Articles that are remembered as replaced; of more, the first are forgotten, and have to be seen replaced anew.
MAX_REPLACED = 10_000


class ReplacedArticles:
    """Tells articles that are gone from a site that shows one page everywhere, such as a request for consent."""

    def __init__(self) -> None:
        """Know of no article yet."""
        #: When each source last gave an article, and since when each page is something else.
        self._sound: dict[str, datetime] = {}
        self._since: dict[str, datetime] = {}

    def came(self, source: str, page: str, at: datetime) -> None:
        """Note that an article was answered as one."""
        self._sound[source] = at
        self._since.pop(page, None)

    def is_gone(self, source: str, page: str, at: datetime) -> bool:
        """Note that an article was replaced; return whether it was so before another article of the source came."""
        if len(self._since) >= MAX_REPLACED and page not in self._since:
            del self._since[next(iter(self._since))]
        since = self._since.setdefault(page, at)
        last = self._sound.get(source)
        is_gone = last is not None and last > since
        if is_gone:
            del self._since[page]
        return is_gone


def _words(article: Article) -> Counter[str]:
    return Counter(words(f"{article.title or ''} {article.body}"))
