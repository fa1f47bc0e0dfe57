"""The services of a planned site: an overview of them, forms, a contact page, a quiz, texts."""

from dataclasses import replace
from random import Random
from typing import Literal

from broadsheet.newsweb._page_content import Box, Link, PageContent, Teaser
from broadsheet.newsweb._passages import PassageWriter
from broadsheet.newsweb._places import SitePlace
from broadsheet.newsweb._site_frame import SiteFrame
from broadsheet.newsweb.site import Site
from broadsheet.newsweb.site_services import kind_of_service

#: How many services an overview shows at most.
OVERVIEW = 24
#: The shares of 99 real contact pages that have a form, and that state an address of mail.
WITH_FORM, WITH_MAIL = 0.78, 0.49
#: The share of real texts about something that link to other pages of their site, and to how many at most.
LINKING, MAX_LINKS = 0.74, 17
#: The share of them that describe themselves, and of those that state a date where a site's legal pages do.
WITH_INTRO, DATED_TEXTS = 0.68, 0.4


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
        writer = PassageWriter(self._site, rng)
        page = PageContent("service", place.path, place.name, self._site.lexicon, self._site.founded)
        match kind_of_service(number):
            case "overview":
                return replace(page, boxes=(self._overview(rng),), paragraphs=writer.paragraphs(1))
            case "contact":
                return self._contact(page, writer, rng)
            case "text":
                links = (("further", self._further(rng)),) if rng.random() < LINKING else ()
                intro = writer.paragraphs(1, 1)[0] if rng.random() < WITH_INTRO else ""
                dated = page.changed if self._is_dated(rng) else None
                return replace(page, intro=intro, passages=writer.about(), extras=links, dated=dated)
            case "quiz":
                return replace(page, intro=writer.paragraphs(1, 2)[0], passages=writer.questions(), form="quiz")
            case form:
                return replace(page, passages=writer.invitation(), labels=_labels(writer, rng), form=form)

    def _contact(self, page: PageContent, writer: PassageWriter, rng: Random) -> PageContent:
        """Fill a contact page: whom to reach, by phone and mostly by mail or a form."""
        passages = writer.contact(mail=rng.random() < WITH_MAIL)
        form: Literal["contact"] | None = "contact" if rng.random() < WITH_FORM else None
        return replace(page, passages=passages, labels=_labels(writer, rng), form=form)

    def _is_dated(self, rng: Random) -> bool:
        return self._site.plan is not None and self._site.plan.dated_pages and rng.random() < DATED_TEXTS

    def _further(self, rng: Random) -> tuple[Link, ...]:
        """Return links to other services, as a text about one has them."""
        services = self._frame.services
        return tuple(rng.sample(services, min(len(services), rng.randint(1, MAX_LINKS))))

    def _overview(self, rng: Random) -> Box:
        lexicon, picture = self._site.lexicon, "/static/logo.svg"
        teasers = tuple(
            Teaser(link, lexicon.standfirst(rng, {}), None, picture, hash(link))
            for link in self._frame.services[:OVERVIEW]
        )
        return Box("service", lexicon.interface.more, teasers, key=hash(teasers))


def _labels(writer: PassageWriter, rng: Random) -> tuple[str, ...]:
    """Draw the labels of a form: real ones have two to five fields for text."""
    return tuple(f"{writer.label()}:" for _ in range(rng.randint(2, 5)))
