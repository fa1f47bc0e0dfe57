"""Composed pages: a frame around the regions of a page, lists of one kind, cards of one kind, an article layout."""

from collections.abc import Callable
from functools import lru_cache
from html import escape

from broadsheet.newsweb._link_order import REGIONS, Region, card_anchors, groups_of
from broadsheet.newsweb._page_content import Box, Link, Teaser
from broadsheet.newsweb.site_plan import CardKind, ListKind, SitePlan
from broadsheet.newsweb.templates._article_layouts import render_article
from broadsheet.newsweb.templates._class_names import class_of
from broadsheet.newsweb.templates._page_heads import render_head
from broadsheet.newsweb.templates._scripted_lists import scripted_lists
from broadsheet.newsweb.templates._view import PageView, anchor

#: The elements around a list and around each of its entries.
_LISTS: dict[ListKind, tuple[str, str, str, str]] = {
    "items": ("<ul{0}>", "<li{0}>", "</li>", "</ul>"),
    "rows": ("<div{0}>", "<div{0}>", "</div>", "</div>"),
    "articles": ("<section{0}>", "<article{0}>", "</article>", "</section>"),
    "cells": ("<table{0}>", "<tr><td{0}>", "</td></tr>", "</table>"),
    "numbered": ("<ol{0}>", "<li{0}>", "</li>", "</ol>"),
}
_WRAPPERS = ("div", "section", "article")
_REGION_TAGS: dict[str, dict[Region, str]] = {
    "semantic": {"top": "header", "bar": "nav", "menus": "nav", "main": "main", "side": "aside", "foot": "footer"},
    "left": {"bar": "header", "menus": "div", "main": "main", "side": "div", "foot": "footer"},
    "grid": {"bar": "nav", "main": "section", "side": "section", "low": "section", "foot": "footer"},
}


def render(view: PageView) -> str:
    """Render a page of a planned site."""
    plan = view.site.plan
    if plan is None:
        raise ValueError(f"the site {view.site.slug} has no plan to compose its pages by")
    composer = Composer(view, plan)
    head = render_head(view, plan.layout.head, plan.padding)
    return (
        f'<!DOCTYPE html>\n<html lang="{view.page.lexicon.language}">\n<head>\n{head}\n</head>\n'
        f"<body{composer.named('body')}>\n{composer.banner()}{composer.frame()}\n</body>\n</html>\n"
    )


