"""A site's profile: small enough to read, and needed for no single page."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import date
from functools import cached_property

from broadsheet.base.records import Reading
from broadsheet.document import Document
from broadsheet.reading.profiles import application

FORMAT = "broadsheet site profile"
VERSION = 1
#: TextLines and places that a description names of each kind.
DESCRIBED = 12


@dataclass(frozen=True, slots=True)
class RepeatedLine:
    """A line that several pages have: its fingerprint, on how many pages it stands, and how it begins."""

    fingerprint: str
    pages: int
    text: str


@dataclass(frozen=True, slots=True)
class LinePlace:
    """Where lines stand on several pages, with the words there, those that repeat, and those a reader took for body."""

    path: str
    pages: int
    words: int
    repeated: int
    body: int


@dataclass(frozen=True)
class SiteProfile:
    """What the pages of one site have in common, from a day on: a site that changes its design needs another."""

    #: The first day for which the profile holds.
    since: date
    #: Who told the body of the pages.
    reader: str
    #: How many pages were seen, of which no two are the same article.
    pages: int
    #: Pages that were left out because they are an article seen before.
    duplicates: int
    #: What is template because its text repeats.
    lines: tuple[RepeatedLine, ...]
    #: Where all text is template, whatever it says.
    template: tuple[LinePlace, ...]
    #: Where articles stand.
    body: tuple[LinePlace, ...]
    #: Repeated lines that were not kept, because there are too many.
    lines_left_out: int = 0

    def apply(self, document: Document, reading: Reading) -> Reading:
        """Return a reading without what repeats on the site, and with what stands where its articles do."""
        return application.apply(self, document, reading)

    @cached_property
    def fingerprints(self) -> frozenset[str]:
        """The fingerprints of the repeated lines."""
        return frozenset(line.fingerprint for line in self.lines)

    @cached_property
    def template_paths(self) -> frozenset[str]:
        """The paths of the places whose text is template."""
        return frozenset(place.path for place in self.template)

    @cached_property
    def body_paths(self) -> frozenset[str]:
        """The paths of the places where articles stand."""
        return frozenset(place.path for place in self.body)

    def to_dict(self) -> dict[str, object]:
        """Return the profile in plain types that JSON knows, with the format and its version."""
        return {"format": FORMAT, "version": VERSION, **asdict(self), "since": self.since.isoformat()}

    def describe(self) -> str:
        """Return the profile in words: where articles stand, what is template, and which lines repeat."""
        duplicates = f", {self.duplicates} more were seen before" if self.duplicates else ""
        parts = [f"Holds from {self.since} on. Made of {self.pages} pages{duplicates}, read by {self.reader}."]
        for title, places in (("Articles stand in", self.body), ("All is template in", self.template)):
            told = [_told(place) for place in places[:DESCRIBED]]
            parts += _listed(title, told, len(places))
        told = [f"on {line.pages} pages: {line.text}" for line in self.lines[:DESCRIBED]]
        parts += _listed("Lines that repeat", told, len(self.lines) + self.lines_left_out)
        return "\n".join(parts)


def in_force(profiles: Iterable[SiteProfile], day: date) -> SiteProfile | None:
    """Return the profile of a site that holds on a day: the latest that began by then; None where none did."""
    return max((profile for profile in profiles if profile.since <= day), key=lambda one: one.since, default=None)


def _told(place: LinePlace) -> str:
    shares = f"{place.body / place.words:.0%} body, {place.repeated / place.words:.0%} repeated"
    return f"{place.path}: {place.words:,} words on {place.pages} pages, {shares}"


def _listed(title: str, told: list[str], total: int) -> list[str]:
    more = [f"  and {total - len(told):,} more"] if total > len(told) else []
    return [f"{title}:", *(f"  {each}" for each in told), *more] if told else [f"{title}: nothing found."]
