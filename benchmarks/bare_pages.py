"""Pages of planned sites without HTML: what each page is, and the links that a crawler would find on it, as JSON.

They pass through everything in a newsroom but parsing, judging and reading, so that many sites and days are affordable.
"""

import hashlib
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.web_process import FetchPage
from broadsheet.archive import ArticleForm, LinkRows, PageRecord, SourceRecord, Store, VerdictRecord, VisitReason
from broadsheet.base import reasons, urls
from broadsheet.base.domains import registrable_domain
from broadsheet.base.records import KINDS, Article, Verdict
from broadsheet.newsroom.judging import CONTENT
from broadsheet.newsroom.page_links import PageLinks
from broadsheet.newsroom.page_visit import LISTS, Drop, FetchedVisit, FilterResult, Findings, FoundLinks
from broadsheet.newsroom.target_judges import Target
from broadsheet.newsweb._link_order import Occurrence
from broadsheet.newsweb._site_kinds import plan_of
from broadsheet.newsweb.drawn_sites import draw_sites
from broadsheet.newsweb.response import Response, ServedContent, answer, failure
from broadsheet.newsweb.site import Site
from broadsheet.newsweb.site_plan import BoxPlan
from broadsheet.newsweb.truth import BarePage
from broadsheet.newsweb.web import NewsWeb
from broadsheet.simulation.archive_score import last_visit

#: How sure the reader is of what a page is.
SURE = 0.98
_MAX_AGE = 60

#: Not pages, so that nothing is served in their place.
FILES = frozenset({"feed", "sitemap", "sitemap-index", "robots", "picture"})


@dataclass(frozen=True, slots=True)
class Thinning:
    """What is left of a planned site, so that many days of many sites are affordable: a small local paper."""

    sections: int = 6
    services: int = 12
    longest_list: int = 15
    share_of_articles: float = 0.15


@dataclass(frozen=True, slots=True)
class BareScore:
    """How many articles a site published, how many of them were archived, and what was archived wrongly or twice."""

    published: int
    archived: int
    wrong: int
    twice: int


def planned_web(seed: int, sites: int, thinning: Thinning) -> NewsWeb:
    """Return the news web whose pages are served bare."""
    return NewsWeb(sites=[thin_out(site, thinning) for site in draw_sites(seed, sites)])


def thin_out(site: Site, thinning: Thinning) -> Site:
    """Leave a planned site no subsections, a few sections and services, shorter lists, and a part of its articles."""
    plan, share = plan_of(site), thinning.share_of_articles
    tops = [section for section in site.sections if section.parent is None][: thinning.sections]
    numbers = {section.index: number for number, section in enumerate(tops)}
    sections = tuple(
        replace(each, index=number, rhythm=replace(each.rhythm, articles=each.rhythm.articles * share))
        for number, each in enumerate(tops)
    )
    home = tuple(
        replace(box, section=None if box.section is None else numbers[box.section])
        for box in _shortened(plan.home, thinning)
        if box.section is None or box.section in numbers
    )
    front, services = _shortened(plan.front, thinning), plan.services[: thinning.services]
    return replace(site, sections=sections, plan=replace(plan, home=home, front=front, services=services))


def _shortened(boxes: Iterable[BoxPlan], thinning: Thinning) -> tuple[BoxPlan, ...]:
    return tuple(replace(box, size=min(box.size, thinning.longest_list)) for box in boxes)


def serve_bare(seed: int, sites: int, thinning: Thinning) -> FetchPage:
    """Return what answers requests for the pages of planned sites; feeds and other files are not there."""
    web = planned_web(seed, sites, thinning)
    # The last state of each page: most have not changed when they are asked for again.
    written: dict[str, tuple[datetime, bytes]] = {}

    def fetch(url: str, at: datetime, headers: Mapping[str, str]) -> Response:
        page = web.bare_page(url, at)
        if page is None or page.subtype in FILES:
            return failure(404, b"", at)
        changed, body = written.get(url, (None, b""))
        if changed != page.changed:
            body = json.dumps(_content(page), ensure_ascii=False).encode()
            written[url] = page.changed, body
        plain = {name: value for name, value in headers.items() if name.lower() != "accept-encoding"}
        return answer(ServedContent("text/html; charset=utf-8", body, page.changed, _MAX_AGE), at, plain)

    return fetch


