"""A plain first judge: the shape of a link, how steadily it is linked, and how much of a page is links.

Its weights are set by hand and its probabilities are not calibrated.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote, urlsplit

from broadsheet.base.domains import registrable_domain
from broadsheet.base.records import Article, Kind, Verdict
from broadsheet.base.text_weight import weight
from broadsheet.document import Document
from broadsheet.newsroom.judge import LinkEvidence

MODEL = "naive-1"

_DATE = re.compile(r"(?:19|20)[0-9]{2}[/-]?(?:0[1-9]|1[0-2]|[1-9])(?:[/-]?(?:[0-2]?[0-9]|3[01]))?(?![0-9])")
_NUMBER = re.compile(r"[0-9]{5,}")
_SLUG_WORDS = 4
#: A headline has at least so many letters, a name in a navigation bar fewer.
_HEADLINE = 22
_NAVIGATION = 18
#: A text of fewer letters is not an article, and a page with so many links to articles and so much of its text in
#: links is a list of them.
MIN_BODY = 250
MIN_ARTICLE_LINKS = 8
MIN_LINK_SHARE = 0.35
_ARTICLE_TYPES = frozenset({"article", "newsarticle", "reportagenewsarticle", "blogposting"})
#: Stability says something only after some rounds.
_ROUNDS = 4


@dataclass(frozen=True, slots=True)
class Sign:
    """One reason for or against an article, in logits and in words."""

    weight: float
    reason: str


class NaiveJudge:
    """Adds up signs; an article needs more than even odds, the rest may be a section until the page itself is seen."""

    def link(self, evidence: LinkEvidence) -> Verdict:
        """Say what a link leads to: an article, or, as far as a link can tell, a section."""
        signs = [*shape(evidence.url), *_anchor(evidence.anchor), *_stability(evidence)]
        probability = 1 / (1 + math.exp(-sum((sign.weight for sign in signs), -1.0)))
        kind: Kind = "article" if probability > 0.5 else "section"
        if kind == "section" and _is_file(evidence.url):
            kind = "other"
        return _verdict(kind, max(probability, 1 - probability), *(sign.reason for sign in signs))

    def page(self, document: Document, article: Article | None, link: Verdict) -> Verdict:
        """Say what a page is: many links to articles make a section, much text an article."""
        linked, share = article_links(document), link_share(document)
        letters = weight(article.body) if article else 0
        stated = any(value.value.lower() in _ARTICLE_TYPES for value in document.metadata.types)
        if linked >= MIN_ARTICLE_LINKS and share >= MIN_LINK_SHARE and not stated:
            return _verdict("section", 0.8, f"{linked} links to articles, {share:.0%} of the text in links")
        if letters >= MIN_BODY and (stated or link.kind == "article"):
            return _verdict("article", link.probability, f"{letters:,} letters of text", *link.reasons)
        return _verdict("other", 0.6, f"{letters:,} letters of text, {linked} links to articles")


@lru_cache(maxsize=65_536)
def shape(url: str) -> tuple[Sign, ...]:
    """Return what the address alone says."""
    parts = urlsplit(url)
    segments = [segment for segment in unquote(parts.path).split("/") if segment]
    if not segments:
        return (Sign(-4.0, "the address of a whole site"),)
    return tuple(_shape(parts.path, segments))


def article_links(document: Document) -> int:
    """Count the distinct targets on the page's own site whose address looks like an article's."""
    links = document.links
    own = registrable_domain(document.url or "")
    return sum(
        1
        for url, domain in zip(links.urls, links.domains, strict=True)
        if domain == own and sum(sign.weight for sign in shape(url)) > 0
    )


def link_share(document: Document) -> float:
    """Return how much of the page's text stands in links."""
    total = int(document.sums.characters[-1])
    return int(document.sums.link_characters[-1]) / total if total else 0.0


def _shape(path: str, segments: list[str]) -> Iterator[Sign]:
    last = segments[-1]
    if _DATE.search(path):
        yield Sign(2.0, "a date in the address")
    elif _NUMBER.search(last):
        yield Sign(2.0, "a long number in the address")
    if sum(1 for word in re.split(r"[-_+ ]", last) if word) >= _SLUG_WORDS:
        yield Sign(2.0, "words in the address")
    if len(segments) == 1 and len(last) < _NAVIGATION:
        yield Sign(-1.0, "a short address")


def _anchor(anchor: str) -> Iterator[Sign]:
    width = weight("".join(filter(str.isalnum, anchor)))
    if width >= _HEADLINE:
        yield Sign(2.5, "called by a headline")
    elif 0 < width < _NAVIGATION:
        yield Sign(-1.0, "called by a short name")


def _stability(evidence: LinkEvidence) -> Iterator[Sign]:
    if evidence.late:
        yield Sign(0.5, "appeared while the source was followed")
    if evidence.rounds >= _ROUNDS:
        share = evidence.seen / evidence.rounds
        if share >= 0.95:
            yield Sign(-1.5, f"linked in {share:.0%} of the rounds")
        elif share <= 0.7:
            yield Sign(1.0, f"linked in {share:.0%} of the rounds only")


def _is_file(url: str) -> bool:
    last = urlsplit(url).path.rpartition("/")[2].lower()
    return last.endswith((".pdf", ".xml", ".rss", ".jpg", ".jpeg", ".png", ".gif", ".svg", ".mp3", ".mp4", ".zip"))


def _verdict(kind: Kind, probability: float, *reasons: str) -> Verdict:
    return Verdict(kind, None, probability, {kind: probability}, tuple(reasons), MODEL)
