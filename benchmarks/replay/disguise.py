"""Make a real page pass for another: with that one's title, without its own address, and with links to its new site."""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from lxml import etree, html

from broadsheet.base import urls
from broadsheet.base.domains import registrable_domain

_TITLES = frozenset({"og:title", "twitter:title", "title", "dc.title", "headline"})
_ADDRESSES = frozenset({"og:url", "twitter:url", "al:web:url", "url", "mainentityofpage"})
_RELATIONS = frozenset({"canonical", "alternate", "amphtml", "shortlink", "next", "prev", "self"})
#: Where a corpus does not say where a page is from, its relative links are still links to its own site.
_UNKNOWN = "https://stand-in.invalid/"
#: The fewest letters of a link that reads like a headline; shorter ones are navigation.
_HEADLINE = 22


LinkRule = Literal["own", "away", "kept"]
LINK_RULES: tuple[LinkRule, ...] = get_args(LinkRule)


@dataclass(frozen=True, slots=True)
class OwnTargets:
    """Where the links to a page's own site lead: to these targets, or away, or wherever its hrefs happen to lead."""

    articles: Sequence[str]
    sections: Sequence[str]
    rule: LinkRule = "own"

    def target(self, url: str, text: str) -> str:
        """Return the target for a link, always the same one for the same address."""
        if self.rule == "away":
            return url
        chosen = self.articles if len(text) >= _HEADLINE else self.sections
        number = int.from_bytes(hashlib.blake2b(url.encode(), digest_size=8).digest())
        return chosen[number % len(chosen)]


def disguise(page: bytes, own_url: str | None, title: str, targets: OwnTargets) -> bytes:
    """Return the page with another title, without its own address, and with its own links led to the targets."""
    try:
        tree = html.document_fromstring(page, parser=html.HTMLParser(encoding="utf-8", huge_tree=True))
    except etree.ParserError:
        # It has no elements, so nothing in it has to be replaced.
        return page
    _drop_addresses(tree)
    if title:
        _set_titles(tree, title)
    for script in tree.iter("script"):
        if script.get("type", "").strip().lower() == "application/ld+json":
            script.text = _data(script.text or "", title)
    if targets.rule != "kept":
        _lead_links(tree, own_url or _UNKNOWN, targets.target)
    return bytes(etree.tostring(tree.getroottree(), method="html", encoding="utf-8"))


def _drop_addresses(tree: html.HtmlElement) -> None:
    for element in list(tree.iter("link", "meta")):
        relations = set(element.get("rel", "").lower().split())
        is_refresh = element.get("http-equiv", "").lower() == "refresh"
        if is_refresh or relations & _RELATIONS or _name(element) in _ADDRESSES:
            element.drop_tree()


def _set_titles(tree: html.HtmlElement, title: str) -> None:
    for element in tree.iter("meta"):
        if _name(element) in _TITLES:
            element.set("content", title)
    for tag in ("title", "h1"):
        if (element := tree.find(f".//{tag}")) is not None:
            for child in list(element):
                element.remove(child)
            element.text = title


def _name(element: html.HtmlElement) -> str:
    return (element.get("property") or element.get("name") or element.get("itemprop") or "").lower()


def _data(text: str, title: str) -> str:
    """Return JSON-LD with another headline and without the page's address; what is not JSON is dropped."""
    try:
        data = json.loads(text, strict=False)
    except ValueError:
        return ""
    roots = data if isinstance(data, list) else [data]
    graphs = [root.get("@graph") for root in roots if isinstance(root, dict)]
    for node in (*roots, *(node for graph in graphs if isinstance(graph, list) for node in graph)):
        if isinstance(node, dict):
            _rename(node, title)
    # "</" would end the script.
    return json.dumps(data, ensure_ascii=False).replace("</", "<\\/")


def _rename(node: dict[str, Any], title: str) -> None:
    for name in ("url", "mainEntityOfPage"):
        node.pop(name, None)
    if "headline" in node:
        # Other parts refer to a node by its identifier, but the article's is its address.
        node.pop("@id", None)
        node["headline"] = title or node["headline"]


def _lead_links(tree: html.HtmlElement, own_url: str, target: Callable[[str, str], str]) -> None:
    base, domain = own_url, registrable_domain(own_url)
    for element in list(tree.iter("base")):
        base = urls.resolve(element.get("href", ""), own_url) or base
        element.drop_tree()
    for link in tree.iter("a", "area"):
        href = link.get("href")
        if href is None or href.startswith("#"):
            continue
        if {"next", "prev"} & set(link.get("rel", "").lower().split()):
            link.attrib.pop("rel")
        url = urls.resolve(href, base)
        if url is not None:
            is_own = registrable_domain(url) == domain
            link.set("href", target(url, " ".join("".join(link.itertext()).split())) if is_own else url)