def _content(page: BarePage) -> dict[str, object]:
    if page.article is not None:
        article = page.article
        return {
            "kind": page.kind,
            "url": article.url,
            "title": article.title,
            "published": article.published.isoformat(),
        }
    return {"kind": page.kind} | (_columns(page.links) if page.kind == "section" else {})


def _columns(links: Sequence[Occurrence]) -> dict[str, object]:
    """Return the links of a page as a reader process would: its distinct targets, and a row for each occurrence."""
    targets: dict[str, list[str]] = {}
    for link in links:
        key = urls.key(link.url)
        target = targets.setdefault(key, [key, link.url, registrable_domain(link.url), ""])
        target[3] = max(target[3], link.text, key=len)
    numbers = {key: number for number, key in enumerate(targets)}
    rows = [
        (numbers[urls.key(link.url)], _identity(link.collection), link.position, link.collection, link.text)
        for link in links
    ]
    return {"targets": list(zip(*targets.values(), strict=True)), "rows": list(zip(*rows, strict=True))}


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
        links = _links(content) if is_list and fetched.why is not VisitReason.CONTINUATION else None
        article = _article(content, verdict) if kind == "article" and fetched.why not in LISTS else None
        form = ArticleForm.of(article, verdict.model) if article else None
        return Findings(verdict, {CONTENT: probabilities}, links, None, article, form)


def judge_bare(source: SourceRecord, targets: Sequence[Target]) -> list[VerdictRecord]:
    """Leave the targets of a source as they are: what came has said what it is, and the others have to come first."""
    del source
    return [_known(target.page) for target in targets]


def _known(page: PageRecord) -> VerdictRecord:
    if page.judged is None:
        raise AssertionError(f"{page.key} was linked to but not judged")
    return page.judged


def _article(content: Mapping[str, Any], verdict: Verdict) -> Article:
    published = datetime.fromisoformat(content["published"])
    return Article(url=content["url"], title=content["title"], published=published, verdict=verdict)


def _links(content: Mapping[str, Any]) -> FoundLinks:
    keys, addresses, domains, texts = content.get("targets") or ((), (), (), ())
    numbers, collections, positions, paths, anchors = content.get("rows") or ((), (), (), (), ())
    return FoundLinks(
        LinkRows(
            targets=tuple(keys[number] for number in numbers),
            urls=tuple(addresses[number] for number in numbers),
            collections=tuple(map(sys.intern, collections)),
            positions=np.array(positions, np.int32),
            paths=tuple(map(sys.intern, paths)),
            anchors=tuple(anchors),
        ),
        PageLinks(tuple(keys), tuple(addresses), tuple(domains), tuple(texts)),
    )


def compare_bare(folder: Path, web: NewsWeb) -> list[BareScore]:
    """Compare an archive of bare pages with what each site published from when it was added until the last visit."""
    with Store.open(folder) as archive:
        sources = {source.url: source for source in archive.sources()}
        return [_score(archive, sources[web.home(site)], web, site) for site in web.sites]


def _score(archive: Store, source: SourceRecord, web: NewsWeb, site: Site) -> BareScore:
    until = last_visit(archive, source)
    published = {urls.key(each.url) for each in web.articles(source.added_at, until, site=site, outlines=True)}
    stored = [
        (urls.key(item.article.url or ""), web.kind(item.article.url or "", item.fetched_at))
        for item in archive.articles(source=source.key)
    ]
    keys = {key for key, _ in stored}
    wrong = sum(1 for _, kind in stored if kind != "article")
    return BareScore(len(published), len(published & keys), wrong, len(stored) - len(keys))


@lru_cache(maxsize=1 << 12)
def _identity(group: str) -> str:
    return hashlib.blake2b(group.encode(), digest_size=8).hexdigest()
