"""The services of a planned site: an overview of them, forms, a contact page, a quiz, texts."""

from dataclasses import replace
from random import Random
from typing import Literal

from broadsheet.newsweb._page_content import Box, PageContent, Teaser
from broadsheet.newsweb._places import SitePlace
from broadsheet.newsweb._site_frame import SiteFrame
from broadsheet.newsweb.site import Site

ServiceKind = Literal["overview", "contact", "text", "login", "newsletter", "quiz"]
#: In turn, what the services of a site are.
SERVICE_KINDS: tuple[ServiceKind, ...] = (
    "overview",
    "contact",
    "login",
    "text",
    "newsletter",
    "contact",
    "quiz",
    "text",
)
#: How many services an overview shows at most, and how many lines a contact page has.
OVERVIEW, CONTACT_LINES = 24, 12


class ServicePages:
    """Produces the pages of a site's services; they do not change."""

    def __init__(self, site: Site, frame: SiteFrame) -> None:
        """Take the site and the links to its services."""
        self._site = site
        self._frame = frame

    def page(self, place: SitePlace) -> PageContent:
        """Return the page of a service, without what surrounds it."""
        number = next(index for index, link in enumerate(self._frame.services) if link.path == place.path)
        rng = Random(f"{self._site.seed}{place.path}")
        texts = self._site.lexicon.paragraphs(rng, {"topic": (place.name,)})
        page = PageContent("service", place.path, place.name, self._site.lexicon, self._site.founded)
        match SERVICE_KINDS[number % len(SERVICE_KINDS)]:
            case "overview":
                return replace(page, boxes=(self._overview(rng),), paragraphs=texts[:1])
            case "contact":
                lines = tuple(self._site.lexicon.crosshead(rng) for _ in range(CONTACT_LINES))
                headings = tuple("" if number % 3 else line for number, line in enumerate(reversed(lines)))
                return replace(page, paragraphs=lines, headings=headings)
            case "text":
                return replace(page, paragraphs=texts[:6])
            case form:
                return replace(page, paragraphs=texts[: 3 if form == "quiz" else 1], form=form)

    def _overview(self, rng: Random) -> Box:
        lexicon, picture = self._site.lexicon, "/static/logo.svg"
        teasers = tuple(
            Teaser(link, lexicon.standfirst(rng, {}), None, picture, hash(link))
            for link in self._frame.services[:OVERVIEW]
        )
        return Box("service", lexicon.interface.more, teasers, key=hash(teasers))
