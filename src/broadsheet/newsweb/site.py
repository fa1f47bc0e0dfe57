"""One invented news site: its sections and stories, the same for the same seed."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from random import Random

from broadsheet.newsweb.english import ENGLISH
from broadsheet.newsweb.greek import GREEK
from broadsheet.newsweb.japanese import JAPANESE
from broadsheet.newsweb.words import Lexicon

#: The moment the newest story comes out; the site keeps the clocks of a harbour two hours east of Greenwich.
OPENING = datetime(2026, 3, 2, 7, 30, tzinfo=UTC)
OFFSET = timezone(timedelta(hours=2))
STORIES_PER_SECTION = 7


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the site with its own front and its own language."""

    name: str
    slug: str
    lexicon: Lexicon


@dataclass(frozen=True, slots=True)
class Story:
    """What was written, whatever a template makes of it: the truth that extraction is measured against."""

    number: int
    section: Section
    headline: str
    standfirst: str
    author: str
    published: datetime
    modified: datetime | None
    paragraphs: tuple[str, ...]
    crosshead: str

    @property
    def path(self) -> str:
        """Where the story lies on its site."""
        words = re.findall(r"[a-z0-9]+", self.headline.lower())
        return f"/{self.section.slug}/{'-'.join([*words, str(self.number)])}.html"


@dataclass(frozen=True, slots=True)
class Site:
    """A news site at one moment."""

    name: str
    url: str
    sections: tuple[Section, ...]
    stories: tuple[Story, ...]

    def of(self, section: Section) -> tuple[Story, ...]:
        """Return a section's stories, newest first."""
        return tuple(story for story in self.stories if story.section == section)


SECTIONS = (
    Section("Harbour", "harbour", ENGLISH),
    Section("Town", "town", ENGLISH),
    Section("Culture", "culture", ENGLISH),
    Section("Ελληνικά", "ellinika", GREEK),
    Section("日本語", "nihongo", JAPANESE),
)


def make_site(seed: int) -> Site:
    """Invent a site; each story has its own generator, so that one more story changes none of the others."""
    numbered = [
        (1000 + round_ * len(SECTIONS) + place, section)
        for round_ in range(STORIES_PER_SECTION)
        for place, section in enumerate(SECTIONS)
    ]
    stories = [make_story(seed, number, section) for number, section in numbered]
    return Site(
        name="The Tidewater Courier",
        url="https://www.tidewater-courier.example",
        sections=SECTIONS,
        stories=tuple(sorted(stories, key=lambda story: story.published, reverse=True)),
    )


def make_story(seed: int, number: int, section: Section) -> Story:
    """Invent one story; the number tells its age, a quarter of an hour to an hour and a half per story."""
    rng = Random(f"{seed}/{number}")
    lexicon = section.lexicon
    facts = lexicon.facts(rng)
    age = timedelta(minutes=90 * (number - 1000) + rng.randint(0, 75))
    published = (OPENING - age).astimezone(OFFSET)
    return Story(
        number=number,
        section=section,
        headline=lexicon.fill(rng.choice(lexicon.headlines), facts),
        standfirst=lexicon.fill(rng.choice(lexicon.standfirsts), facts),
        author=rng.choice(lexicon.authors),
        published=published,
        modified=published + timedelta(minutes=rng.randint(5, 40)) if rng.random() < 0.4 else None,
        paragraphs=lexicon.paragraphs(rng, facts),
        crosshead=rng.choice(lexicon.crossheads),
    )
