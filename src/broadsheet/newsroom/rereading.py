"""Archived pages read again, as the crawl read them, for a repair of the archive."""

from dataclasses import replace
from typing import Protocol

from broadsheet.archive import Reread, VisitReason
from broadsheet.base import urls
from broadsheet.base.exchange import Exchange
from broadsheet.base.records import Kind, Verdict
from broadsheet.crawling.encodings import CorruptBody, TooLargeDecompressed
from broadsheet.newsroom.archived_content import ArchivedContent
from broadsheet.newsroom.judging import judge_addresses, probabilities_of
from broadsheet.newsroom.page_visit import FetchedVisit, FilterResult, Findings, Probabilities


class PageFilters(Protocol):
    """Sends one page after the other through the filters."""

    def apply_now(self, fetched: FetchedVisit) -> FilterResult:
        """Return what the filters found in a page."""
        ...


class NewsroomRereader:
    """Judges and reads pages by the same filters as the newsroom; link texts are learned from sections."""

    def __init__(self, filters: PageFilters, max_decompressed_bytes: int) -> None:
        """Take what the newsroom works with."""
        self._filters = filters
        self._max_decompressed_bytes = max_decompressed_bytes
        self._anchors: dict[str, str] = {}

    def learn(self, url: str, exchange: Exchange) -> None:
        """Note the texts with which a section links to pages."""
        found = self._find(url, exchange, VisitReason.SECTION, {})
        if isinstance(found, Findings) and found.links is not None:
            targets = found.links.targets
            for key, anchor in zip(targets.keys, targets.anchors, strict=True):
                self._anchors[key] = max(self._anchors.get(key, ""), anchor, key=len)

    def read(self, url: str, exchange: Exchange, known: Kind | None) -> Reread:
        """Judge a page, unless its kind is known, and read it."""
        why = VisitReason.SECTION if known == "section" else VisitReason.CANDIDATE
        address = judge_addresses([url], [self._anchors.get(urls.key(url), "")]).verdict(0)
        found = self._find(url, exchange, why, probabilities_of(address))
        if not isinstance(found, Findings):
            return Reread(Verdict("other", None, 1.0, {"other": 1.0}, (found,), "repair"))
        rows = found.links.rows if found.links else None
        if known == "article" and found.article is None:
            return self._forced(url, exchange, address)
        if found.article is None or found.verdict is None:
            return Reread(found.verdict, links=rows)
        return Reread(found.verdict, replace(found.article, verdict=found.verdict))

    def _forced(self, url: str, exchange: Exchange, address: Verdict) -> Reread:
        """Read a page as an article: it was archived as one, when more was known of it."""
        sure = {kind: float(kind == "article") for kind in address.probabilities}
        found = self._find(url, exchange, VisitReason.CANDIDATE, sure)
        article = found.article if isinstance(found, Findings) else None
        verdict = replace(address, kind="article", probability=1.0, probabilities={"article": 1.0})
        return Reread(verdict, article and replace(article, verdict=verdict))

    def _find(self, url: str, exchange: Exchange, why: VisitReason, address: Probabilities) -> Findings | str:
        """Return what was found in a page, or why nothing was."""
        try:
            content, content_type = ArchivedContent.read(exchange, self._max_decompressed_bytes)
        except (CorruptBody, TooLargeDecompressed) as error:
            return str(error)
        found = self._filters.apply_now(FetchedVisit(content, url, content_type, exchange.at, why, address))
        return found if isinstance(found, Findings) else str(found.counted)
