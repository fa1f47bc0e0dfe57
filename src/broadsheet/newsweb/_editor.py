"""Assembles the pages of one site as they are at any given time."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from broadsheet.newsweb._lexicon import Lexicon
from broadsheet.newsweb._page_content import Box, Link, PageContent, Role, Teaser
from broadsheet.newsweb._places import Places, SitePlace, author_path
from broadsheet.newsweb._site_files import SiteFiles
from broadsheet.newsweb._site_frame import foot_links, section_link
from broadsheet.newsweb._slots import Slot
from broadsheet.newsweb._stories import Stories
from broadsheet.newsweb._story_history import Story
from broadsheet.newsweb._timeline import MAX_READ, Timeline
from broadsheet.newsweb.site import Section, Site

#: How many stories each list contains.
FRONT_STORIES = 12
HOME_TOP_STORIES = 8
HOME_SECTION_STORIES = 4
RELATED_STORIES = 3
AUTHOR_STORIES = 10


class Editor:
    """Produces the page at any path and time of one site, or None if there is none yet."""

    def __init__(self, site: Site) -> None:
        """Set up the timeline and the stories of a site; pages are computed on demand."""
        self.site = site
        self.timeline = Timeline(site)
        self.stories = Stories(site)
        self.places = Places(site, self.timeline, self.stories)
        self.files = SiteFiles(site, self.timeline, self.stories)

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
            case "feed" | "sitemap" | "sitemap-index":
                return self.files.page(place, at)
            case _:
                return self._permanent_page(place)

    def article_outline(self, path: str, at: datetime, query: str = "") -> Story | None:
        """Return the story whose first page is at a path at this time, without its text if that saves work."""
        place = self.places.find(path, query)
        if place is None or place.slot is None or place.page != 1 or place.slot.published > at:
            return None
        story = self.stories.outline_at(place.slot, at)
        return None if story.removed or story.path != place.path else story

    def moved_to(self, path: str, at: datetime, query: str = "") -> str | None:
        """Return where an article that was at a path is now."""
        place = self.places.find(path, query)
        story = self._story(place, at) if place else None
        if place is None or place.slot is None or story is None or story.removed or story.path == place.path:
            return None
        past = (version for version in self.stories.versions(place.slot) if version.renewed <= at)
        return story.path if any(version.path == place.path for version in past) else None

    def is_removed(self, path: str, at: datetime, query: str = "") -> bool:
        """Return whether there was an article at a path that was removed."""
        place = self.places.find(path, query)
        story = place and self._story(place, at)
        return bool(story and story.removed)

    def missing(self) -> PageContent:
        """Return the site's 404 page, which has the same navigation and footer as all others."""
        words = self.site.lexicon.interface
        return self._add_frame(PageContent("missing", "", words.not_found, self.site.lexicon, self.site.founded))

    def _home(self, at: datetime) -> PageContent:
        top = self.stories.pick((slot for slot in self.timeline.before(at) if slot.prominent), HOME_TOP_STORIES, at)
        lists = [
            self.stories.pick(self.timeline.before(at, section), HOME_SECTION_STORIES, at)
            for section in self.site.sections
        ]
        words = self.site.lexicon.interface
        boxes = [
            self._box("lead", words.latest, top.slots[:1], at),
            self._box("list", words.latest, top.slots[1:], at),
            *(
                self._box("list", section.name, picked.slots, at)
                for section, picked in zip(self.site.sections, lists, strict=True)
            ),
            self._most_read(self.site.lexicon, at),
        ]
        return self._add_frame(
            PageContent(
                "home",
                "/",
                words.latest,
                self.site.lexicon,
                max(self._most_read_changed(at), *(picked.changed for picked in (top, *lists))),
                boxes=tuple(boxes),
            )
        )

    def _front(self, place: SitePlace, at: datetime) -> PageContent | None:
        section = place.section
        if section is None:
            return None
        first, last = FRONT_STORIES * (place.page - 1), FRONT_STORIES * place.page
        most = FRONT_STORIES * self.site.knobs.archive_pages
        slots = self.stories.pick(self.timeline.before(at, section), most, at).slots
        shown = self.stories.pick(self.timeline.before(at, section), last, at, since=first)
        if not shown.slots and place.page > 1:
            return None
        pages = range(1, -(-len(slots) // FRONT_STORIES) + 1)
        page = PageContent(
            place.subtype,
            place.path,
            section.name,
            section.lexicon,
            max(shown.changed, self._most_read_changed(at)),
            boxes=(self._box("list", section.name, shown.slots, at), self._most_read(section.lexicon, at)),
        )
        return self._add_frame(self._add_pager(page, place.page, [self._section_path(section, page) for page in pages]))

    def _story(self, place: SitePlace, at: datetime) -> Story | None:
        """Return the story at a place, even one that has moved or was removed."""
        slot = place.slot
        return None if slot is None or slot.published > at else self.stories.version_at(slot, at)

    def _article(self, place: SitePlace, at: datetime) -> PageContent | None:
        slot, story = place.slot, self._story(place, at)
        if slot is None or story is None or story.removed or story.path != place.path:
            return None
        parts = self._parts(story)
        if place.page > len(parts):
            return None
        lexicon = story.section.lexicon
        others = (other for other in self.timeline.before(slot.published, slot.section) if other.number != slot.number)
        related = self.stories.pick(others, RELATED_STORIES, at)
        boxes = [self._box("related", lexicon.interface.related, related.slots, at)]
        changed = max(story.renewed, related.changed)
        if self.site.lively:
            boxes.append(self._most_read(lexicon, at))
            changed = max(changed, self._most_read_changed(at))
        page = PageContent(
            "article",
            self.site.paths.to_part(place.path, place.page),
            story.headline,
            lexicon,
            changed,
            crumbs=(Link("crumb", "/", lexicon.interface.home), section_link(self.site, "crumb", story.section)),
            authors=self._authors(story),
            boxes=tuple(boxes),
            story=parts[place.page - 1],
            whole=story,
        )
        paths = [self.site.paths.to_part(place.path, number) for number in range(1, len(parts) + 1)]
        return self._add_frame(self._add_pager(page, place.page, paths))

    def _authors(self, story: Story) -> tuple[Link, ...]:
        return tuple(Link("author", author_path(self.site, name), name) for name in story.authors)

    def _parts(self, story: Story) -> list[Story]:
        """Return the pages of an article; only the first has a crosshead."""
        size = self.site.knobs.paragraphs_per_page
        if not 0 < size < len(story.paragraphs):
            return [story]
        starts = range(0, len(story.paragraphs), size)
        return [
            replace(
                story,
                paragraphs=story.paragraphs[start : start + size],
                crosshead="" if start else story.crosshead,
            )
            for start in starts
        ]

    def _add_pager(self, page: PageContent, number: int, paths: list[str]) -> PageContent:
        """Add the links to all pages but this one; the neighbours are stated in the head only if the site does so."""
        pager = tuple(Link("pager", path, str(other)) for other, path in enumerate(paths, 1) if other != number)
        page = replace(page, pager=pager, number=number)
        if not self.site.knobs.rel_next:
            return page
        earlier = paths[number - 2] if number > 1 else None
        return replace(page, earlier=earlier, later=paths[number] if number < len(paths) else None)

    def _author(self, place: SitePlace, at: datetime) -> PageContent:
        own = (slot for slot in self.timeline.before(at) if place.name in self.stories.first_outline(slot).authors)
        picked = self.stories.pick(own, AUTHOR_STORIES, at)
        box = self._box("list", place.name, picked.slots, at)
        page = PageContent("author", place.path, place.name, self.site.lexicon, picked.changed, boxes=(box,))
        return self._add_frame(page)

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
        bar = (home, *(section_link(self.site, "bar", section) for section in self.site.sections))
        return replace(page, bar=bar, foot=foot_links(self.site, words))

    def _box(self, role: Role, title: str, slots: Iterable[Slot], at: datetime) -> Box:
        return Box(role, title, tuple(self._teaser(role, self.stories.outline_at(slot, at)) for slot in slots))

    def _most_read(self, lexicon: Lexicon, at: datetime) -> Box:
        picked = self.stories.pick(self.timeline.most_read(at), MAX_READ, at)
        return self._box("most-read", lexicon.interface.most_read, picked.slots, at)

    def _most_read_changed(self, at: datetime) -> datetime:
        picked = self.stories.pick(self.timeline.most_read(at), MAX_READ, at)
        return max(self.timeline.most_read_since(at), picked.changed)

    def _teaser(self, role: Role, story: Story) -> Teaser:
        tag = section_link(self.site, "tag", story.section) if role in ("lead", "list") else None
        return Teaser(Link(role, story.path, story.headline), story.standfirst, tag, f"/static/{story.number}.svg")

    def _section_path(self, section: Section, page: int = 1) -> str:
        return self.site.paths.to_section(section.slug, page)
