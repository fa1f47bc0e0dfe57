"""Archived pages read again, as the crawl read them, for a repair of the archive."""

from dataclasses import replace

from broadsheet.archive import Reread
from broadsheet.base import urls
from broadsheet.base.exchange import Exchange
from broadsheet.base.records import Kind, Verdict
from broadsheet.crawling.encodings import CorruptBody, TooLargeDecompressed, decode_body
from broadsheet.newsroom.arrival import Arrival, ArrivalFindings, PageWorker
from broadsheet.newsroom.judge import Judge, LinkEvidence


class NewsroomRereader:
    """Judges and reads pages by the same rules as the newsroom; what links call a page is learned from sections."""

    def __init__(self, reader: PageWorker, judge: Judge, max_decompressed_bytes: int) -> None:
        """Take what the newsroom works with."""
        self._reader = reader
        self._judge = judge
        self._max_decompressed_bytes = max_decompressed_bytes
        self._anchors: dict[str, str] = {}

    def learn(self, url: str, exchange: Exchange) -> None:
        """Note what a section calls the pages that it links to."""
        found = self._find(url, exchange, None)
        if isinstance(found, ArrivalFindings) and found.links is not None:
            targets = found.links.targets
            for key, anchor in zip(targets.keys, targets.anchors, strict=True):
                self._anchors[key] = max(self._anchors.get(key, ""), anchor, key=len)

    def read(self, url: str, exchange: Exchange, known: Kind | None) -> Reread:
        """Say what a page is, unless that is known, and read it."""
        link = None
        if known != "section":
            link = self._judge.link(LinkEvidence(url, self._anchors.get(urls.key(url), "")))
        found = self._find(url, exchange, link)
        if isinstance(found, str):
            return Reread(Verdict("other", None, 1.0, {"other": 1.0}, (found,), "repair"))
        rows = found.links.rows if found.links else None
        if found.verdict is None or link is None or (known is None and found.verdict.kind != "article"):
            return Reread(found.verdict, links=rows)
        # What was archived as an article is one, whatever it looks like without the links that led to it.
        verdict = found.verdict if found.verdict.kind == "article" else replace(link, kind="article")
        return Reread(verdict, found.article and replace(found.article, verdict=verdict))

    def _find(self, url: str, exchange: Exchange, link: Verdict | None) -> ArrivalFindings | str:
        """Return what was found in a page, or why nothing was."""
        encodings = ",".join(value for name, value in exchange.headers if name.lower() == "content-encoding")
        try:
            content = decode_body(exchange.body, encodings, self._max_decompressed_bytes)
        except (CorruptBody, TooLargeDecompressed) as error:
            return str(error)
        answer = self._reader.ask(Arrival(content, url, exchange.header("content-type") or "", exchange.at, link))
        return answer if isinstance(answer, ArrivalFindings) else answer.counted
