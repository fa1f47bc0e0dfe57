"""Pages of planned sites without HTML: what each page is, and the links that a crawler would find on it, as JSON.

They pass through everything in a newsroom but parsing, judging and reading, so that many sites and days are affordable.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

from benchmarks.web_process import FetchPage
from broadsheet.archive import ArticleForm, LinkRows, VisitReason
from broadsheet.base import reasons, urls
from broadsheet.base.domains import registrable_domain
from broadsheet.base.records import KINDS, Article, Verdict
from broadsheet.newsroom.judging import CONTENT
from broadsheet.newsroom.page_links import PageLinks
from broadsheet.newsroom.page_visit import LISTS, Drop, FetchedVisit, FilterResult, Findings, FoundLinks
from broadsheet.newsweb.drawn_sites import draw_sites
from broadsheet.newsweb.response import Response, ServedContent, answer, failure
from broadsheet.newsweb.web import NewsWeb

#: How sure the reader is of what a page is.
SURE = 0.98
_MAX_AGE = 60

_key = lru_cache(maxsize=1 << 16)(urls.key)
_domain = lru_cache(maxsize=1 << 16)(registrable_domain)


def planned_web(seed: int, sites: int) -> NewsWeb:
    """Return the news web whose pages are served bare."""
    return NewsWeb(sites=draw_sites(seed, sites))


def serve_bare(seed: int, sites: int) -> FetchPage:
    """Return what answers requests for the pages of planned sites; feeds and other files are not there."""
    web = planned_web(seed, sites)

    def fetch(url: str, at: datetime, headers: Mapping[str, str]) -> Response:
        truth = web.truth(url, at)
        if truth is None or truth.subtype in {"feed", "sitemap", "sitemap-index", "robots", "picture"}:
            return failure(404, b"", at)
        content: dict[str, object] = {"kind": truth.kind}
        if truth.article is not None:
            content |= {"url": truth.article.url, "title": truth.article.title}
            content["published"] = truth.article.published.isoformat()
        elif truth.kind == "section":
            content["links"] = [
                [link.url, link.text, link.collection, link.position] for link in web.occurrences(url, at)
            ]
        body = json.dumps(content).encode()
        plain = {name: value for name, value in headers.items() if name.lower() != "accept-encoding"}
        return answer(ServedContent("text/html; charset=utf-8", body, truth.changed, _MAX_AGE), at, plain)

    return fetch


class BareReaders:
    """Takes what a bare page says of itself for what the filters would have found."""

    async def apply(self, fetched: FetchedVisit) -> FilterResult:
        """Return what a page is, its links if it is a front, and its article."""
        if fetched.why is VisitReason.FEED:
            return Drop(reasons.NOT_A_FEED, "is a page")
        try:
            content: dict[str, Any] = json.loads(fetched.content)
        except ValueError as error:
            return Drop(reasons.UNREADABLE, f"is not a bare page: {error}")
        kind = content["kind"]
        probabilities: dict[str, float] = {each: SURE if each == kind else (1 - SURE) / 2 for each in KINDS}
        verdict = Verdict(kind, None, SURE, probabilities, (), "truth")
        is_list = kind == "section" or fetched.why in LISTS
        links = _links(content.get("links", ())) if is_list and fetched.why is not VisitReason.CONTINUATION else None
        article = _article(content, verdict) if kind == "article" and fetched.why not in LISTS else None
        form = ArticleForm.of(article, verdict.model) if article else None
        return Findings(verdict, {CONTENT: probabilities}, links, None, article, form)


def _article(content: Mapping[str, Any], verdict: Verdict) -> Article:
    published = datetime.fromisoformat(content["published"])
    return Article(url=content["url"], title=content["title"], published=published, verdict=verdict)


def _links(links: Sequence[tuple[str, str, str, int]]) -> FoundLinks:
    addresses, texts, groups, positions = zip(*links, strict=True) if links else ((), (), (), ())
    anchors: dict[str, tuple[str, str]] = {}
    for url, text in zip(addresses, texts, strict=True):
        known = anchors.setdefault(_key(url), (url, text))
        anchors[_key(url)] = known[0], max(known[1], text, key=len)
    spelled = tuple(url for url, _ in anchors.values())
    return FoundLinks(
        LinkRows(
            targets=tuple(map(_key, addresses)),
            urls=addresses,
            collections=tuple(map(_identity, groups)),
            positions=positions,  # type: ignore[arg-type] # it makes an array of them
            paths=groups,
            anchors=texts,
        ),
        PageLinks(tuple(anchors), spelled, tuple(map(_domain, spelled)), tuple(text for _, text in anchors.values())),
    )


@lru_cache(maxsize=1 << 12)
def _identity(group: str) -> str:
    return hashlib.blake2b(group.encode(), digest_size=8).hexdigest()
