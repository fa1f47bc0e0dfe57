"""What a planned site has besides its lists: topics, archives by day, editions, calendars, twins and other traps."""

import zlib
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, time
from itertools import islice
from typing import get_args
from urllib.parse import parse_qs, parse_qsl, urlencode

from broadsheet.newsweb._page_content import Link, PageContent, Twin
from broadsheet.newsweb._places import calendar_path, day_path, edition_path, search_path, tag_path
from broadsheet.newsweb._slots import Slot
from broadsheet.newsweb._stories import Stories
from broadsheet.newsweb._story_history import Story
from broadsheet.newsweb._timeline import DAY, Timeline
from broadsheet.newsweb.site import FOUNDED, Site

#: How many topics an article has at most, among how many articles those of a topic are sought, and how many are shown.
TAGS_PER_STORY, TAG_SEARCH, TAG_STORIES = 3, 600, 20
#: Among how many articles a search seeks.
SEARCHED = 300
#: How many articles the archive of a day shows at most.
DAY_STORIES = 100
#: What the address of a front can be filtered by; it makes no difference.
FILTERS = (("sort", "new"), ("sort", "old"), ("view", "list"), ("view", "grid"), ("size", "10"), ("size", "50"))


class ExtraPages:
    """Says what a site's extras add to its pages."""

    def __init__(self, site: Site, timeline: Timeline, stories: Stories) -> None:
        """Take the site, when it publishes, and what."""
        self._site = site
        self._extras = site.extras
        self._timeline = timeline
        self._stories = stories

    def of_tag(self, name: str, at: datetime) -> Iterator[Slot]:
        """Yield the newest stories about a topic."""
        tag = self._extras.tags.index(name)
        for slot in islice(self._timeline.before(at), TAG_SEARCH):
            if tag in self._tags(slot.number):
                yield slot

    def of_search(self, words: str, at: datetime) -> Iterator[Slot]:
        """Yield the newest stories whose headline has these words."""
        for slot in islice(self._timeline.before(at), SEARCHED) if words else ():
            if words in self._stories.outline_at(slot, at).headline:
                yield slot

    def of_day(self, day: date, at: datetime) -> Iterator[Slot]:
        """Yield the stories of a day that are published, newest first."""
        yield from (slot for slot in reversed(self._timeline.day(day)) if slot.published <= at)

    def add(self, page: PageContent, day: date | None, at: datetime, query: str) -> PageContent:
        """Return a page with the links that the site's extras put on it, and with the layout of the time."""
        groups = tuple((name, links) for name, links in self._groups(page, day, at, query) if links)
        if groups:
            page = replace(page, extras=groups)
        extras = self._extras
        if page.subtype == "home" and page.extras:
            page = replace(page, changed=max(page.changed, self._midnight(at.date())))
        if extras.session_ids:
            minute = at.replace(second=0, microsecond=0)
            session = zlib.crc32(f"{self._site.seed}/{minute.timestamp()}".encode())
            bar = tuple(link._replace(path=f"{link.path}?sid={session:08x}") for link in page.bar)
            page = replace(page, bar=bar, changed=max(page.changed, minute))
        if extras.redesign and at >= extras.redesign.at:
            page = replace(page, layout=extras.redesign.layout, changed=max(page.changed, extras.redesign.at))
        return page

    def twin(self, page: PageContent, query: str) -> PageContent:
        """Return the version of an article that a query asks for: to print or for small screens, without any links."""
        asked = parse_qs(query)
        for twin in get_args(Twin) if self._extras.twins and page.story else ():
            if twin in asked:
                authors = replace(page, crumbs=(), bar=(), foot=(), boxes=(), pager=(), extras=(), surround=None)
                return replace(authors, twin=twin)
        return page

    def months(self, month: date) -> tuple[Link, ...]:
        """Return the links to the months before and after one."""
        number = month.year * 12 + month.month - 1
        others = (date(*_year_and_month(other), 1) for other in (number - 1, number + 1) if 12 <= other < 12 * 9999)
        return tuple(Link("month", calendar_path(other), f"{other:%Y-%m}") for other in others)

    def changed(self, day: date, at: datetime) -> datetime:
        """Return when the archive of a day last changed, apart from its stories."""
        return self._midnight(day if day >= at.date() else day + DAY)

    def _groups(
        self, page: PageContent, day: date | None, at: datetime, query: str
    ) -> Iterator[tuple[str, tuple[Link, ...]]]:
        match page.subtype:
            case "home" | "edition":
                yield from self._home_groups(page, at)
            case "article" if page.whole:
                yield "keywords", self._keywords(page.whole)
                if self._extras.search:
                    topic = page.whole.topic
                    yield "searches", (Link("search", search_path(topic), topic),)
                if self._extras.twins:
                    yield (
                        "tools",
                        (Link("tool", f"{page.path}?print=1", "⎙"), Link("tool", f"{page.path}?amp=1", "AMP")),
                    )
            case "front" if self._extras.filters:
                yield "filters", tuple(_filters(page.path, query))
            case "day" if day:
                near = (other for other in (day - DAY, day + DAY) if FOUNDED <= other <= at.date())
                yield "days", tuple(Link("day", day_path(other), str(other)) for other in near)
            case "calendar" if day:
                yield "months", self.months(day)

    def _home_groups(self, page: PageContent, at: datetime) -> Iterator[tuple[str, tuple[Link, ...]]]:
        names = ("", *self._extras.editions) if self._extras.editions else ()
        links = (
            Link("edition", edition_path(number), name or self._site.lexicon.interface.home)
            for number, name in enumerate(names)
        )
        yield "editions", tuple(link for link in links if link.path != page.path)
        if self._extras.day_archives:
            yield "days", (Link("day", day_path(at.date()), str(at.date())),)
        if self._extras.calendar:
            yield "months", (Link("month", calendar_path(at.date()), f"{at:%Y-%m}"),)

    def _keywords(self, story: Story) -> tuple[Link, ...]:
        names = self._extras.tags
        return tuple(Link("keyword", tag_path(names, tag), names[tag]) for tag in sorted(self._tags(story.number)))

    def _tags(self, number: int) -> set[int]:
        """Return the topics of a story; a few topics are in many stories."""
        tags = len(self._extras.tags)
        drawn = (zlib.crc32(f"{number}/{which}".encode()) / 2**32 for which in range(TAGS_PER_STORY))
        return {int(share**2 * tags) for share in drawn} if tags else set()

    def _midnight(self, day: date) -> datetime:
        return datetime.combine(day, time(), self._site.offset)


def _filters(path: str, query: str) -> Iterator[Link]:
    chosen = [pair for pair in parse_qsl(query) if pair in FILTERS]
    for name, value in FILTERS:
        if (name, value) not in chosen:
            asked = urlencode([*chosen, (name, value)])
            yield Link("filter", f"{path}?{asked}", f"{name}: {value}")


def _year_and_month(number: int) -> tuple[int, int]:
    return number // 12, number % 12 + 1
