"""The lists of composed pages: their elements and their cards.

The same lists are on many pages and stay for hours, so what was rendered is cached.
"""

from collections.abc import Iterable
from functools import lru_cache
from html import escape

from broadsheet.newsweb._link_order import card_anchors
from broadsheet.newsweb._page_content import Box, Link, Teaser
from broadsheet.newsweb.site_plan import CardKind, ListKind, PageLayout
from broadsheet.newsweb.templates._class_names import class_of
from broadsheet.newsweb.templates._view import anchor

#: The elements around a list and around each of its entries.
_LISTS: dict[ListKind, tuple[str, str, str, str]] = {
    "items": ("<ul{0}>", "<li{0}>", "</li>", "</ul>"),
    "rows": ("<div{0}>", "<div{0}>", "</div>", "</div>"),
    "articles": ("<section{0}>", "<article{0}>", "</article>", "</section>"),
    "cells": ("<table{0}>", "<tr><td{0}>", "</td></tr>", "</table>"),
    "numbered": ("<ol{0}>", "<li{0}>", "</li>", "</ol>"),
}


@lru_cache(maxsize=1024)
def links_html(layout: PageLayout, name: str, links: tuple[Link, ...]) -> str:
    """Render links without a heading; the logo stands alone."""
    if name == "logo":
        return f"<strong{class_of(layout.vocabulary, 'logo')}>{anchor(links[0])}</strong>"
    kind: ListKind = "rows" if layout.frame == "tables" else "items"
    return _list(layout, kind, name.partition("-")[0], map(anchor, links))


@lru_cache(maxsize=1024)
def box_html(layout: PageLayout, box: Box, more: str) -> str:
    """Render a list of stories with its heading."""
    card: CardKind = layout.cards if box.spot == "main" else "headline"
    kind: ListKind = layout.lists if box.spot == "main" else "items"
    # Beside the main column, every other layout has plain links.
    plain = box.spot != "main" and layout.vocabulary % 4 < 2
    entries = (_card(layout.vocabulary, card, teaser, more, plain) for teaser in box.teasers)
    title = anchor(box.heading) if box.heading else escape(box.title)
    heading = f"<h2{class_of(layout.vocabulary, 'heading')}>{title}</h2>" if title else ""
    role = class_of(layout.vocabulary, box.role)
    return f"<div{role}>{heading}\n{_list(layout, kind, 'list', entries)}\n</div>"


def _list(layout: PageLayout, kind: ListKind, name: str, entries: Iterable[str]) -> str:
    start, before, after, end = _LISTS[kind]
    start = start.format(class_of(layout.vocabulary, name))
    before = before.format(class_of(layout.vocabulary, f"{name}-item"))
    inner = "\n".join([f"{before}{entry}{after}" for entry in entries])
    return f"{start}\n{inner}\n{end}"


@lru_cache(maxsize=16_384)
def _card(vocabulary: int, kind: CardKind, teaser: Teaser, more: str, plain: bool) -> str:
    if plain:
        return anchor(teaser.link)
    text = f"<p{class_of(vocabulary, 'date')}>{escape(teaser.stated)}</p>" if teaser.stated else ""
    if kind == "block":
        return _block(vocabulary, teaser, f"<p{class_of(vocabulary, 'summary')}>{escape(teaser.standfirst)}</p>") + text
    if kind in ("blurb", "full"):
        text += f"<p{class_of(vocabulary, 'summary')}>{escape(teaser.standfirst)}</p>"
    anchors = card_anchors(kind, teaser, more)
    # In the other cards, the picture is a link.
    shown = teaser.pictured and kind in ("headline", "blurb", "tagged")
    picture = [f'<img src="{teaser.picture}" alt="">'] if shown else []
    return "\n".join(picture + [_part(vocabulary, part, link, teaser.picture, text) for part, link in anchors])


def _block(vocabulary: int, teaser: Teaser, text: str) -> str:
    tag = f"<span{class_of(vocabulary, 'tag')}>{escape(teaser.tag.text)}</span> " if teaser.tag else ""
    inner = f"{tag}<h3{class_of(vocabulary, 'title')}>{escape(teaser.link.text)}</h3> {text}"
    picture = f'<img src="{teaser.picture}" alt="">'
    return f'<a{class_of(vocabulary, "card")} href="{escape(teaser.link.path)}">{picture} {inner}</a>'


def _part(vocabulary: int, part: str, link: Link, picture: str, text: str) -> str:
    match part:
        case "picture":
            image = f'<img src="{picture}" alt="{escape(link.text)}">'
            return f'<a{class_of(vocabulary, "pic")} href="{escape(link.path)}">{image}</a>'
        case "tag":
            return f"<p{class_of(vocabulary, 'tag')}>{anchor(link)}</p>"
        case "more":
            return f"<div{class_of(vocabulary, 'more')}>{anchor(link)}</div>"
        case _:
            return f"<h3{class_of(vocabulary, 'title')}>{anchor(link)}</h3>{text}"
