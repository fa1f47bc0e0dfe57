"""A saved or made page as the statistics see it: its links with their paths, and its text."""

import re
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from lxml import etree, html

_INDEX = re.compile(r"\[\d+\]")
_HIDDEN = ("script", "style", "noscript", "template")


@dataclass(frozen=True)
class SeenLink:
    """A link: where it leads, the path of its element, its text, and whether it leads to an article (None: unknown)."""

    url: str
    path: str
    text: str
    is_article: bool | None


@dataclass(frozen=True)
class SeenLinks:
    """The links of one page at one time."""

    at: datetime
    links: tuple[SeenLink, ...]

    @cached_property
    def collections(self) -> dict[str, list[str]]:
        """The targets under each path without indices, in their order."""
        targets: dict[str, list[str]] = defaultdict(list)
        for link in self.links:
            targets[_INDEX.sub("", link.path)].append(link.url)
        return targets

    @cached_property
    def places(self) -> dict[str, tuple[str, int]]:
        """The first place of each target: its collection, and its position there."""
        places: dict[str, tuple[str, int]] = {}
        for collection, urls in self.collections.items():
            for position, url in enumerate(urls):
                places.setdefault(url, (collection, position))
        return places

    def targets(self, is_article: bool) -> set[str]:
        """Return the targets that are articles, or those that are known to be something else."""
        return {link.url for link in self.links if link.is_article is is_article}


@dataclass(frozen=True)
class SeenText:
    """The text of a page: its bytes, words, and the share of characters in links and in the body of an article."""

    size: int
    words: int
    link_density: float
    body_share: float | None = None


@dataclass
class SeenSite:
    """All that is known of a site: snapshots of its fronts, and texts of fronts and articles."""

    name: str
    fronts: dict[str, list[SeenLinks]] = field(default_factory=dict)
    front_texts: list[SeenText] = field(default_factory=list)
    article_texts: list[SeenText] = field(default_factory=list)


def read_text(content: bytes, body: str | None = None) -> SeenText | None:
    """Measure the text of a page, or return None if it has none."""
    try:
        tree = html.document_fromstring(content, parser=html.HTMLParser(encoding="utf-8"))
    except etree.ParserError:
        return None
    etree.strip_elements(tree, *_HIDDEN, with_tail=False)
    text = " ".join("".join(map(str, tree.itertext())).split())
    if not text:
        return None
    linked = sum(len(" ".join("".join(map(str, link.itertext())).split())) for link in tree.iter("a"))
    share = None if body is None else min(1.0, len(" ".join(body.split())) / len(text))
    return SeenText(len(content), len(text.split()), min(1.0, linked / len(text)), share)
