"""The scheduled publication of an article."""

from datetime import date, datetime
from typing import NamedTuple

from broadsheet.newsweb.site import Section


# A named tuple is made in a third of the time of a frozen dataclass, and hundreds are made for every front.
class Slot(NamedTuple):
    """The scheduled publication of an article; prominent ones appear at the top of the home page."""

    section: Section
    day: date
    ordinal: int
    published: datetime
    prominent: bool
    appeal: float
    #: Unique among the articles of the site.
    number: int
    #: `published` as a number: lists compare and subtract it far more often than anyone reads it.
    seconds: float
    #: A number from 0 to 1 in which the stories of a site differ evenly.
    spread: float

    def __hash__(self) -> int:
        """Return its number: hashing a section means hashing its whole vocabulary."""
        return self.number
