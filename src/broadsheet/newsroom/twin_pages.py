"""Pages that hold an article which is archived under another address of the same site."""

from dataclasses import replace

from broadsheet.archive import PageRecord, PageState
from broadsheet.base import reasons, urls
from broadsheet.base.domains import registrable_domain
from broadsheet.base.records import Article
from broadsheet.newsroom.desk import Desk
from broadsheet.newsroom.judging import judge_addresses


class TwinPages:
    """Finds the archived copy of an article, and notes which page calls itself the copy of which."""

    def __init__(self, desk: Desk) -> None:
        """Take the desk."""
        self._desk = desk

    def twin(self, source: str, home: str, page: PageRecord, article: Article) -> str | None:
        """Return the key of an archived copy of an article: one of the two names the other, and their texts agree.

        Without one, what the page says of itself is noted at the address that it names.
        """
        own = self.own_address(source, home, page, article)
        named = self._desk.record(urls.key(own)) if own else None
        if named is not None and named.kind == "article" and self._desk.is_archived(named.key, article):
            return named.key
        for key in (named and named.duplicate_of, page.duplicate_of):
            if key and key != page.key and self._is_own(source, home, key) and self._desk.is_archived(key, article):
                return key
        if own is not None:
            self._claim(page, own)
        return None

    def own_address(self, source: str, home: str, page: PageRecord, article: Article) -> str | None:
        """Return the address of an article on the site that a page calls its own and that is not the page's."""
        own = article.canonical_url
        if own is not None and len(own) > urls.MAX_LENGTH:
            self._desk.miss(source, reasons.ADDRESS_TOO_LONG, url=own)
            return None
        if (
            own is None
            or own == page.url
            or registrable_domain(own) != registrable_domain(home)
            or urls.key(own) == page.key
        ):
            return None
        # Some sites call the home page the address of every page.
        return own if judge_addresses([own], [""]).verdict(0).kind == "article" else None

    def _is_own(self, source: str, home: str, key: str) -> bool:
        """Return whether a source leads to a page of its site: what other sources claim must not hide its articles."""
        shares_site = registrable_domain(f"https://{key}") == registrable_domain(home)
        return shares_site and key in self._desk.writer.members(source, (key,))

    def _claim(self, page: PageRecord, own: str) -> None:
        """Note at an address that was not fetched yet that this page calls itself its copy.

        The address stays as fetchable as it was: when it is fetched, its text says whether the claim was true.
        """
        key = urls.key(own)
        known = self._desk.record(key) or PageRecord(key=key, url=own)
        if known.state is PageState.KNOWN:
            self._desk.batch.page(replace(known, duplicate_of=page.key))
