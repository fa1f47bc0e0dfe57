"""A simulated news site: everything about it that does not change over time."""

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, timezone
from functools import lru_cache
from random import Random
from typing import Literal, get_args

from broadsheet.newsweb._english import ENGLISH
from broadsheet.newsweb._greek import GREEK
from broadsheet.newsweb._japanese import JAPANESE
from broadsheet.newsweb._lexicon import Lexicon
from broadsheet.newsweb._rhythm import Rhythm, make_rhythm
from broadsheet.newsweb._url_patterns import DATED, NUMBERED, PLANNED_PATTERNS, WORDED, UrlPatterns
from broadsheet.newsweb.site_extras import PageExtras
from broadsheet.newsweb.site_knobs import Knobs
from broadsheet.newsweb.site_plan import SitePlan

Template = Literal["semantic", "cards", "tables"]
#: A planned site is rendered from the parts that its layout names.
Rendering = Template | Literal["composed"]

TEMPLATES: tuple[Template, ...] = get_args(Template)
LEXICONS = (ENGLISH, GREEK, JAPANESE)
#: The day on which every site opens.
FOUNDED = date(2020, 1, 1)

_URL_PATTERNS: dict[Rendering, UrlPatterns] = {"semantic": DATED, "cards": NUMBERED, "tables": WORDED}


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the site, with its own front page, language and publishing rhythm."""

    index: int
    name: str
    slug: str
    lexicon: Lexicon
    rhythm: Rhythm
    #: The section that this one is a part of.
    parent: int | None = None
    #: The section whose stories its front lists instead of its own; planned sites alone heed that.
    copies: int | None = None


@dataclass(frozen=True, slots=True)
class Site:
    """A news site; on `lively` ones the article pages also have a most-read box, which may change every hour."""

    seed: str
    name: str
    slug: str
    template: Rendering
    lexicon: Lexicon
    sections: tuple[Section, ...]
    charset: str = "utf-8"
    lively: bool = False
    knobs: Knobs = field(default_factory=Knobs)
    plan: SitePlan | None = None
    extras: PageExtras = field(default_factory=PageExtras)

    @property
    def host(self) -> str:
        """The site's host name, in a top-level domain that is reserved for examples."""
        return f"{self.slug}.example"

    @property
    def paths(self) -> UrlPatterns:
        """The URL patterns of its pages."""
        patterns = _URL_PATTERNS[self.template] if self.plan is None else PLANNED_PATTERNS[self.plan.addresses]
        return patterns.adapted(self.knobs)

    @property
    def day_step(self) -> int:
        """How many numbers the articles of one day may have."""
        return 1000 if self.plan is None else 10_000

    def members(self, section: Section) -> tuple[Section, ...]:
        """Return a section and its subsections."""
        return (section, *(other for other in self.sections if other.parent == section.index))

    def listed(self, section: Section) -> tuple[Section, ...]:
        """Return the sections whose stories the front of one lists: its members, or those of the one that it copies."""
        return self.members(section if section.copies is None else self.sections[section.copies])

    @property
    def offset(self) -> timezone:
        """The site's time zone, without daylight saving time, so that every day has 24 hours."""
        return _zone(self.lexicon.offset)

    @property
    def founded(self) -> datetime:
        """The time at which the site opens."""
        return _opening(self.lexicon.offset)

    @property
    def languages(self) -> tuple[str, ...]:
        """The distinct languages of its sections, the main one first."""
        return tuple(dict.fromkeys(section.lexicon.language for section in self.sections))

    @property
    def authors(self) -> tuple[str, ...]:
        """All authors who write for the site."""
        lexicons = {section.lexicon.language: section.lexicon for section in self.sections}
        return tuple(author for lexicon in lexicons.values() for author in lexicon.authors)


@lru_cache(maxsize=32)
def _zone(hours: int) -> timezone:
    # Times in one and the same zone are compared several times faster than those in equal ones.
    return timezone(timedelta(hours=hours))


@lru_cache(maxsize=32)
def _opening(hours: int) -> datetime:
    return datetime.combine(FOUNDED, time(), _zone(hours)).astimezone(UTC)


def make_site(seed: int, index: int, knobs: Knobs | None = None) -> Site:
    """Generate the site with this index in a web; any three consecutive sites use all three templates."""
    rng = Random(f"{seed}/site/{index}")
    first = Random(f"{seed}/templates").randrange(len(TEMPLATES))
    template = TEMPLATES[(first + index) % len(TEMPLATES)]
    main, other = rng.sample(LEXICONS, 2)
    masthead = main.mastheads[index % len(main.mastheads)]
    chosen = [(named, main) for named in rng.sample(main.sections, rng.randint(3, 4))]
    if rng.random() < 0.5:
        chosen.append((rng.choice(other.sections), other))
    return Site(
        seed=f"{seed}/{index}",
        name=masthead.name,
        slug=f"{masthead.slug}-{index + 1}",
        template=template,
        lexicon=main,
        sections=tuple(
            Section(number, named.name, named.slug, lexicon, make_rhythm(rng))
            for number, (named, lexicon) in enumerate(chosen)
        ),
        charset=main.charset if template == "tables" else "utf-8",
        lively=rng.random() < 0.5,
        knobs=knobs or Knobs(),
    )