class Composer:
    """Renders the regions of one page."""

    def __init__(self, view: PageView, plan: SitePlan) -> None:
        """Take the page and the parts to compose it of."""
        self._view = view
        self._plan = plan
        self._layout = plan.layout

    def named(self, thing: str) -> str:
        """Return the class attribute for a thing."""
        return class_of(self._layout.vocabulary, thing)

    def banner(self) -> str:
        """Render the banner that asks for consent."""
        text = self._view.page.surround.banner if self._view.page.surround else ""
        if not text:
            return ""
        words = self._view.page.lexicon.interface
        button = f"<button>{escape(words.more)}</button>"
        return f'<div id="consent"{self.named("consent")}><p>{escape(text)}</p>{button}</div>\n'

    def frame(self) -> str:
        """Render all regions in the order of the frame."""
        frame = self._layout.frame
        if frame == "tables":
            return self._table_frame()
        tags = _REGION_TAGS.get(frame, {})
        parts = []
        for region in REGIONS[frame]:
            tag, inner = tags.get(region, "div"), self.region(region)
            parts.append(f"<{tag}{self.named(region)}>\n{inner}\n</{tag}>" if inner else "")
        inner = "\n".join(parts)
        # Sites that are not written by hand wrap everything a few times.
        depth = {"divs": 3, "grid": 1}.get(frame, 0)
        return f"{'<div>' * depth}{inner}{'</div>' * depth}"

    def _table_frame(self) -> str:
        top, bar, menus, main, side, low, foot = (self.region(region) for region in REGIONS["tables"])
        return (
            f'<table width="980" border="0"><tr><td colspan="3">{top}</td></tr>\n<tr valign="top"><td width="150">'
            f'{bar}{menus}</td><td width="600">{main}</td><td width="220">{side}</td></tr>\n'
            f'<tr><td colspan="3">{low}<hr>{foot}</td></tr></table>'
        )

    def region(self, region: Region) -> str:
        """Render one region."""
        page = self._view.page
        groups = dict(groups_of(page, region))
        if region == "main":
            return self._main(groups)
        parts = [self._links(name, links) for name, links in groups.items() if links]
        if region == "foot":
            about = "" if page.surround is None else page.surround.about
            parts.append(f"<p{self.named('rights')}>{escape(about)} © {escape(self._view.site.name)}</p>")
        parts += self._boxes(region)
        return "\n".join(parts)

    def _main(self, groups: dict[str, tuple[Link, ...]]) -> str:
        page = self._view.page
        crumbs = self._links("crumbs", groups["crumbs"]) if groups["crumbs"] else ""
        pager = self._links("pager", groups["pager"]) if groups["pager"] else ""
        boxes = self._boxes("main")
        if page.story:
            article = render_article(self._view, page.story, self._layout.article, self.named)
            return "\n".join((crumbs, article, *boxes, pager))
        text = "".join(f"<p{self.named('par')}>{escape(paragraph)}</p>\n" for paragraph in page.paragraphs)
        title = f"<h1{self.named('title')}>{escape(page.title)}</h1>"
        return "\n".join((crumbs, title, text, *boxes, *scripted_lists(self._view), pager))

    def _links(self, name: str, links: tuple[Link, ...]) -> str:
        if name == "logo":
            return f"<strong{self.named('logo')}>{anchor(links[0])}</strong>"
        kind: ListKind = "rows" if self._layout.frame == "tables" else "items"
        return self._list(kind, name.partition("-")[0], [anchor(link) for link in links])

    def _list(self, kind: ListKind, name: str, entries: list[str]) -> str:
        start, before, after, end = _LISTS[kind]
        start, before = start.format(self.named(name)), before.format(self.named(f"{name}-item"))
        inner = "\n".join(f"{before}{entry}{after}" for entry in entries)
        return f"{start}\n{inner}\n{end}"

    def _boxes(self, region: Region) -> list[str]:
        """Render the lists of a region; each is wrapped in its own way, as the widgets of real pages are."""
        parts = []
        for number, box in enumerate(self._view.boxes_at(region)):
            before, after = _wrapping(number)
            parts.append(f"{before}{self._box(box)}{after}")
        return parts

    def _box(self, box: Box) -> str:
        card: CardKind = self._layout.cards if box.spot == "main" else "headline"
        kind: ListKind = self._layout.lists if box.spot == "main" else "items"
        entries = [self._card(card, teaser) for teaser in box.teasers]
        title = anchor(box.heading) if box.heading else escape(box.title)
        heading = f"<h2{self.named('heading')}>{title}</h2>" if title else ""
        return f"<div{self.named(box.role)}>{heading}\n{self._list(kind, 'list', entries)}\n</div>"

    def _card(self, kind: CardKind, teaser: Teaser) -> str:
        text = (
            f"<p{self.named('summary')}>{escape(teaser.standfirst)}</p>" if kind in ("block", "blurb", "full") else ""
        )
        if kind == "block":
            tag = f"<span{self.named('tag')}>{escape(teaser.tag.text)}</span> " if teaser.tag else ""
            inner = f"{tag}<h3{self.named('title')}>{escape(teaser.link.text)}</h3> {text}"
            picture = f'<img src="{teaser.picture}" alt="">'
            return f'<a{self.named("card")} href="{escape(teaser.link.path)}">{picture} {inner}</a>'
        parts: dict[str, Callable[[Link], str]] = {
            "picture": lambda link: (
                f'<a{self.named("pic")} href="{escape(link.path)}">'
                f'<img src="{teaser.picture}" alt="{escape(link.text)}"></a>'
            ),
            "tag": lambda link: f"<p{self.named('tag')}>{anchor(link)}</p>",
            "headline": lambda link: f"<h3{self.named('title')}>{anchor(link)}</h3>{text}",
            "more": lambda link: f"<div{self.named('more')}>{anchor(link)}</div>",
        }
        more = self._view.site.lexicon.interface.more
        return "\n".join(parts[part](link) for part, link in card_anchors(kind, teaser, more))


@lru_cache(maxsize=256)
def _wrapping(number: int) -> tuple[str, str]:
    """Return the elements around the list with this number in its region, others for each number."""
    names = []
    number += 1
    while number:
        number, digit = divmod(number - 1, len(_WRAPPERS))
        names.append(_WRAPPERS[digit])
    return "".join(f"<{name}>" for name in names), "".join(f"</{name}>" for name in reversed(names))
