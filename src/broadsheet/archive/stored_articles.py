"""The articles of an archive: searched, in all their versions, and in the order in which they came."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from broadsheet.archive import article_versions, catalogue, likeness_index, text_index
from broadsheet.archive.article_filter import ArticleFilter
from broadsheet.archive.article_records import NearDuplicate, StoredArticle
from broadsheet.archive.article_search import ArticleSearch
from broadsheet.archive.database import Database
from broadsheet.archive.opened_archive import OpenedArchive
from broadsheet.base import urls
from broadsheet.base.callbacks import do_nothing
from broadsheet.base.moments import Moment, to_utc
from broadsheet.base.search_query import SearchQuery


def _query(text: str | None) -> SearchQuery | None:
    return SearchQuery.parse(text) if text else None


def _first_of_each_story(articles: Iterable[StoredArticle]) -> Iterator[StoredArticle]:
    told: set[str] = set()
    for stored in articles:
        story = stored.story or stored.key
        if story not in told:
            told.add(story)
            yield stored


class StoredArticles(OpenedArchive):
    """Answers questions about articles."""

    def __init__(self, folder: Path, database: Database) -> None:
        """Read an archive that was opened; `Store.open` does that."""
        super().__init__(folder, database)
        self._search = ArticleSearch(folder, str(self.id), self._ask)

    def articles(  # noqa: PLR0913 - each a way to select
        self,
        since: Moment | None = None,
        source: str | None = None,
        limit: int | None = None,
        *,
        until: Moment | None = None,
        words: Sequence[str] = (),
        section: str | None = None,
        author: str | None = None,
        language: str | None = None,
        tag: str | None = None,
        best_first: bool = False,
        is_revised: bool = False,
        similar_to: str | None = None,
        distinct: bool = False,
        on_damage: article_versions.OnDamage | None = None,
    ) -> Iterator[StoredArticle]:
        """Give the newest version of every article, the newest article first.

        An article's moment is when the page says it was published, or else when it was first fetched; `since`
        leaves out what is older, and `until` what is of that moment or newer. `words` leaves out articles that lack
        one of them in title and body, in whatever case, with or without accents: words, "a phrase", begin*, -not. With
        `best_first` those come first that match them best. `section` is the address of a page that led to the article,
        or a name as the article gives it; `tag` is one that the user gave to its source. `similar_to` leaves out all
        but the near-duplicates of the article at an address, and `distinct` all but the first of each story. With
        `is_revised` only articles are given that have more than one version, the one that changed last first. A
        damaged row raises `DamagedRow`, or is passed to `on_damage` and left out.
        """
        first, last = (None if moment is None else to_utc(moment) for moment in (since, until))
        front = None if section is None else self._front(section)
        choice = ArticleFilter(
            since=first,
            until=last,
            sources=self._sources(source, tag),
            found_on=front,
            query=_query(" ".join(words)),
            author=_query(author),
            section=_query(section) if front is None else None,
            language=_query(language),
            keys=None if similar_to is None else frozenset(near.key for near in self.near_duplicates(similar_to)),
            is_revised=is_revised,
        )
        if not distinct:
            return self._search.articles(choice, limit, on_damage, best_first=best_first)
        every = self._search.articles(choice, None, on_damage, best_first=best_first)
        return islice(_first_of_each_story(every), limit)

    def near_duplicates(self, url: str) -> list[NearDuplicate]:
        """Return the articles that tell the story of the one at an address, the most similar first."""
        key = urls.key(url)
        return self._ask(lambda connection: likeness_index.near_duplicates(connection, key))

    def arrivals(self, after: int = 0) -> list[StoredArticle]:
        """Return what visits after one have brought, in the order of the visits."""
        return self._ask(lambda connection: article_versions.arrivals(connection, after))

    def versions(self, key: str) -> list[StoredArticle]:
        """Return all versions of an article, the oldest first.

        One with `reread_at` is not a revision by the publisher: the page of an earlier visit was read again then, by
        the model that it names.
        """
        return self._ask(lambda connection: article_versions.versions(connection, key))

    def last_version(self, key: str) -> StoredArticle | None:
        """Return the newest version of an article, None where there is no such article."""
        return self._ask(lambda connection: article_versions.last_version(connection, key))

    def refresh_index(self, progress: text_index.IndexProgress = do_nothing, *, most: int | None = None) -> bool:
        """Bring the index of words up to date, by at most so many articles, and return whether it is.

        A search does that by itself; what takes long can be done before, and `progress` hears of it.
        """
        return self._search.index.refresh(progress, most)

    def _front(self, section: str) -> str | None:
        """Return the key of a page that was named as a section, if there is one."""
        key = urls.key(section)
        return key if self._ask(lambda connection: catalogue.pages(connection, (key,))) else None

    def _sources(self, source: str | None, tag: str | None) -> tuple[str, ...] | None:
        """Return the keys of the sources that were named or have a tag; None if that is all."""
        if source is None and tag is None:
            return None
        named = self.sources() if source is None else [self.find_source(source)]
        return tuple(each.key for each in named if tag is None or tag in each.settings.tags)
