"""What an archive knows of pages: those that its sources lead to, those that are visited again, and their verdicts."""

from collections.abc import Iterable, Iterator
from datetime import datetime

from broadsheet.archive import catalogue, page_lookup, reread_candidates
from broadsheet.archive.discoveries import Discovery, discoveries
from broadsheet.archive.event_records import RereadRecord
from broadsheet.archive.front_records import FeedRecord, FrontRecord
from broadsheet.archive.opened_archive import OpenedArchive
from broadsheet.archive.page_history import PageHistory
from broadsheet.archive.page_records import Membership, PageRecord, ScheduledPage, VerdictRecord
from broadsheet.archive.reread_candidates import RereadCandidate, RereadSelection
from broadsheet.base import urls
from broadsheet.base.records import Kind, Verdict


class KnownPages(OpenedArchive):
    """Answers questions about pages."""

    def pages(self, keys: Iterable[str]) -> dict[str, PageRecord]:
        """Return the pages of keys, those that are known."""
        return self._ask(lambda connection: catalogue.pages(connection, keys))

    def page_keys(self, *, source: str | None = None, kind: Kind | None = None) -> set[str]:
        """Return the keys of the pages that a source leads to and that are of a kind; home pages are sections."""
        key = self._key(source)
        return self._ask(lambda connection: catalogue.page_keys(connection, key, kind))

    def agenda(self, source: str) -> list[ScheduledPage]:
        """Return the visits that are planned for a source, what is due first first."""
        key = self.find_source(source).key
        return self._ask(lambda connection: catalogue.agenda(connection, key))

    def sections(self, source: str | None = None) -> list[ScheduledPage]:
        """Return the pages that are visited again and again, of one source or of all: home pages and sections."""
        key = self._key(source)
        return self._ask(lambda connection: catalogue.sections(connection, key))

    def feeds(self, source: str | None = None) -> list[FeedRecord]:
        """Return the feeds and sitemaps that were found, of one source or of all, good or bad."""
        key = self._key(source)
        return self._ask(lambda connection: catalogue.feeds(connection, key))

    def front_records(self, source: str | None = None) -> list[FrontRecord]:
        """Return what is known of the fronts of one source, given by address or key, or of all."""
        key = self._key(source)
        return self._ask(lambda connection: catalogue.front_records(connection, key))

    def sources_of(self, url: str) -> list[str]:
        """Return the keys of the sources that lead to the page at an address."""
        return self._ask(lambda connection: catalogue.sources_of(connection, urls.key(url)))

    def members(self, source: str, keys: Iterable[str]) -> dict[str, Membership]:
        """Return which of some pages a source leads to, by their keys, and where it found them."""
        key = self.find_source(source).key
        return self._ask(lambda connection: catalogue.members(connection, key, keys))

    def found(self, url: str) -> list[Membership]:
        """Return on which page each source found the page at an address, the first one first."""
        return self._ask(lambda connection: catalogue.memberships(connection, urls.key(url)))

    def verdict(self, url: str) -> Verdict | None:
        """Say what the page at an address is, if it was judged."""
        key = urls.key(url)
        page = self.pages((key,)).get(key)
        return page.verdict if page else None

    def earlier_verdicts(self, url: str) -> list[VerdictRecord]:
        """Return the verdicts on the page at an address that reading it again has replaced, the oldest first."""
        return self._ask(lambda connection: reread_candidates.earlier_verdicts(connection, urls.key(url)))

    def reread(self, name: str) -> RereadRecord | None:
        """Return a run over the archived pages by its name."""
        return self._ask(lambda connection: reread_candidates.find_reread(connection, name))

    def reread_candidates(self, selection: RereadSelection, after: str = "") -> tuple[int, Iterator[RereadCandidate]]:
        """Return how many pages can be read again after one, and give them in the order of their keys."""
        number = self._ask(lambda connection: reread_candidates.count(connection, selection, after))
        return number, reread_candidates.candidates(self._ask, selection, after)

    def discoveries(self, source: str, since: datetime) -> list[Discovery]:
        """Return the articles of a source that were found since a moment, and the pages that led to them."""
        return self._ask(lambda connection: discoveries(connection, source, since))

    def why(self, url: str) -> PageHistory:
        """Return all that is known of the page at an address: why it is archived, or why it is not."""
        return page_lookup.look_up(self.folder, self._ask, url)
