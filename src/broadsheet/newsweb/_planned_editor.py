"""Assembles the pages of a planned site."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cached_property, lru_cache
from itertools import islice
from random import Random
from typing import NamedTuple

from broadsheet.newsweb._editor import AUTHOR_STORIES, Editor
from broadsheet.newsweb._extra_pages import DAY_STORIES, TAG_STORIES, ExtraPages
from broadsheet.newsweb._front_lists import FrontLists
from broadsheet.newsweb._link_order import REGIONS, Occurrence, Region, anchor_rows, groups_of
from broadsheet.newsweb._page_content import Box, Link, PageContent, Role, Subtype, Surround, Teaser
from broadsheet.newsweb._places import SitePlace, service_path
from broadsheet.newsweb._stories import NEVER
from broadsheet.newsweb._story_history import Story
from broadsheet.newsweb._timeline import Slot
from broadsheet.newsweb._word_model import WordLexicon
from broadsheet.newsweb.site import FOUNDED, Section, Site
from broadsheet.newsweb.site_plan import BoxPlan, BoxSpot, CardKind, Filling, SitePlan
from broadsheet.newsweb.truth import LinkTruth

#: How many of the services are linked at the top of each page, and in each column of the footer.
TOP_LINKS, COLUMN_LINKS = 8, 6
#: How long a promotion lasts.
PROMOTION = timedelta(hours=4)
#: What a reader without a subscription sees of an article.
FREE_PARAGRAPHS = 2

_ROLES: dict[Filling, Role] = {"most-read": "most-read", "kept": "kept", "partners": "partner"}
_EXTRA_PAGES = frozenset[Subtype]({"tag", "day", "edition", "calendar"})
_BOXES_CACHED, _TEASERS_CACHED = 512, 8192


class KeptBox(NamedTuple):
    """A list that does not change from one time until another, and a time at or after its last change."""

    box: Box
    changed: datetime
    since: datetime
    until: datetime


class PlannedEditor(Editor):
    """Produces the pages of a site whose lists and layout are planned."""

    def __init__(self, site: Site, plan: SitePlan) -> None:
        """Set up the lists of a site; pages are computed on demand."""
        super().__init__(site)
        self.plan = plan
        self.members = tuple(map(site.members, site.sections))
        self.lists = FrontLists(site, plan, self.timeline, self.stories)
        self.extra_pages = ExtraPages(site, self.timeline)
        self._teasers: dict[tuple[Role, int, datetime], Teaser] = {}
        self._surrounding = lru_cache(_BOXES_CACHED)(self._make_surrounding)
        self._kept: dict[tuple[BoxPlan, int | None], KeptBox] = {}
        self._rows = lru_cache(_BOXES_CACHED)(self._box_occurrences)

    def occurrences(self, page: PageContent, base: str) -> tuple[Occurrence, ...]:
        """Return the links of a page in the order of its HTML."""
        rows: list[Occurrence] = []
        layout = page.layout or self.plan.layout
        for region in REGIONS[layout.frame]:
            if region != "main":
                rows += self._fixed_rows(page, region, base)
                rows += self._region_boxes(page, region, base)
                continue
            crumbs, authors, *others = groups_of(page, region)
            for name, links in (crumbs, authors):
                rows += _group_rows(name, links, base)
            rows += self._region_boxes(page, region, base)
            for name, links in others:
                rows += _group_rows(name, links, base)
        return tuple(rows)

    def _fixed_rows(self, page: PageContent, region: Region, base: str) -> list[Occurrence]:
        """Return the links of a region that are on all pages, if this page has them as well."""
        if page.surround is self._surround and page.bar is self._frame_bar:
            return self._surrounding(region, base)
        return [row for name, links in groups_of(page, region) for row in _group_rows(name, links, base)]

    def _make_surrounding(self, region: Region, base: str) -> list[Occurrence]:
        """Return the links of a region that are on all pages."""
        page = self._add_frame(PageContent("legal", "", "", self.site.lexicon, self.site.founded))
        return [row for name, links in groups_of(page, region) for row in _group_rows(name, links, base)]

    def link_truths(self, page: PageContent, base: str) -> Iterator[LinkTruth]:
        """Yield the links of a page as ground truth, one for each occurrence."""
        groups: dict[str, int] = {}
        for each in self.occurrences(page, base):
            group = groups.setdefault(each.collection, len(groups))
            yield LinkTruth(each.url, each.role, group, each.position, each.text)

    def _region_boxes(self, page: PageContent, region: Region, base: str) -> list[Occurrence]:
        rows: list[Occurrence] = []
        for number, box in enumerate(page.boxes):
            if box.spot == region:
                rows += self._rows(number, box, self.card(page, box), base)
        return rows

    def _box_occurrences(self, number: int, box: Box, card: CardKind, base: str) -> tuple[Occurrence, ...]:
        more = self.site.lexicon.interface.more
        rows = [
            Occurrence(url, text, f"{number}-{part}", position, role)
            for position, teaser in enumerate(box.teasers)
            for part, url, text, role in anchor_rows(card, teaser, more, base)
        ]
        if box.heading:
            first = Occurrence(box.heading.url(base), box.heading.text, f"{number}-heading", 0, box.heading.role)
            return (first, *rows)
        return tuple(rows)

    def card(self, page: PageContent, box: Box) -> CardKind:
        """Return the kind of the cards in a box; those beside the main column have headlines only."""
        return (page.layout or self.plan.layout).cards if box.spot == "main" else "headline"

    def find(self, path: str, at: datetime, query: str = "") -> PageContent | None:
        """Return the page at a path at this time, or the twin of it that the query asks for."""
        place = self.places.find(path, query)
        page = self.page(place, at, query) if place else None
        return page and self.extra_pages.twin(page, query)

    def _home(self, at: datetime, first: int = 0) -> PageContent:
        words = self.site.lexicon.interface
        plans = self.plan.home[first:] + self.plan.home[:first]
        boxes, changed = self._planned(((box, self._sections(box)) for box in plans), at)
        return self._add_frame(PageContent("home", "/", words.latest, self.site.lexicon, changed, boxes=boxes))

    def _front(self, place: SitePlace, at: datetime) -> PageContent | None:
        section = place.section
        if section is None:
            return None
        own = self.members[section.index]
        if place.page == 1:
            boxes, changed = self._planned(((box, own) for box in self.plan.front), at)
        else:
            size = max(box.size for box in self.plan.front)
            newest = self.timeline.newest(own, at)
            picked = self._pick(newest, size * place.page, at, since=size * (place.page - 1))
            if not picked.slots:
                return None
            boxes, changed = (self._listed("list", section.name, picked.slots, at).box,), picked.changed
        page = PageContent(place.subtype, place.path, section.name, section.lexicon, changed, boxes=boxes)
        # A page that does not exist is not linked.
        size = max(box.size for box in self.plan.front) * self.site.knobs.archive_pages
        number = len(self._pick(self.timeline.newest(own, at), size, at).slots)
        pages = max(1, -(-number * self.site.knobs.archive_pages // size))
        paths = [self._section_path(section, number) for number in range(1, pages + 1)]
        return self._add_frame(self._add_pager(page, place.page, paths))

    def _article(self, place: SitePlace, at: datetime) -> PageContent | None:
        page = super()._article(place, at)
        if page is None or page.story is None or page.whole is None:
            return None
        own = self.members[page.whole.section.index]
        boxes, changed = self._planned(((box, own) for box in self.plan.article), at)
        story, subscribe = page.story, ""
        if self._is_paid(page.whole):
            story, subscribe = replace(story, paragraphs=story.paragraphs[:FREE_PARAGRAPHS]), self._subscribe
        changed = max(page.changed, changed)
        return replace(page, boxes=(*page.boxes, *boxes), changed=changed, story=story, subscribe=subscribe)

    def _is_paid(self, story: Story) -> bool:
        return self.plan.paywall > 0 and Random(f"{self.site.seed}/paid/{story.number}").random() < self.plan.paywall

    def _author(self, place: SitePlace, at: datetime) -> PageContent:
        # An author who stopped writing is not looked for in years of articles.
        newest = islice(self.timeline.before(at), 600)
        own = (slot for slot in newest if place.name in self.stories.first_outline(slot).authors)
        picked = self._pick(own, AUTHOR_STORIES, at)
        box = self._listed("list", place.name, picked.slots, at).box
        page = PageContent("author", place.path, place.name, self.site.lexicon, picked.changed, boxes=(box,))
        return self._add_frame(page)

    def _permanent_page(self, place: SitePlace) -> PageContent:
        if place.subtype != "service":
            return super()._permanent_page(place)
        texts = self.site.lexicon.paragraphs(Random(f"{self.site.seed}{place.path}"), {"topic": (place.name,)})
        page = PageContent(
            "service", place.path, place.name, self.site.lexicon, self.site.founded, paragraphs=texts[:6]
        )
        return self._add_frame(page)

    def page(self, place: SitePlace, at: datetime, query: str = "") -> PageContent | None:
        """Return the page at a place at this time; legal pages may have boxes with news."""
        at = at.astimezone(self.site.offset)
        page = self._extra_page(place, at) if place.subtype in _EXTRA_PAGES else super().page(place, at)
        if page is None or page.is_file:
            return page
        if place.subtype == "legal" and self.plan.boxes_on_legal_pages:
            boxes, changed = self._planned(((replace(box, spot="side"), ()) for box in self.plan.home[:2]), at)
            page = replace(page, boxes=boxes, changed=changed)
        return self.extra_pages.add(page, place.day, at, query)

    def _extra_page(self, place: SitePlace, at: datetime) -> PageContent | None:
        if at < self.site.founded:
            return None
        if place.subtype == "edition":
            # An edition has the same lists, others first.
            page = self._home(at, place.page % len(self.plan.home))
            return replace(page, subtype="edition", path=place.path, title=place.name)
        if place.subtype == "calendar":
            texts = self.site.lexicon.paragraphs(Random(f"{self.site.seed}{place.path}"), {"topic": (place.name,)})
            page = PageContent("calendar", place.path, place.name, self.site.lexicon, self.site.founded)
            return self._add_frame(replace(page, paragraphs=texts[:2]))
        if place.subtype == "tag":
            picked = self._pick(self.extra_pages.of_tag(place.name, at), TAG_STORIES, at)
            changed = picked.changed
        elif place.day and FOUNDED <= place.day <= at.date():
            picked = self._pick(self.extra_pages.of_day(place.day, at), DAY_STORIES, at)
            changed = max(picked.changed, self.extra_pages.changed(place.day, at))
        else:
            return None
        box = self._listed("list", place.name, picked.slots, at).box
        return self._add_frame(
            PageContent(place.subtype, place.path, place.name, self.site.lexicon, changed, boxes=(box,))
        )

    def _sections(self, box: BoxPlan) -> tuple[Section, ...]:
        return () if box.section is None else self.members[box.section]

    def _planned(
        self, plans: Iterable[tuple[BoxPlan, tuple[Section, ...]]], at: datetime
    ) -> tuple[tuple[Box, ...], datetime]:
        """Return lists of stories, and a time at or after their last change."""
        boxes, changed = [], self.site.founded
        for plan, sections in plans:
            box, listed = self._planned_box(plan, sections, at)
            boxes.append(box)
            changed = max(changed, listed)
        return tuple(boxes), changed

    def _planned_box(self, plan: BoxPlan, sections: tuple[Section, ...], at: datetime) -> tuple[Box, datetime]:
        """Return a list, and a time at or after its last change; the newest answer is kept as long as it holds."""
        key = (plan, sections[0].index if sections else None)
        kept = self._kept.get(key)
        if kept is None or not kept.since <= at < kept.until:
            made = self._make_box(plan, sections, at)
            changed = max(made.changed, self.lists.last_look(plan, at))
            until = min(made.until, self.lists.next_look(plan, sections, at))
            kept = self._kept[key] = KeptBox(made.box, changed, at, until)
        return kept.box, kept.changed

    def _make_box(self, plan: BoxPlan, sections: tuple[Section, ...], at: datetime) -> KeptBox:
        if plan.filling == "partners":
            return KeptBox(self._partners(plan), self.site.founded, at, NEVER)
        if plan.filling == "promotions":
            return KeptBox(self._promotions(plan, at), self.site.founded, at, NEVER)
        role = _ROLES.get(plan.filling, "list")
        title = sections[0].name if sections else self.site.lexicon.interface.latest
        if role == "most-read":
            title = self.site.lexicon.interface.most_read
        changed = self.site.founded
        if plan.filling == "latest":
            newest = self.lists.newest((section.index for section in sections), at)
            picked = self._pick(newest, plan.size, at)
            slots, changed = picked.slots, picked.changed
        else:
            slots = self.lists.fill(plan, sections, at)
        heading = self._section_link("tag", sections[0]) if plan.section is not None and sections else None
        made = self._listed(role, title, slots, at, plan.spot, heading)
        return KeptBox(made.box, max(changed, made.changed), made.since, made.until)

    def _listed(  # noqa: PLR0913, PLR0917 - the parts of a list
        self,
        role: Role,
        title: str,
        slots: tuple[Slot, ...],
        at: datetime,
        spot: BoxSpot = "main",
        heading: Link | None = None,
    ) -> KeptBox:
        stories, until = self.stories.listing(slots, at)
        teasers = tuple([self._teaser(role, story) for story in stories])
        changed = max([self.site.founded, *[story.listed for story in stories]])
        key = hash(tuple([teaser.key for teaser in teasers]))
        return KeptBox(Box(role, title, teasers, spot, heading, key), changed, at, until)

    def _partners(self, box: BoxPlan) -> Box:
        names = self.plan.partners[: box.size]
        teasers = tuple(
            Teaser(Link("partner", f"http://partner-{number}.example/", name), "", None, "", key=-number)
            for number, name in enumerate(names, 1)
        )
        return Box("partner", self.site.lexicon.interface.more, teasers, box.spot)

    def _teaser(self, role: Role, story: Story) -> Teaser:
        key = (role, story.number, story.listed)
        teaser = self._teasers.get(key)
        if teaser is None:
            if len(self._teasers) >= _TEASERS_CACHED:
                self._teasers.clear()
            teaser = self._teasers[key] = self._make_teaser(role, story, hash(key))
        return teaser

    def _make_teaser(self, role: Role, story: Story, key: int) -> Teaser:
        query = f"?utm_source=front&utm_content={role}" if self.plan.tracking else ""
        host = f"http://www.{self.site.host}" if self._is_on_twin(story) else ""
        link = Link(role, host + story.path + query, story.headline)
        tag = self._section_link("tag", story.section)
        return Teaser(link, story.standfirst, tag, f"/static/{story.number}.svg", key)

    def _is_on_twin(self, story: Story) -> bool:
        """Return whether links to a story lead to the twin of the site's host: one in five, if it has one."""
        return self.site.knobs.hosts == "twins" and story.number % 5 == 0

    def _add_frame(self, page: PageContent) -> PageContent:
        return replace(page, bar=self._frame_bar, foot=self._frame_foot, surround=self._surround)

    @cached_property
    def _frame_bar(self) -> tuple[Link, ...]:
        tops = (section for section in self.site.sections if section.parent is None)
        return (
            Link("bar", "/", self.site.lexicon.interface.home),
            *(self._section_link("bar", section) for section in tops),
        )

    @cached_property
    def _frame_foot(self) -> tuple[Link, ...]:
        return super()._add_frame(PageContent("legal", "", "", self.site.lexicon, self.site.founded)).foot

    @cached_property
    def _services(self) -> tuple[Link, ...]:
        return tuple(Link("service", service_path(index), name) for index, name in enumerate(self.plan.services))

    def _promotions(self, plan: BoxPlan, at: datetime) -> Box:
        """Return a box with some of the promoted services, others every few hours."""
        pool = self._services[len(self._services) - self.plan.promoted :]
        look = self.lists.last_look(plan, at)
        first = int((look - self.site.founded) / PROMOTION) % max(1, len(pool))
        chosen = (pool * 2)[first : first + plan.size]
        teasers = tuple(Teaser(link, "", None, "", hash(link)) for link in chosen)
        return Box("service", self.site.lexicon.interface.more, teasers, plan.spot, key=hash(chosen))

    @cached_property
    def _surround(self) -> Surround:
        services = self._services[: len(self._services) - self.plan.promoted]
        rest = services[TOP_LINKS:]
        columns = [rest[start : start + COLUMN_LINKS] for start in range(0, len(rest), COLUMN_LINKS)]
        menus = []
        if self.plan.menus:
            for section in self.site.sections:
                _, *children = self.site.members(section)
                if children:
                    menus.append(tuple(self._section_link("menu", child) for child in children))
        if self.plan.repeated:
            tops = tuple(replace(link, role="menu") for link in self._frame_bar)
            columns = [tops, *menus, *columns]
        banner = " ".join(self.site.lexicon.clauses[:2]) if self.plan.banner else ""
        texts = self.site.lexicon.paragraphs(Random(f"{self.site.seed}/about"), {})
        about = " ".join(texts[: self.plan.about])
        return Surround(services[:TOP_LINKS], tuple(menus), tuple(columns), banner, about)

    @cached_property
    def _subscribe(self) -> str:
        lexicon = self.site.lexicon
        return lexicon.entry(Random(f"{self.site.seed}/subscribe")) if isinstance(lexicon, WordLexicon) else ""


def _group_rows(name: str, links: tuple[Link, ...], base: str) -> list[Occurrence]:
    return [Occurrence(link.url(base), link.text, name, position, link.role) for position, link in enumerate(links)]
