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
#: What real sites call such pages. Of 99 real contact pages and 96 forms, this share has such a word in the title.
NAMES: dict[ServiceKind, dict[str, str]] = {
    "contact": {"en": "Contact", "de": "Kontakt", "es": "Contacto", "el": "Επικοινωνία", "ru": "Контакты",
                "ja": "お問い合わせ"},
    "login": {"en": "Login", "de": "Anmelden", "es": "Acceso", "el": "Σύνδεση", "ru": "Регистрация", "ja": "ログイン"},
    "newsletter": {"en": "Newsletter", "de": "Newsletter", "es": "Newsletter", "el": "Newsletter", "ru": "Подписка",
                   "ja": "ニュースレター"},
}  # fmt: skip
#: The same for texts: about the site, help, jobs, advertising, and terms. Of 26 real ones of news sites, this share.
TEXT_NAMES: dict[str, tuple[str, ...]] = {
    "en": ("About us", "Help", "Jobs", "Advertise", "FAQ"),
    "de": ("Über uns", "Hilfe", "Karriere", "Mediadaten", "FAQ"),
    "es": ("Quiénes somos", "Ayuda", "Empleo", "Publicidad", "FAQ"),
    "el": ("Ποιοι είμαστε", "Βοήθεια", "Καριέρα", "Διαφήμιση", "FAQ"),
    "ru": ("О нас", "Помощь", "Вакансии", "Реклама", "FAQ"),
    "ja": ("会社概要", "ヘルプ", "採用情報", "広告掲載", "よくある質問"),
}
NAMED: dict[ServiceKind, float] = {"contact": 0.74, "login": 0.57, "newsletter": 0.57, "text": 0.65}
#: The shares of those contact pages that have a form, and that state an address of mail.
WITH_FORM, WITH_MAIL = 0.78, 0.49


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
        kind = SERVICE_KINDS[number % len(SERVICE_KINDS)]
        title = self._title(kind, place, Random(f"{self._site.seed}{place.path}title"))
        page = PageContent("service", place.path, title, self._site.lexicon, self._site.founded)
        match kind:
            case "overview":
                return replace(page, boxes=(self._overview(rng),), paragraphs=texts[:1])
            case "contact":
                return self._contact(page, rng)
            case "text":
                return replace(page, paragraphs=texts[:6])
            case form:
                return replace(page, paragraphs=texts[: 3 if form == "quiz" else 1], form=form)

    def _title(self, kind: ServiceKind, place: SitePlace, rng: Random) -> str:
        """Return the word that real sites use, as often as they do, else the name in the menus."""
        if rng.random() >= NAMED.get(kind, 0):
            return place.name
        language = self._site.lexicon.language
        return rng.choice(TEXT_NAMES[language]) if kind == "text" else NAMES[kind][language]

    def _contact(self, page: PageContent, rng: Random) -> PageContent:
        """Fill a contact page: whom to reach, by phone and mostly by mail or a form."""
        lines = [self._site.lexicon.crosshead(rng) for _ in range(CONTACT_LINES)]
        headings = tuple("" if number % 3 else line for number, line in enumerate(reversed(lines)))
        with_mail = rng.random() < WITH_MAIL
        form: Literal["contact"] | None = "contact" if rng.random() < WITH_FORM else None
        for number in range(1, CONTACT_LINES, 3):
            lines[number] += f" +49 {rng.randint(30, 999)} {rng.randint(10_000, 9_999_999)}"
            if with_mail:
                lines[number + 1] += f" desk{number}@{self._site.host}"
        return replace(page, paragraphs=tuple(lines), headings=headings, form=form)

    def _overview(self, rng: Random) -> Box:
        lexicon, picture = self._site.lexicon, "/static/logo.svg"
        teasers = tuple(
            Teaser(link, lexicon.standfirst(rng, {}), None, picture, hash(link))
            for link in self._frame.services[:OVERVIEW]
        )
        return Box("service", lexicon.interface.more, teasers, key=hash(teasers))
