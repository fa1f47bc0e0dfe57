"""In which order the links of a planned site's page stand in its HTML, and which of them belong together."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from broadsheet.newsweb._page_content import Link, PageContent, Role, Teaser
from broadsheet.newsweb.site_plan import CardKind, FrameKind

Region = Literal["top", "bar", "menus", "main", "side", "low", "foot"]

#: The order of the regions of a page in each frame.
REGIONS: dict[FrameKind, tuple[Region, ...]] = {
    "semantic": ("top", "bar", "menus", "main", "side", "low", "foot"),
    "divs": ("bar", "top", "main", "side", "low", "menus", "foot"),
    "tables": ("top", "bar", "menus", "main", "side", "low", "foot"),
    "left": ("bar", "side", "main", "low", "foot", "menus", "top"),
    "grid": ("bar", "menus", "main", "low", "side", "foot", "top"),
}


class Occurrence(NamedTuple):
    """A link as a crawler finds it: its target, its text, which links it belongs to, its place among them, its role."""

    url: str
    text: str
    collection: str
    position: int
    role: Role


class CardAnchor(NamedTuple):
    """One of the links of a card."""

    part: str
    link: Link


def card_anchors(card: CardKind, teaser: Teaser, more: str) -> list[CardAnchor]:
    """Return the links of a card in their order; its picture and its headline may be links of their own."""
    headline, tag = CardAnchor("headline", teaser.link), teaser.tag
    if card == "block":
        texts = (tag.text if tag else "", teaser.link.text, teaser.standfirst)
        text = " ".join(" ".join(texts).split())
        return [CardAnchor("headline", Link(teaser.link.role, teaser.link.path, text))]
    if tag is None or card in ("headline", "blurb"):
        return [headline]
    # Where the picture and the headline are the only links, the picture says what it leads to.
    text = teaser.link.text if card == "picture" else ""
    picture = CardAnchor("picture", Link(teaser.link.role, teaser.link.path, text))
    if card == "picture":
        return [picture, headline]
    if card == "tagged":
        return [CardAnchor("tag", tag), headline]
    return [
        picture,
        CardAnchor("tag", tag),
        headline,
        CardAnchor("more", Link(teaser.link.role, teaser.link.path, more)),
    ]


def groups_of(page: PageContent, region: Region) -> Iterator[tuple[str, tuple[Link, ...]]]:
    """Yield the links of a region that are not in boxes, in groups with a name."""
    surround = page.surround
    match region:
        case "bar":
            yield "logo", page.bar[:1]
            yield "bar", page.bar
        case "foot":
            columns = surround.columns if surround else ()
            yield from ((f"foot-{number}", links) for number, links in enumerate((*columns, page.foot)))
        case "top":
            yield "top", surround.top if surround else ()
        case "menus":
            menus = surround.menus if surround else ()
            yield from ((f"menu-{number}", links) for number, links in enumerate(menus))
        case "main":
            yield "crumbs", page.crumbs
            yield "authors", page.authors
            yield "pager", page.pager
            yield from page.extras
        case _:
            return
