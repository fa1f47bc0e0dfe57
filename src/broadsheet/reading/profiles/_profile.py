"""The profile of a site: human-readable, and optional for reading its pages."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import date
from functools import cached_property

from broadsheet.base.records import Reading
from broadsheet.document import Document
from broadsheet.reading.facts import SiteZone
from broadsheet.reading.profiles import _application

FORMAT = "broadsheet site profile"
VERSION = 2
#: The most lines and places of each kind in a description.
DESCRIBED = 12


@dataclass(frozen=True, slots=True)
class RepeatedLine:
    """A line on several pages: its fingerprint, the number of pages, and its beginning."""

    fingerprint: str
    pages: int
    text: str


@dataclass(frozen=True, slots=True)
class LinePlace:
    """A place with lines on several pages, and its numbers of words in total, repeated, and labelled as body."""

    path: str
    pages: int
    words: int
    repeated: int
    body: int


@dataclass(frozen=True)
class SiteProfile:
    """What the pages of one site have in common from a day on; a redesigned site needs a new profile."""

    #: The first day for which the profile is valid.
    since: date
    #: The reader that found the body of the pages.
    reader: str
    #: The number of pages, all with different articles.
    pages: int
    #: The number of pages left out because they repeat an article.
    duplicates: int
    #: Lines that are template because their text repeats.
    lines: tuple[RepeatedLine, ...]
    #: Places where all text is template.
    template: tuple[LinePlace, ...]
    #: Places of article text.
    body: tuple[LinePlace, ...]
    #: The number of repeated lines dropped because there were too many.
    lines_left_out: int = 0
    #: The zones that agree with the times that the pages state with an offset.
    zones: tuple[SiteZone, ...] = ()

    def apply(self, document: Document, reading: Reading) -> Reading:
        """Return a reading without the site's template lines, and with lines in the same place as its articles."""
        return _application.apply(self, document, reading)

    @cached_property
    def fingerprints(self) -> frozenset[str]:
        """The fingerprints of the repeated lines."""
        return frozenset(line.fingerprint for line in self.lines)

    @cached_property
    def template_paths(self) -> frozenset[str]:
        """The paths of the places of template text."""
        return frozenset(place.path for place in self.template)

    @cached_property
    def body_paths(self) -> frozenset[str]:
        """The paths of the places of article text."""
        return frozenset(place.path for place in self.body)

    def to_dict(self) -> dict[str, object]:
        """Return the profile as JSON types, with the format and its version."""
        zones = [zone._asdict() for zone in self.zones]
        return {"format": FORMAT, "version": VERSION, **asdict(self), "since": self.since.isoformat(), "zones": zones}

    def describe(self) -> str:
        """Describe the profile in words: places of article and template text, and repeated lines."""
        duplicates = f" ({self.duplicates} duplicates left out)" if self.duplicates else ""
        parts = [f"Valid from {self.since}. Built from {self.pages} pages{duplicates} with the reader {self.reader}."]
        for title, places in (("Places of article text", self.body), ("Places of template text", self.template)):
            items = [_describe_place(place) for place in places[:DESCRIBED]]
            parts += _format_list(title, items, len(places))
        items = [f"on {line.pages} pages: {line.text}" for line in self.lines[:DESCRIBED]]
        parts += _format_list("Repeated lines", items, len(self.lines) + self.lines_left_out)
        if self.zones:
            parts.append(f"Times are {' or '.join(map(_describe_zone, self.zones))}.")
        return "\n".join(parts)


def in_force(profiles: Iterable[SiteProfile], day: date) -> SiteProfile | None:
    """Return the profile valid on a day, which is the latest one since then, or None."""
    begun = (profile for profile in profiles if profile.since <= day)
    return max(begun, key=lambda profile: profile.since, default=None)


def _describe_place(place: LinePlace) -> str:
    shares = f"{place.body / place.words:.0%} body, {place.repeated / place.words:.0%} repeated"
    return f"{place.path}: {place.words:,} words on {place.pages} pages, {shares}"


def _describe_zone(zone: SiteZone) -> str:
    hours, minutes = divmod(abs(zone.minutes), 60)
    summer = {"fixed": "all year", "eu": "with European summer time", "us": "with summer time of the United States"}
    return f"UTC{'-' if zone.minutes < 0 else '+'}{hours:02}:{minutes:02} {summer[zone.rule]}"


def _format_list(title: str, items: list[str], total: int) -> list[str]:
    more = [f"  and {total - len(items):,} more"] if total > len(items) else []
    return [f"{title}:", *(f"  {item}" for item in items), *more] if items else [f"{title}: none."]
