"""What surrounds the pages of a planned site: its bar, its foot, its services, a banner, an offer to subscribe."""

from dataclasses import replace
from functools import cached_property
from random import Random

from broadsheet.newsweb._lexicon import Interface
from broadsheet.newsweb._page_content import Link, PageContent, Role, Surround
from broadsheet.newsweb._word_model import WordLexicon
from broadsheet.newsweb.site import Section, Site
from broadsheet.newsweb.site_plan import SitePlan
from broadsheet.newsweb.site_services import LEGAL, service_paths

#: How many of the services are linked at the top of each page, and in each column of the footer.
TOP_LINKS, COLUMN_LINKS = 8, 6


def section_link(site: Site, role: Role, section: Section) -> Link:
    """Return a link to the front of a section."""
    return Link(role, site.paths.to_section(section.slug), section.name)


def foot_links(site: Site, words: Interface) -> tuple[Link, ...]:
    """Return the links to the legal pages and to the feed."""
    titles = (words.imprint, words.privacy, words.terms)
    legal = (Link("foot", site.paths.to_legal(name), title) for name, title in zip(LEGAL, titles, strict=True))
    feed = () if site.knobs.feed == "missing" else (Link("foot", site.paths.feed, "RSS"),)
    return (*legal, *feed)


class SiteFrame:
    """The parts that all pages of a planned site have; each is made once."""

    def __init__(self, site: Site, plan: SitePlan) -> None:
        """Take the site; its parts are made on demand."""
        self._site = site
        self._plan = plan

    def around(self, page: PageContent) -> PageContent:
        """Return a page with what surrounds it."""
        return replace(page, bar=self.bar, foot=self.foot, surround=self.surround)

    @cached_property
    def bar(self) -> tuple[Link, ...]:
        """The links to the home page and to the main sections."""
        tops = (section for section in self._site.sections if section.parent is None)
        home = Link("bar", "/", self._site.lexicon.interface.home)
        return (home, *(section_link(self._site, "bar", section) for section in tops))

    @cached_property
    def foot(self) -> tuple[Link, ...]:
        """The links in the foot."""
        return foot_links(self._site, self._site.lexicon.interface)

    @cached_property
    def services(self) -> tuple[Link, ...]:
        """The links to the site's own other pages."""
        named = zip(service_paths(self._site), self._plan.services, strict=True)
        return tuple(Link("service", path, name) for path, name in named)

    @cached_property
    def surround(self) -> Surround:
        """The links at the top, the menus, the columns and the text of the foot, and the banner."""
        services = self.services[: len(self.services) - self._plan.promoted]
        rest = services[TOP_LINKS:]
        columns = [rest[start : start + COLUMN_LINKS] for start in range(0, len(rest), COLUMN_LINKS)]
        menus = self._menus() if self._plan.menus else []
        if self._plan.repeated:
            tops = tuple(link._replace(role="menu") for link in self.bar)
            columns = [tops, *menus, *columns]
        lexicon = self._site.lexicon
        banner = " ".join(lexicon.clauses[:2]) if self._plan.banner else ""
        about = " ".join(lexicon.paragraphs(Random(f"{self._site.seed}/about"), {})[: self._plan.about])
        return Surround(services[:TOP_LINKS], tuple(menus), tuple(columns), banner, about)

    def _menus(self) -> list[tuple[Link, ...]]:
        families = (self._site.members(section)[1:] for section in self._site.sections)
        return [
            tuple(section_link(self._site, "menu", child) for child in children) for children in families if children
        ]

    @cached_property
    def subscribe(self) -> str:
        """The text that stands where the free part of an article ends."""
        lexicon = self._site.lexicon
        return lexicon.entry(Random(f"{self._site.seed}/subscribe")) if isinstance(lexicon, WordLexicon) else ""
