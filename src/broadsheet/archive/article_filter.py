"""Which articles of an archive are wanted: by time, source, section, author, language and words."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from broadsheet.base.records import Article
from broadsheet.base.search_query import SearchQuery

#: Title and body are searched for words; an author, a section and a language are looked for where they stand.
_TEXT = "{title body}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleFilter:
    """Criteria for articles; those that are None match everything."""

    since: datetime | None = None
    until: datetime | None = None
    #: Keys of the sources that lead to the article.
    sources: tuple[str, ...] | None = None
    #: The key of the page that first linked to it.
    found_on: str | None = None
    query: SearchQuery | None = None
    author: SearchQuery | None = None
    section: SearchQuery | None = None
    language: SearchQuery | None = None
    #: The keys of the articles.
    keys: frozenset[str] | None = None
    #: Only articles with more than one version, the one that changed last first.
    is_revised: bool = False

    def expression(self) -> str | None:
        """Return what the index of words is asked; None if it is not needed."""
        parts = [f"({column} : {query.expression()})" for column, query, _ in self._queries(Article())]
        return " AND ".join(parts) or None

    def matches(self, article: Article) -> bool:
        """Return whether an article has the wanted words, wherever the index would find them."""
        return all(query.matches(*texts) for _, query, texts in self._queries(article))

    def _queries(self, article: Article) -> Iterator[tuple[str, SearchQuery, tuple[str | None, ...]]]:
        """Yield, for each query there is, the columns that it is for and their texts."""
        columns = (
            (_TEXT, self.query, (article.title, article.body)),
            ("authors", self.author, (" ; ".join(article.authors),)),
            ("section", self.section, (article.section,)),
            ("language", self.language, (article.language,)),
        )
        for column, query, texts in columns:
            if query is not None:
                yield column, query, texts
