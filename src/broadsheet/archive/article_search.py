"""The articles that a filter chooses: from the rows of the catalogue, and from the index of words for a search."""

import logging
import os
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

from broadsheet.archive import article_rows, article_versions, text_index
from broadsheet.archive.archive_errors import ArchiveError, DamagedRow
from broadsheet.archive.article_filter import ArticleFilter
from broadsheet.archive.article_records import StoredArticle
from broadsheet.archive.warc_reading import Asking

#: The articles that are in memory while a caller goes through all.
ARTICLES_AT_ONCE = 100

_log = logging.getLogger(__name__)


class ArticleSearch:
    """Finds articles; no transaction is open while a caller works with one of them."""

    def __init__(self, folder: Path, archive: str, ask: Asking) -> None:
        """Take an archive, by its folder and its identity, and what asks its catalogue."""
        self._folder = folder
        self._ask = ask
        self.index = text_index.TextIndex(folder, archive, ask)

    def articles(
        self, choice: ArticleFilter, limit: int | None, on_damage: article_versions.OnDamage | None, *, best_first: bool
    ) -> Iterator[StoredArticle]:
        """Give the articles that a filter chooses, the newest or best first."""
        expression = choice.expression()
        if expression is None:
            numbers = self._ask(lambda connection: article_rows.article_rows(connection, choice, limit))
            yield from self._stored(numbers, on_damage)
        elif self._can_search():
            found = self._best if best_first else self._newest
            yield from self._stored(found(choice, expression, limit), on_damage)
        else:
            numbers = self._ask(lambda connection: article_rows.article_rows(connection, choice))
            every = self._stored(numbers, on_damage)
            yield from islice((stored for stored in every if choice.matches(stored.article)), limit)

    def _can_search(self) -> bool:
        """Bring the index up to date; where that is impossible, articles are read one by one instead."""
        index = self.index
        if not os.access(self._folder, os.W_OK):
            return index.is_current()
        try:
            return index.refresh()
        except ArchiveError as error:
            _log.warning("the articles are searched without an index, which takes longer: %s", error)
            return False

    def _newest(self, choice: ArticleFilter, expression: str, limit: int | None) -> Sequence[int]:
        matching = self.index.find(expression)
        return self._ask(lambda connection: article_rows.among(connection, choice, matching, limit))

    def _best(self, choice: ArticleFilter, expression: str, limit: int | None) -> Sequence[int]:
        most = max(2 * (limit or 0), ARTICLES_AT_ONCE) if limit is not None else sys.maxsize
        while True:
            ranked = self.index.best(expression, most)
            chosen = frozenset(self._ask(partial(article_rows.among, choice=choice, numbers=ranked)))
            if len(ranked) < most or len(chosen) >= (limit or 0) or most >= text_index.MAX_RANKED:
                return [number for number in ranked if number in chosen][:limit]
            most *= 4

    def _stored(self, numbers: Sequence[int], on_damage: article_versions.OnDamage | None) -> Iterator[StoredArticle]:
        """Give the articles in rows of the catalogue; no transaction is open while a caller works with one of them."""
        for start in range(0, len(numbers), ARTICLES_AT_ONCE):
            some = numbers[start : start + ARTICLES_AT_ONCE]
            for read in self._ask(partial(article_versions.read, numbers=some)):
                if not isinstance(read, DamagedRow):
                    yield read.stored
                elif on_damage is None:
                    raise read
                else:
                    on_damage(read)
