"""One invented news site: what stays the same about it, whatever the time."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from random import Random
from typing import Literal, get_args

from broadsheet.newsweb.english import ENGLISH
from broadsheet.newsweb.greek import GREEK
from broadsheet.newsweb.japanese import JAPANESE
from broadsheet.newsweb.lexicon import Lexicon
from broadsheet.newsweb.rhythm import Rhythm, make_rhythm
from broadsheet.newsweb.url_patterns import DATED, NUMBERED, WORDED, UrlPatterns

Template = Literal["semantic", "cards", "tables"]

TEMPLATES: tuple[Template, ...] = get_args(Template)
LEXICONS = (ENGLISH, GREEK, JAPANESE)
#: The first day of every site; nothing was there before.
FOUNDED = date(2020, 1, 1)

_PATHS: dict[Template, UrlPatterns] = {"semantic": DATED, "cards": NUMBERED, "tables": WORDED}


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the site with its own front, its own language and its own rhythm."""

    place: int
    name: str
    slug: str
    lexicon: Lexicon
    rhythm: Rhythm


@dataclass(frozen=True, slots=True)
class Site:
    """A news site; `lively` ones show the most-read box beside their articles too, which so change every hour."""

    seed: str
    name: str
    slug: str
    template: Template
    lexicon: Lexicon
    sections: tuple[Section, ...]
    charset: str = "utf-8"
    lively: bool = False

    @property
    def host(self) -> str:
        """The name of the site on the invented web, which no real one can have."""
        return f"{self.slug}.example"

    @property
    def paths(self) -> UrlPatterns:
        """Where its pages lie."""
        return _PATHS[self.template]

    @property
    def offset(self) -> timezone:
        """The site's own time; it knows no summer time, so that every day has 24 hours."""
        return timezone(timedelta(hours=self.lexicon.offset))

    @property
    def founded(self) -> datetime:
        """The moment the site opened."""
        return datetime.combine(FOUNDED, time(), self.offset).astimezone(UTC)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of its sections, each once, its main one first."""
        return tuple(dict.fromkeys(section.lexicon.language for section in self.sections))

    @property
    def authors(self) -> tuple[str, ...]:
        """Everybody who writes for the site."""
        lexicons = {section.lexicon.language: section.lexicon for section in self.sections}
        return tuple(author for lexicon in lexicons.values() for author in lexicon.authors)


def make_site(seed: int, place: int) -> Site:
    """Invent the site at a place of a web; three neighbours have all three templates between them."""
    rng = Random(f"{seed}/site/{place}")
    first = Random(f"{seed}/templates").randrange(len(TEMPLATES))
    template = TEMPLATES[(first + place) % len(TEMPLATES)]
    main, other = rng.sample(LEXICONS, 2)
    masthead = main.mastheads[place % len(main.mastheads)]
    chosen = [(named, main) for named in rng.sample(main.sections, rng.randint(3, 4))]
    if rng.random() < 0.5:
        chosen.append((rng.choice(other.sections), other))
    return Site(
        seed=f"{seed}/{place}",
        name=masthead.name,
        slug=f"{masthead.slug}-{place + 1}",
        template=template,
        lexicon=main,
        sections=tuple(
            Section(number, named.name, named.slug, lexicon, make_rhythm(rng))
            for number, (named, lexicon) in enumerate(chosen)
        ),
        charset=main.charset if template == "tables" else "utf-8",
        lively=rng.random() < 0.5,
    )
