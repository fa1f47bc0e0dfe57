"""Assembles the pages of one site as they are at any given time."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import islice

from broadsheet.newsweb._lexicon import Lexicon
from broadsheet.newsweb._page_content import Box, Link, PageContent, Role, Teaser
from broadsheet.newsweb._places import ARCHIVE_PAGES, LEGAL, Places, SitePlace, author_path
from broadsheet.newsweb._stories import Stories, Story
from broadsheet.newsweb._timeline import Slot, Timeline
from broadsheet.newsweb.site import Section, Site

#: How many stories each list contains.
FRONT_STORIES = 12
HOME_TOP_STORIES = 8
HOME_SECTION_STORIES = 4
RELATED_STORIES = 3
AUTHOR_STORIES = 10
FEED_STORIES = 20
#: News sitemaps list the articles of the last two days.
SITEMAP_SPAN = timedelta(hours=48)


class Editor:
    """Produces the page at any path and time of one site, or None if there is none yet."""

    def __init__(self, site: Site) -> None:
        """Set up the timeline and the stories of a site; pages are computed on demand."""
        self.site = site
        self.timeline = Timeline(site)
        self.stories = Stories(site)
        self.places = Places(site, self.timeline, self.stories)

    def find(self, path: str, at: datetime, query: str = "") -> PageContent | None:
        """Return the page at a path at this time."""
        place = self.places.find(path, query)
        return self.page(place, at) if place else None

    def page(self, place: SitePlace, at: datetime) -> PageContent | None:
        """Return the page at a place at this time."""
        if at < self.site.founded:
            return None
        match place.subtype:
            case "home":
                return self._home(at)
            case "front" | "archive":
                return self._front(place, at)
            case "article":
                return self._article(place, at)
            case "author":
                return self._author(place, at)
            case "feed":
                return self._feed(place, at)
            case "sitemap":
                return self._sitemap(place, at)
            case _:
                return self._permanent_page(place)

    def missing(self) -> PageContent:
        """Return the site's 404 page, which has the same navigation and footer as all others."""
        words = self.site.lexicon.interface
        return self._add_frame(PageContent("missing", "", words.not_found, self.site.lexicon, self.site.founded))

    def _home(self, at: datetime) -> PageContent:
        top = list(islice((slot for slot in self.timeline.before(at) if slot.prominent), HOME_TOP_STORIES))
        lists = [
            list(islice(self.timeline.before(at, section), HOME_SECTION_STORIES)) for section in self.site.sections
        ]
        words = self.site.lexicon.interface
        boxes = [
            self._box("lead", words.latest, top[:1], at),
            self._box("list", words.latest, top[1:], at),
            *(
                self._box("list", section.name, slots, at)
                for section, slots in zip(self.site.sections, lists, strict=True)
            ),
            self._most_read(self.site.lexicon, at),
        ]
        changed = self._latest([slot for slots in (top, *lists) for slot in slots])
        return self._add_frame(
            PageContent(
                "home",
                "/",
                words.latest,
                self.site.lexicon,
                max(changed, self.timeline.most_read_since(at)),
                boxes=tuple(boxes),
            )
        )

    def _front(self, place: SitePlace, at: datetime) -> PageContent | None:
        section = place.section
        if section is None:
            return None
        slots = list(islice(self.timeline.before(at, section), FRONT_STORIES * ARCHIVE_PAGES))
        shown = slots[FRONT_STORIES * (place.page - 1) : FRONT_STORIES * place.page]
        if not shown and place.page > 1:
            return None
        pages = range(1, -(-len(slots) // FRONT_STORIES) + 1)
        pager = [Link("pager", self._section_path(section, page), str(page)) for page in pages if page != place.page]
        page = PageContent(
            place.subtype,
            place.path,
            section.name,
            section.lexicon,
            max(self._latest(slots), self.timeline.most_read_since(at)),
            boxes=(self._box("list", section.name, shown, at), self._most_read(section.lexicon, at)),
            pager=tuple(pager),
        )
        return self._add_frame(page)

    def _article(self, place: SitePlace, at: datetime) -> PageContent | None:
        slot = place.slot
        if slot is None or slot.published > at:
            return None
        story = self.stories.version_at(slot, at)
        lexicon = story.section.lexicon
        earlier = (other for other in self.timeline.before(slot.published, slot.section) if other.number != slot.number)
        boxes = [self._box("related", lexicon.interface.related, islice(earlier, RELATED_STORIES), at)]
        changed = story.changed
        if self.site.lively:
            boxes.append(self._most_read(lexicon, at))
            changed = max(changed, self.timeline.most_read_since(at))
        page = PageContent(
            "article",
            place.path,
            story.headline,
            lexicon,
            changed,
            crumbs=(Link("crumb", "/", lexicon.interface.home), self._section_link("crumb", story.section)),
            authors=tuple(Link("author", author_path(self.site, name), name) for name in story.authors),
            boxes=tuple(boxes),
            story=story,
        )
        return self._add_frame(page)

    def _author(self, place: SitePlace, at: datetime) -> PageContent:
        own = (slot for slot in self.timeline.before(at) if place.name in self.stories.first_version(slot).authors)
        slots = list(islice(own, AUTHOR_STORIES))
        box = self._box("list", place.name, slots, at)
        page = PageContent("author", place.path, place.name, self.site.lexicon, self._latest(slots), boxes=(box,))
        return self._add_frame(page)

    def _feed(self, place: SitePlace, at: datetime) -> PageContent:
        slots = list(islice(self.timeline.before(at), FEED_STORIES))
        return self._listing(place, slots, self._latest(slots), at)

    def _sitemap(self, place: SitePlace, at: datetime) -> PageContent:
        recent = self.timeline.between(at - 2 * SITEMAP_SPAN, at + timedelta.resolution)
        slots = [slot for slot in reversed(recent) if slot.published > at - SITEMAP_SPAN]
        # It changes when an article is published, is corrected, or becomes too old.
        corrections = (self.stories.version_at(slot, at).changed for slot in slots)
        departures = (slot.published + SITEMAP_SPAN for slot in recent if slot.published <= at - SITEMAP_SPAN)
        return self._listing(place, slots, max((self.site.founded, *corrections, *departures)), at)

    def _listing(self, place: SitePlace, slots: Iterable[Slot], changed: datetime, at: datetime) -> PageContent:
        stories = tuple(self.stories.version_at(slot, at) for slot in slots)
        return PageContent(place.subtype, place.path, self.site.name, self.site.lexicon, changed, stories=stories)

    def _permanent_page(self, place: SitePlace) -> PageContent:
        words = self.site.lexicon.interface
        titles = {"imprint": words.imprint, "privacy": words.privacy, "terms": words.terms}
        page = PageContent(
            place.subtype,
            place.path,
            titles.get(place.name, self.site.name),
            self.site.lexicon,
            self.site.founded,
            paragraphs=self.site.lexicon.clauses,
        )
        return self._add_frame(page) if place.subtype == "legal" else page

    def _add_frame(self, page: PageContent) -> PageContent:
        words = page.lexicon.interface
        home = Link("bar", "/", words.home)
        bar = (home, *(self._section_link("bar", section) for section in self.site.sections))
        titles = (words.imprint, words.privacy, words.terms)
        foot = (Link("foot", self.site.paths.to_legal(name), title) for name, title in zip(LEGAL, titles, strict=True))
        return replace(page, bar=bar, foot=(*foot, Link("foot", self.site.paths.feed, "RSS")))

    def _box(self, role: Role, title: str, slots: Iterable[Slot], at: datetime) -> Box:
        return Box(role, title, tuple(self._teaser(role, self.stories.version_at(slot, at)) for slot in slots))

    def _most_read(self, lexicon: Lexicon, at: datetime) -> Box:
        return self._box("most-read", lexicon.interface.most_read, self.timeline.most_read(at), at)

    def _teaser(self, role: Role, story: Story) -> Teaser:
        tag = self._section_link("tag", story.section) if role in ("lead", "list") else None
        return Teaser(Link(role, story.path, story.headline), story.standfirst, tag, f"/static/{story.number}.svg")

    def _section_link(self, role: Role, section: Section) -> Link:
        return Link(role, self._section_path(section), section.name)

    def _section_path(self, section: Section, page: int = 1) -> str:
        return self.site.paths.to_section(section.slug, page)

    def _latest(self, slots: list[Slot]) -> datetime:
        return max((slot.published for slot in slots), default=self.site.founded)
