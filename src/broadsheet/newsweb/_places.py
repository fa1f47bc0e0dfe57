"""Maps paths to pages: the permanent pages of a site are listed, articles are looked up by their number or date."""

import re
from dataclasses import dataclass
from datetime import date
from urllib.parse import parse_qs, urlencode

from broadsheet.newsweb._page_content import Subtype
from broadsheet.newsweb._slots import Slot
from broadsheet.newsweb._slugs import slug
from broadsheet.newsweb._stories import Stories
from broadsheet.newsweb._timeline import Timeline
from broadsheet.newsweb.site import Section, Site
from broadsheet.newsweb.site_services import LEGAL, service_paths

#: An index of sitemaps names the news and the days of a week.
NEWS_FILE, SITEMAP_DAYS = "/sitemaps/news.xml", 7
ROBOTS = "/robots.txt"
SEARCH = "/search/"

_DAY_FILE = re.compile(r"/sitemaps/(\d{4})-(\d\d)-(\d\d)\.xml(?:\.gz)?", re.ASCII)
_DAY_PAGE = re.compile(r"/archive/(\d{4})/(\d\d)/(\d\d)/", re.ASCII)
_CALENDAR = re.compile(r"/events/(\d{4})-(\d\d)/", re.ASCII)
_PICTURE = re.compile(r"/static/(?:logo|\d{1,9})\.svg", re.ASCII)


@dataclass(frozen=True, slots=True)
class SitePlace:
    """The target of a path; a section has a page number, an author or legal page a name, an article a slot."""

    subtype: Subtype
    path: str
    section: Section | None = None
    page: int = 1
    name: str = ""
    slot: Slot | None = None
    day: date | None = None


class Places:
    """Resolves the paths of one site."""

    def __init__(self, site: Site, timeline: Timeline, stories: Stories) -> None:
        """List the permanent pages."""
        self._site = site
        self._timeline = timeline
        self._stories = stories
        self.permanent = {place.path: place for place in _permanent_places(site)}

    def find(self, path: str, query: str = "") -> SitePlace | None:
        """Return the target of a path, even a future one; of a query, only `page` and what is searched matter."""
        asked = parse_qs(query)
        page = asked.get("page", ["1"])[0]
        full = path if page == "1" else f"{path}?page={page}"
        if place := self.permanent.get(full):
            return place
        if _PICTURE.fullmatch(path):
            return SitePlace("picture", path)
        if path == SEARCH and self._site.extras.search:
            words = asked.get("q", [""])[0]
            return SitePlace("search", search_path(words), name=words)
        return self._article(path) or self._sitemap_of_day(path) or self._of_time(path)

    def _article(self, path: str) -> SitePlace | None:
        path, part = self._site.paths.from_part(path)
        slot = self._slot(path)
        # The full path has to match: a number with another slug is not a page.
        if slot is None or all(story.path != path for story in self._stories.outlines(slot)):
            return None
        return SitePlace("article", path, slot.section, part, slot=slot)

    def _sitemap_of_day(self, path: str) -> SitePlace | None:
        match = _DAY_FILE.fullmatch(path)
        day = _valid_date(*map(int, match.groups())) if match else None
        if day is None or not _has_index(self._site) or path != sitemap_of_day(self._site, day):
            return None
        return SitePlace("sitemap", path, day=day)

    def _of_time(self, path: str) -> SitePlace | None:
        """Return the archive of a day, or the calendar of a month."""
        extras = self._site.extras
        if extras.day_archives and (match := _DAY_PAGE.fullmatch(path)):
            day = _valid_date(*map(int, match.groups()))
            return SitePlace("day", path, name=str(day), day=day) if day else None
        if extras.calendar and (match := _CALENDAR.fullmatch(path)):
            month = _valid_date(int(match[1]), int(match[2]), 1)
            return SitePlace("calendar", path, name=f"{month:%Y-%m}", day=month) if month else None
        return None

    def _slot(self, path: str) -> Slot | None:
        match = self._site.paths.article_form.fullmatch(path)
        if match is None:
            return None
        if len(match.groups()) == 1:
            return self._timeline.find(self._site.paths.number_in(match[1]))
        section = next((section for section in self._site.sections if section.slug == match[1]), None)
        day = _valid_date(*map(int, match.groups()[1:4]))
        if section is None or day is None:
            return None
        slots = self._timeline.of_section(section, day)
        return slots[int(match[5])] if int(match[5]) < len(slots) else None


def author_path(site: Site, author: str) -> str:
    """Return the path of an author's page."""
    return site.paths.to_author(author, site.authors.index(author))


def _permanent_places(site: Site) -> list[SitePlace]:
    paths = site.paths
    places = [SitePlace("home", "/"), *_files(site), SitePlace("robots", ROBOTS)]
    for section in site.sections:
        places.append(SitePlace("front", paths.to_section(section.slug), section))
        later = range(2, site.knobs.archive_pages + 1)
        places.extend(SitePlace("archive", paths.to_section(section.slug, page), section, page) for page in later)
    places.extend(SitePlace("author", author_path(site, author), name=author) for author in site.authors)
    places.extend(SitePlace("legal", paths.to_legal(name), name=name) for name in LEGAL)
    services = site.plan.services if site.plan else ()
    places.extend(
        SitePlace("service", path, name=name) for path, name in zip(service_paths(site), services, strict=True)
    )
    extras = site.extras
    places.extend(SitePlace("tag", tag_path(extras.tags, tag), name=name) for tag, name in enumerate(extras.tags))
    numbered = enumerate(extras.editions, 1)
    places.extend(SitePlace("edition", edition_path(number), page=number, name=name) for number, name in numbered)
    return places


def tag_path(names: tuple[str, ...], tag: int) -> str:
    """Return the path of the page of a topic."""
    return f"/tag/{slug(names[tag]) or 'topic'}-{tag}/"


def search_path(words: str) -> str:
    """Return the path of what a search finds."""
    return f"{SEARCH}?{urlencode({'q': words})}" if words else SEARCH


def edition_path(number: int) -> str:
    """Return the path of an edition of the home page; the first is the home page itself."""
    return f"/edition/{number}/" if number else "/"


def day_path(day: date) -> str:
    """Return the path of the archive of a day."""
    return f"/archive/{day.year:04}/{day.month:02}/{day.day:02}/"


def calendar_path(month: date) -> str:
    """Return the path of the calendar of a month."""
    return f"/events/{month.year:04}-{month.month:02}/"


def sitemap_of_day(site: Site, day: date) -> str:
    """Return the path of the sitemap of one day."""
    return f"/sitemaps/{day}.xml" + (".gz" if site.knobs.sitemap_gzip else "")


def _has_index(site: Site) -> bool:
    return site.knobs.sitemap_form == "index" and site.knobs.sitemap != "missing"


def _files(site: Site) -> list[SitePlace]:
    places = [] if site.knobs.feed == "missing" else [SitePlace("feed", site.paths.feed)]
    if _has_index(site):
        news = NEWS_FILE + (".gz" if site.knobs.sitemap_gzip else "")
        places += [SitePlace("sitemap-index", site.paths.sitemap), SitePlace("sitemap", news)]
    elif site.knobs.sitemap != "missing":
        places.append(SitePlace("sitemap", site.paths.sitemap))
    return places


def _valid_date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
