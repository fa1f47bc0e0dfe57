"""Lists the links of a planned site's pages in the order of their HTML, without making it."""

from collections.abc import Hashable, Iterable, Iterator
from typing import NamedTuple, TypeVar

from broadsheet.newsweb._link_order import REGIONS, Occurrence, Region, card_anchors, groups_of
from broadsheet.newsweb._page_content import Box, Link, PageContent, Role, Teaser
from broadsheet.newsweb._site_frame import SiteFrame
from broadsheet.newsweb.site import Site
from broadsheet.newsweb.site_plan import CardKind, SitePlan
from broadsheet.newsweb.truth import LinkTruth

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

#: When so many cards or boxes are kept, all are dropped.
_MAX_KEPT = 8192


class ListedBox(NamedTuple):
    """A box and its links."""

    box: Box
    rows: list[Occurrence]


class ListedCard(NamedTuple):
    """A teaser, and of each link of its card the part that it is in, its address, text and role."""

    teaser: Teaser
    anchors: list[tuple[str, str, str, Role]]


class LinkListing:
    """Lists the links of pages; what was listed for a box serves as long as the box stays the same."""

    def __init__(self, site: Site, plan: SitePlan, frame: SiteFrame) -> None:
        """Take the site and what surrounds its pages."""
        self._layout = plan.layout
        self._frame = frame
        self._more = site.lexicon.interface.more
        self._bare = frame.around(PageContent("legal", "", "", site.lexicon, site.founded))
        self._fixed: dict[tuple[Region, str], list[Occurrence]] = {}
        self._boxes: dict[tuple[int, CardKind, str], ListedBox] = {}
        self._cards: dict[tuple[int, CardKind, str], ListedCard] = {}

    def occurrences(self, page: PageContent, base: str) -> tuple[Occurrence, ...]:
        """Return the links of a page in the order of its HTML."""
        rows: list[Occurrence] = []
        layout = page.layout or self._layout
        for region in REGIONS[layout.frame]:
            if region == "main":
                crumbs, authors, *others = groups_of(page, region)
                rows += _group_rows((crumbs, authors), base)
            else:
                others = []
                rows += self._fixed_rows(page, region, base)
            # Cards beside the main column have headlines only.
            card: CardKind = layout.cards if region == "main" else "headline"
            for number, box in enumerate(page.boxes):
                if box.spot == region:
                    rows += self._box_rows(number, box, card, base)
            rows += _group_rows(others, base)
        return tuple(rows)

    def truths(self, page: PageContent, base: str) -> Iterator[LinkTruth]:
        """Yield the links of a page as ground truth, one for each occurrence."""
        groups: dict[str, int] = {}
        for each in self.occurrences(page, base):
            group = groups.setdefault(each.collection, len(groups))
            yield LinkTruth(each.url, each.role, group, each.position, each.text)

    def _fixed_rows(self, page: PageContent, region: Region, base: str) -> list[Occurrence]:
        """Return the links of a region that are not in boxes; most pages have the same."""
        if page.surround is not self._frame.surround or page.bar is not self._frame.bar:
            return _group_rows(groups_of(page, region), base)
        rows = self._fixed.get((region, base))
        if rows is None:
            rows = self._fixed[region, base] = _group_rows(groups_of(self._bare, region), base)
        return rows

    def _box_rows(self, number: int, box: Box, card: CardKind, base: str) -> list[Occurrence]:
        kept = self._boxes.get((number, card, base))
        if kept is not None and kept.box is box:
            return kept.rows
        names = {part: f"{number}-{part}" for part in ("headline", "picture", "tag", "more")}
        rows = [
            Occurrence(url, text, names[part], position, role)
            for position, teaser in enumerate(box.teasers)
            for part, url, text, role in self._card_rows(teaser, card, base)
        ]
        if box.heading:
            heading = box.heading
            rows.insert(0, Occurrence(heading.url(base), heading.text, f"{number}-heading", 0, heading.role))
        _keep(self._boxes, (number, card, base), ListedBox(box, rows))
        return rows

    def _card_rows(self, teaser: Teaser, card: CardKind, base: str) -> list[tuple[str, str, str, Role]]:
        key = (teaser.key, card, base)
        kept = self._cards.get(key)
        if kept is not None and kept.teaser is teaser:
            return kept.anchors
        anchors = [
            (part, link.url(base), link.text, link.role) for part, link in card_anchors(card, teaser, self._more)
        ]
        _keep(self._cards, key, ListedCard(teaser, anchors))
        return anchors


def _group_rows(groups: Iterable[tuple[str, tuple[Link, ...]]], base: str) -> list[Occurrence]:
    return [
        Occurrence(link.url(base), link.text, name, position, link.role)
        for name, links in groups
        for position, link in enumerate(links)
    ]


def _keep(kept: dict[K, V], key: K, value: V) -> None:
    if len(kept) >= _MAX_KEPT:
        kept.clear()
    kept[key] = value
