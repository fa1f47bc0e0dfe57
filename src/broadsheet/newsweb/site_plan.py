"""What the fronts of a planned site consist of, and how its pages are put together."""

from dataclasses import dataclass
from typing import Literal

#: How a list is filled: newest first; by an editor; fixed places whose item is replaced; by readers; old articles that
#: stay for years; other old articles every hour; links to other sites; the site's own services, in turn.
Filling = Literal["latest", "edited", "places", "most-read", "kept", "revived", "partners", "promotions"]
BoxSpot = Literal["main", "side", "low"]

FrameKind = Literal["semantic", "divs", "tables", "left", "grid"]
ListKind = Literal["items", "rows", "articles", "cells", "numbered"]
CardKind = Literal["headline", "blurb", "picture", "block", "tagged", "full"]
ArticleKind = Literal["plain", "prose", "breaks", "wrapped", "columns"]
HeadKind = Literal["json-ld", "opengraph", "microdata", "bare"]
#: What the `og:type` of pages says: what each is; that all are articles; nothing; of each what it is not.
StatedTypes = Literal["own", "article", "none", "wrong"]


@dataclass(frozen=True, slots=True)
class BoxPlan:
    """A list on a front: how it is filled, with how many stories, of which section (None: the page's own, or all)."""

    filling: Filling
    size: int
    section: int | None = None
    spot: BoxSpot = "main"


@dataclass(frozen=True, slots=True)
class PageLayout:
    """The parts that a site's pages are composed of; `vocabulary` chooses the names of its classes."""

    name: str
    frame: FrameKind
    lists: ListKind
    cards: CardKind
    article: ArticleKind
    head: HeadKind
    vocabulary: int = 0


@dataclass(frozen=True, slots=True)
class SitePlan:
    """Everything that is drawn for a planned site besides its sections.

    `life` is how many hours an edited list keeps the most appealing story, `edits` the minutes between two looks of its
    editor. `services` are the site's own other pages, the last `promoted` ones linked now and then; `partners` are
    other sites that it links to. The links of the bar and of the `menus` may be `repeated` in the foot. `about` is the
    paragraphs about the site in its foot, `padding` the bytes of scripts and styles on each page.

    `types` is what the `og:type` of pages says. Articles without `bylines` state neither author nor date. On `timed`
    fronts, teasers state when a story was published; on `pictured` ones each has a picture, whatever its card. `intro`
    is how many sentences introduce a front, `lead` how many paragraphs of the newest story stand in full above its
    lists. Each page has so many `forms` (to search, to subscribe) and `adverts`. `dated_pages` have a date and an
    author although they are legal pages.
    """

    kind: str
    layout: PageLayout
    addresses: int
    home: tuple[BoxPlan, ...]
    front: tuple[BoxPlan, ...]
    article: tuple[BoxPlan, ...] = ()
    services: tuple[str, ...] = ()
    promoted: int = 0
    partners: tuple[str, ...] = ()
    menus: bool = False
    life: float = 12.0
    edits: int = 30
    repeated: bool = False
    about: int = 0
    types: StatedTypes = "own"
    bylines: bool = True
    timed: bool = False
    pictured: bool = False
    intro: int = 0
    lead: int = 0
    forms: int = 0
    adverts: int = 0
    dated_pages: bool = False
    padding: int = 0
    banner: bool = False
    boxes_on_legal_pages: bool = False
    paywall: float = 0.0
    tracking: bool = False
