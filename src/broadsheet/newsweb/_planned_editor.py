"""Assembles the pages of a planned site."""

from dataclasses import replace
from datetime import datetime
from itertools import islice
from random import Random
from typing import NamedTuple

from broadsheet.newsweb._editor import AUTHOR_STORIES, Editor
from broadsheet.newsweb._extra_pages import DAY_STORIES, TAG_STORIES, ExtraPages
from broadsheet.newsweb._link_listing import LinkListing
from broadsheet.newsweb._page_content import Link, PageContent, Role, Subtype, Teaser
from broadsheet.newsweb._passages import PassageWriter
from broadsheet.newsweb._places import SitePlace
from broadsheet.newsweb._planned_boxes import PlannedBoxes
from broadsheet.newsweb._service_pages import ServicePages
from broadsheet.newsweb._site_frame import SiteFrame
from broadsheet.newsweb._story_history import Story
from broadsheet.newsweb.site import FOUNDED, Section, Site
from broadsheet.newsweb.site_plan import BoxPlan, SitePlan

#: What a reader without a subscription sees of an article.
FREE_PARAGRAPHS = 2

_EXTRA_PAGES = frozenset[Subtype]({"tag", "day", "edition", "search", "calendar"})


class KeptPages(NamedTuple):
    """How many pages the list of a section has, and from when until when that holds."""

    number: int
    since: datetime
    until: datetime


