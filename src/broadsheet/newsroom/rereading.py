"""Archived pages read again, as the crawl read them, for a repair of the archive."""

from dataclasses import replace

from broadsheet.archive import ArchiveError, Reread
from broadsheet.base import urls
from broadsheet.base.errors import InputError
from broadsheet.base.exchange import Exchange
from broadsheet.base.limits import Limits
from broadsheet.base.records import Kind, Verdict
from broadsheet.crawling.encodings import CorruptBody, TooLargeDecompressed, decoded
from broadsheet.crawling.messages import Page, Request
from broadsheet.document import Document
from broadsheet.newsroom.arrival import document_of
from broadsheet.newsroom.judge import Judge, LinkEvidence
from broadsheet.newsroom.links import link_rows, page_links
from broadsheet.reading import extract


class NewsroomRereader:
    """Judges and reads pages by the same rules as the newsroom; what links call a page is learned from sections."""

    def __init__(self, judge: Judge, limits: Limits, max_decompressed_bytes: int, reader: str = "coreex") -> None:
        """Take what the newsroom works with."""
        self._judge = judge
        self._limits = limits
        self._max_decompressed_bytes = max_decompressed_bytes
        self._reader = reader
        self._anchors: dict[str, str] = {}

    def learn(self, url: str, exchange: Exchange) -> None:
        """Note what a section calls the pages that it links to."""
        try:
            links = page_links(self._document(url, exchange))
        except InputError:
            return
        for key, anchor in zip(links.keys, links.anchors, strict=True):
            self._anchors[key] = max(self._anchors.get(key, ""), anchor, key=len)

    def read(self, url: str, exchange: Exchange, known: Kind | None) -> Reread:
        """Say what a page is, unless that is known, and read it."""
        try:
            document = self._document(url, exchange)
            if known == "section":
                return Reread(links=link_rows(document))
            article = extract(document, reader=self._reader, fetched_at=exchange.at)
        except InputError as error:
            return Reread(Verdict("other", None, 1.0, {"other": 1.0}, (str(error),), "repair"))
        link = self._judge.link(LinkEvidence(url, self._anchors.get(urls.key(url), "")))
        verdict = self._judge.page(document, article, link)
        if known is None and verdict.kind == "section":
            return Reread(verdict, links=link_rows(document))
        if article is None or (known is None and verdict.kind != "article"):
            return Reread(verdict)
        return Reread(verdict, replace(article, verdict=_article(verdict, link)))

    def _document(self, url: str, exchange: Exchange) -> Document:
        encodings = ",".join(value for name, value in exchange.headers if name.lower() == "content-encoding")
        try:
            content = decoded(exchange.body, encodings, self._max_decompressed_bytes)
        except (CorruptBody, TooLargeDecompressed) as error:
            raise ArchiveError(f"its body cannot be decompressed: {error}") from error
        page = Page(Request(url), url, exchange.status, content, None, (exchange,))
        return document_of(page, self._limits)


def _article(verdict: Verdict, link: Verdict) -> Verdict:
    """Return the verdict on a page that was archived as an article, whatever it looks like on its own."""
    return verdict if verdict.kind == "article" else replace(link, kind="article")
