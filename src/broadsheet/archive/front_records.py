"""What an archive knows of feeds, and of home pages and sections."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from broadsheet.archive.page_records import PRIORITIES, VisitReason

#: How many pages of a list are looked at, if need be, as long as nothing says otherwise.
USUAL_DEPTH = 10
#: How a feed was found that robots.txt names, which names sitemaps only.
FOUND_IN_ROBOTS = "robots.txt"


class FeedStanding(StrEnum):
    """What a feed or sitemap is worth: how soon it is visited again depends on it."""

    #: Not judged yet.
    NEW = "new"
    GOOD = "good"
    #: Other feeds list all that it lists.
    REDUNDANT = "redundant"
    #: Home page and sections show what is newer.
    STALE = "stale"
    #: It lists pages of other sites.
    FOREIGN = "foreign"
    #: It lists what are not articles, or cannot be read.
    USELESS = "useless"
    #: A sitemap index, which lists sitemaps.
    INDEX = "index"


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedRecord:
    """A feed or sitemap that a source has, or may have, and what it was judged to be worth."""

    source: str
    page: str
    #: The key of the page that names it, or how else it was found.
    found_on: str
    found_at: datetime
    #: `rss`, `atom`, `json feed`, `sitemap`, `news sitemap` or `sitemap index`; None before it was read.
    form: str | None = None
    standing: FeedStanding = FeedStanding.NEW
    #: Why it has that standing, in words.
    judged: str = ""
    #: When it last listed something new.
    newest: datetime | None = None
    #: How many items it had.
    items: int = 0
    #: Whether it says when its items changed; None if that is not known.
    tells_changes: bool | None = None

    @property
    def priority(self) -> int:
        """How soon it is visited among pages that are due at the same time: sitemaps follow other feeds."""
        is_sitemap = self.found_on == FOUND_IN_ROBOTS or (self.form is not None and "sitemap" in self.form)
        return PRIORITIES[VisitReason.FEED] - is_sitemap


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenLook:
    """A look at the pages of a list that has not ended: the page that is visited next, and its number (the front is 1).

    It asks what came between two visits to the front, `since` and `begun`.
    """

    page: str
    number: int
    since: datetime
    begun: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontRecord:
    """What the visits to a home page or section have shown, and what follows for its pace.

    `new` and `first` count articles that came to it, and those of them that nothing else had shown, in `hours` of
    average intensity; what is long ago counts less. `stays` are the hours for which the last articles stayed that left.
    """

    source: str
    page: str
    articles: int = 0
    hours: float = 0.0
    new: float = 0.0
    first: float = 0.0
    stays: tuple[float, ...] = ()
    #: How many pages of its list a visit looks at, if need be.
    depth: int = USUAL_DEPTH
    #: When it last showed an article that was new on it.
    last_new: datetime | None = None
    #: What set its pace.
    set_by: str = ""
    #: How many articles a day are expected to come and go between visits; None if nothing is known.
    expected_missed: float | None = None
    #: How often nothing of the visit before was left, so that something in between may have been missed.
    gaps: int = 0
    last_gap: datetime | None = None
    #: The looks at its further pages that have not ended yet.
    looks: tuple[OpenLook, ...] = ()
    #: When it was given up, and why; and whether it may be followed again at any time, or only after a while.
    left_at: datetime | None = None
    left_because: str = ""
    may_rejoin: bool = False