class PlannedEditor(Editor):
    """Produces the pages of a site whose lists and layout are planned."""

    def __init__(self, site: Site, plan: SitePlan) -> None:
        """Set up the lists of a site; pages are computed on demand."""
        super().__init__(site)
        self.plan = plan
        self.listed = tuple(map(site.listed, site.sections))
        self.frame = SiteFrame(site, plan)
        self.boxes = PlannedBoxes(site, plan, self.timeline, self.stories, self.frame)
        self.links = LinkListing(site, plan, self.frame)
        self.extra_pages = ExtraPages(site, self.timeline, self.stories)
        self.services = ServicePages(site, self.frame)
        self._kept_pages: dict[int, KeptPages] = {}

    def find(self, path: str, at: datetime, query: str = "") -> PageContent | None:
        """Return the page at a path at this time, or the twin of it that the query asks for."""
        place = self.places.find(path, query)
        page = self.page(place, at, query) if place else None
        return page and self.extra_pages.twin(page, query)

    def _home(self, at: datetime, first: int = 0) -> PageContent:
        words = self.site.lexicon.interface
        plans = self.plan.home[first:] + self.plan.home[:first]
        boxes, changed = self.boxes.fill(((box, self._sections(box)) for box in plans), at)
        return self._add_frame(PageContent("home", "/", words.latest, self.site.lexicon, changed, boxes=boxes))

    def _front(self, place: SitePlace, at: datetime) -> PageContent | None:
        section = place.section
        if section is None:
            return None
        own = self.listed[section.index]
        if place.page == 1:
            boxes, changed = self.boxes.fill(((box, own) for box in self.plan.front), at)
        else:
            size = max(box.size for box in self.plan.front)
            newest = self.timeline.newest(own, at)
            picked = self.stories.pick(newest, size * place.page, at, since=size * (place.page - 1))
            if not picked.slots:
                return None
            boxes, changed = (self.boxes.of_stories("list", section.name, picked.slots, at).box,), picked.changed
        page = PageContent(place.subtype, place.path, section.name, section.lexicon, changed, boxes=boxes)
        if place.page == 1 and self.plan.intro:
            page = replace(page, intro=self._introduction(section))
        if place.page == 1 and self.plan.lead:
            page = self._add_lead(page, own, at)
        paths = [self._section_path(section, number) for number in range(1, self._pages(section, at) + 1)]
        return self._add_frame(self._add_pager(page, place.page, paths))

    def _pages(self, section: Section, at: datetime) -> int:
        """Return how many pages the list of a section has: one that does not exist is not linked."""
        kept = self._kept_pages.get(section.index)
        if kept is None or not kept.since <= at < kept.until:
            own, most = self.listed[section.index], self.site.knobs.archive_pages
            size = max(box.size for box in self.plan.front) * most
            slots = self.stories.pick(self.timeline.newest(own, at), size, at).slots
            until = min(self.timeline.next_after(own, at), self.stories.listing(slots, at).until)
            kept = self._kept_pages[section.index] = KeptPages(max(1, -(-len(slots) * most // size)), at, until)
        return kept.number

    def _article(self, place: SitePlace, at: datetime) -> PageContent | None:
        page = super()._article(place, at)
        if page is None or page.story is None or page.whole is None:
            return None
        own = self.listed[page.whole.section.index]
        boxes, changed = self.boxes.fill(((box, own) for box in self.plan.article), at)
        story, subscribe = page.story, ""
        if self._is_paid(page.whole):
            story, subscribe = replace(story, paragraphs=story.paragraphs[:FREE_PARAGRAPHS]), self.frame.subscribe
        changed = max(page.changed, changed)
        return replace(page, boxes=(*page.boxes, *boxes), changed=changed, story=story, subscribe=subscribe)

    def _introduction(self, section: Section) -> str:
        rng = Random(f"{self.site.seed}/intro/{section.index}")
        sentences = (section.lexicon.standfirst(rng, {"topic": (section.name,)}) for _ in range(self.plan.intro))
        return section.lexicon.space.join(sentences)

    def _add_lead(self, page: PageContent, own: tuple[Section, ...], at: datetime) -> PageContent:
        """Put the beginning of the newest story above the lists of a front."""
        picked = self.stories.pick(self.timeline.newest(own, at), 1, at)
        if not picked.slots:
            return page
        story = self.stories.version_at(picked.slots[0], at)
        return replace(
            page,
            changed=max(page.changed, picked.changed, story.renewed),
            headings=(story.headline,),
            paragraphs=story.paragraphs[: self.plan.lead],
        )

    def _is_paid(self, story: Story) -> bool:
        return self.plan.paywall > 0 and Random(f"{self.site.seed}/paid/{story.number}").random() < self.plan.paywall

    def _author(self, place: SitePlace, at: datetime) -> PageContent:
        # An author who stopped writing is not looked for in years of articles.
        newest = islice(self.timeline.before(at), 600)
        own = (slot for slot in newest if place.name in self.stories.first_outline(slot).authors)
        picked = self.stories.pick(own, AUTHOR_STORIES, at)
        box = self.boxes.of_stories("list", place.name, picked.slots, at).box
        page = PageContent("author", place.path, place.name, self.site.lexicon, picked.changed, boxes=(box,))
        return self._add_frame(page)

    def _authors(self, story: Story) -> tuple[Link, ...]:
        return super()._authors(story) if self.plan.bylines else ()

    def _permanent_page(self, place: SitePlace) -> PageContent:
        if place.subtype == "service":
            return self._add_frame(self.services.page(place))
        page = super()._permanent_page(place)
        if place.subtype != "legal":
            return page
        writer = PassageWriter(self.site, Random(f"{self.site.seed}{place.path}"))
        passages = writer.imprint() if place.name == "imprint" else writer.terms()
        return replace(page, passages=passages, dated=page.changed if self.plan.dated_pages else None)

    def page(self, place: SitePlace, at: datetime, query: str = "") -> PageContent | None:
        """Return the page at a place at this time; legal pages may have boxes with news."""
        at = at.astimezone(self.site.offset)
        page = self._extra_page(place, at) if place.subtype in _EXTRA_PAGES else super().page(place, at)
        if page is None or page.is_file:
            return page
        if place.subtype == "legal" and self.plan.boxes_on_legal_pages:
            boxes, changed = self.boxes.fill(((replace(box, spot="side"), ()) for box in self.plan.home[:2]), at)
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
        if place.subtype == "search":
            return self._search(place, at)
        if place.subtype == "tag":
            picked = self.stories.pick(self.extra_pages.of_tag(place.name, at), TAG_STORIES, at)
            changed = picked.changed
        elif place.day and FOUNDED <= place.day <= at.date():
            picked = self.stories.pick(self.extra_pages.of_day(place.day, at), DAY_STORIES, at)
            changed = max(picked.changed, self.extra_pages.changed(place.day, at))
        else:
            return None
        box = self.boxes.of_stories("list", place.name, picked.slots, at).box
        return self._add_frame(
            PageContent(place.subtype, place.path, place.name, self.site.lexicon, changed, boxes=(box,))
        )

    def _search(self, place: SitePlace, at: datetime) -> PageContent:
        picked = self.stories.pick(self.extra_pages.of_search(place.name, at), TAG_STORIES, at)
        found = self.boxes.of_stories("list", place.name, picked.slots, at)
        words = self.site.lexicon.interface
        page = PageContent(
            "search", place.path, place.name or words.latest, self.site.lexicon, picked.changed, form="search"
        )
        if not picked.slots:
            return self._add_frame(replace(page, paragraphs=(words.not_found,)))
        return self._add_frame(replace(page, boxes=(found.box,)))

    def _sections(self, box: BoxPlan) -> tuple[Section, ...]:
        return () if box.section is None else self.listed[box.section]

    def _add_frame(self, page: PageContent) -> PageContent:
        return self.frame.around(page)

    def _teaser(self, role: Role, story: Story) -> Teaser:
        return self.boxes.teaser(role, story)
