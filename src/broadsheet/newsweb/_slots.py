"""The scheduled publication of an article."""

from dataclasses import dataclass, field
from datetime import date, datetime

from broadsheet.newsweb.site import Section


@dataclass(frozen=True, slots=True)
class Slot:
    """The scheduled publication of an article; prominent ones appear at the top of the home page."""

    # Hashing a section means hashing its whole vocabulary, which would make every cache lookup slow.
    section: Section = field(hash=False)
    day: date = field(hash=False)
    ordinal: int = field(hash=False)
    published: datetime = field(hash=False)
    prominent: bool = field(hash=False)
    appeal: float = field(hash=False)
    #: Unique among the articles of the site.
    number: int
    #: `published` as a number: lists compare and subtract it far more often than anyone reads it.
    seconds: float = field(hash=False)
    #: A number from 0 to 1 in which the stories of a site differ evenly.
    spread: float = field(hash=False)
