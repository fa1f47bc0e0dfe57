"""What the visits to a front have shown: how many articles come, and how long they stay."""

from collections import Counter, deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from broadsheet.archive import USUAL_DEPTH, FrontRecord
from broadsheet.newsroom.arrival_rhythm import HOUR, ArrivalRhythm
from broadsheet.newsroom.leading_front import LeadingFront

#: The time after which what was seen counts half.
HALF_LIFE_HOURS = 7 * 24.0
#: What the other sections of a source have shown weighs as much as so many hours of this one, or new articles on it.
PRIOR_HOURS, PRIOR_NEW = 4.0, 4.0
#: Those hours are fewer where they would bring more new articles than this: most sections bring far less than the mean.
MAX_PRIOR = 0.5
#: What is expected before anything was seen: new articles per hour on a section, and the share of them that nothing
#: else has shown; it weighs as much as so many hours and new articles.
USUAL_NEW, USUAL_FIRST = 0.25, 0.3
USUAL_HOURS, USUAL_ARTICLES = 24.0, 10.0
#: How long articles stay is told from so many that left; how long all stay on average weighs as much as some more.
MAX_STAYS, PRIOR_STAYS = 32, 2

#: The share of what was seen that still counts after a feed that listed all has gone.
KEPT = 0.1
#: The weight of the last visit in the average of the bytes that visits take.
NEWEST_BYTES = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontVisit:
    """One visit to a front, compared with the visit before."""

    at: datetime
    #: The articles that it lists.
    articles: int
    #: Those that it did not list at the visit before, and those of them that nothing else had shown either.
    new: int
    first: int
    #: Those of the visit before that it still lists, and how many that visit listed.
    kept: int
    before: int
    #: When those had come that have left since.
    left: Sequence[datetime] = ()
    #: Whether none of them is left, so that something in between may have been missed.
    is_gap: bool = False
    #: All links of the front, and those of them that nothing had shown before, if they are to be compared with what
    #: other fronts show.
    listed: Collection[str] = ()
    found: Collection[str] = ()
    #: Whether it is a feed or a sitemap.
    is_file: bool = False
    #: The bytes that were received; none if it had not changed.
    received: int = 0


@dataclass(slots=True)
class FrontTurnover:
    """Counts for one front; what is long ago counts less. Hours are those of average intensity of the source."""

    visited: datetime | None = None
    every: timedelta = timedelta()
    articles: int = 0
    hours: float = 0.0
    #: Articles that were new on it, and those that nothing else had shown.
    new: float = 0.0
    first: float = 0.0
    #: For how many hours the last articles stayed that left.
    stays: deque[float] = field(default_factory=lambda: deque(maxlen=MAX_STAYS))
    #: Visits that found none of the articles of the visit before: something in between may have been missed.
    gaps: int = 0
    last_gap: datetime | None = None
    last_new: datetime | None = None
    #: The share of its articles that were new, and of those that stayed, at the last visit.
    freshness: float = 0.0
    overlap: float = 1.0
    #: How many pages of its list were looked at, if need be, and whether none of them showed anything known.
    depth: int = USUAL_DEPTH
    is_open: bool = False
    #: The bytes of the page when it was last fetched, and those that a visit takes, on average of the last ones.
    size: int = 0
    usual_bytes: float = 0.0

    def add(self, visit: FrontVisit, hours: float) -> None:
        """Count a visit, so many hours of average intensity after the one before."""
        fading = 0.5 ** (hours / HALF_LIFE_HOURS)
        if self.visited is not None:
            self.hours = self.hours * fading + hours
            self.new = self.new * fading + visit.new
            self.first = self.first * fading + visit.first
            if visit.new:
                self.last_new = visit.at
            self.freshness = visit.new / visit.articles if visit.articles else 0.0
            self.overlap = visit.kept / visit.before if visit.before else 1.0
        if visit.is_gap:
            self.add_gap(visit.at)
        self.articles = visit.articles
        self.size = visit.received or self.size
        before = self.usual_bytes if self.visited is not None else self.size
        self.usual_bytes = before + NEWEST_BYTES * (visit.received - before)
        self.visited = visit.at

    def add_gap(self, at: datetime) -> None:
        """Count that nothing of the visit before was left at this time."""
        self.gaps, self.last_gap = self.gaps + 1, at


@dataclass(slots=True)
class SourceTurnover:
    """What the visits to all fronts of a source have shown."""

    home: str
    rhythm: ArrivalRhythm = field(default_factory=ArrivalRhythm)
    fronts: dict[str, FrontTurnover] = field(default_factory=dict)
    leading: LeadingFront = field(default_factory=LeadingFront)

    def front(self, page: str) -> FrontTurnover:
        """Return what is known of a front."""
        return self.fronts.setdefault(page, FrontTurnover())

    def see(self, page: str, visit: FrontVisit) -> FrontTurnover:
        """Count a visit to a front."""
        front = self.front(page)
        hours = 0.0
        if front.visited is not None:
            hours = self.rhythm.expected_hours(front.visited, visit.at)
            self.rhythm.add(front.visited, visit.at, visit.first)
        self.leading.see(page, visit.at, visit.listed, visit.found, is_file=visit.is_file)
        # In a fixed order, because only the last ones are kept.
        front.stays.extend(self.rhythm.expected_hours(came, visit.at) for came in sorted(visit.left))
        front.add(visit, hours)
        return front

    def restore(self, page: str, begin: datetime, visited: datetime, first: int) -> None:
        """Take from an earlier crawl since when a front is followed, when it was last visited, and what it brought."""
        front = self.front(page)
        front.visited, front.hours = visited, max(0.0, (visited - begin) / HOUR)
        front.first, front.new = float(first), first / USUAL_FIRST

    def resume(self, known: FrontRecord, visited: datetime) -> None:
        """Go on with what an earlier crawl has kept of a front."""
        front = self.front(known.page)
        front.visited, front.articles, front.hours = visited, known.articles, known.hours
        front.new, front.first, front.gaps = known.new, known.first, known.gaps
        front.last_new, front.last_gap = known.last_new, known.last_gap
        front.stays.extend(known.stays)

    def restore_rhythm(self, begin: datetime, end: datetime, arrivals: Sequence[datetime]) -> None:
        """Take from an earlier crawl when articles came."""
        counts = Counter((at - begin) // HOUR for at in arrivals)
        for hour in range((end - begin) // HOUR):
            start = begin + hour * HOUR
            self.rhythm.add(start, start + HOUR, counts[hour])

    def keep(self, pages: Collection[str]) -> None:
        """Forget all other fronts, but no feeds."""
        kept = {*pages, *self.leading.files}
        self.fronts = {page: front for page, front in self.fronts.items() if page in kept}

    def learn_anew(self) -> None:
        """Let what was seen count little: while a feed led, it showed first what fronts would have shown."""
        for front in self.fronts.values():
            front.hours, front.new, front.first = (KEPT * each for each in (front.hours, front.new, front.first))

    def rate(self, page: str) -> float:
        """Return how many articles per hour of average intensity only this front is expected to show.

        That is how many are new on it, times the share of these that nothing else has shown; of both, the other fronts
        say what to expect of one that was rarely visited.
        """
        return self.new_rate(page) * self.first_share(page)

    def new_rate(self, page: str) -> float:
        """Return how many articles per hour of average intensity are expected to be new on a front."""
        others, own = self._others(page), self.front(page)
        hours, new = sum(front.hours for front in others), sum(front.new for front in others)
        usual = (new + USUAL_NEW * USUAL_HOURS) / (hours + USUAL_HOURS)
        prior = min(PRIOR_HOURS, MAX_PRIOR / usual)
        return (own.new + prior * usual) / (own.hours + prior)

    def first_share(self, page: str) -> float:
        """Return which share of the articles that are new on a front nothing else is expected to have shown before."""
        others, own = self._others(page), self.front(page)
        new, first = sum(front.new for front in others), sum(front.first for front in others)
        usual = (first + USUAL_FIRST * USUAL_ARTICLES) / (new + USUAL_ARTICLES)
        return (own.first + PRIOR_NEW * usual) / (own.new + PRIOR_NEW)

    def cost(self, page: str) -> float:
        """Return what a visit to a front costs: half is the request, and half are its bytes.

        It is 1 if a visit takes as many bytes as the pages of the source's fronts have, and less if it often has not
        changed.
        """
        sizes = [front.size for front in self.fronts.values() if front.size]
        usual = sum(sizes) / max(1, len(sizes))
        return (1 + self.front(page).usual_bytes / usual) / 2 if usual else 1.0

    def _others(self, page: str) -> list[FrontTurnover]:
        return [front for key, front in self.fronts.items() if key not in {page, self.home}]

    def stay(self, page: str) -> float | None:
        """Return for how many hours of average intensity an article stays on a front; None if that is not known."""
        front = self.front(page)
        return front.articles * front.hours / front.new if front.new else None

    def missed(self, page: str, hours: float) -> float:
        """Return how many articles are expected to come to a front and leave again in so many hours.

        Those that nothing else shows are counted.
        """
        return self.rate(page) * self.unseen_hours(page, hours)

    def unseen_hours(self, page: str, hours: float, margin: float = 1.0) -> float:
        """Return for how many of so many hours what comes to a front in them has left again when they have passed.

        With a smaller margin, articles are taken to stay for that share of the time that is known.
        """
        front, usual = self.front(page), self.stay(page)
        stays: list[float] = [*front.stays, *([usual] * PRIOR_STAYS if usual is not None else ())]
        if not stays:
            return 0.0
        gone: float = sum(max(0.0, hours - margin * stay) for stay in stays)
        return gone / len(stays)

    def missed_a_day(self, page: str, start: datetime, every: timedelta) -> float:
        """Return how many articles a day are expected to be missed if a front is visited at an interval."""
        lost = self.missed(page, self.rhythm.expected_hours(start, start + every))
        return lost * (timedelta(days=1).total_seconds() / every.total_seconds())

    @property
    def stability(self) -> float:
        """The share of the articles on all fronts that were there at the visit before."""
        return sum(front.overlap for front in self.fronts.values()) / max(1, len(self.fronts))

    @property
    def freshness(self) -> float:
        """The share of the articles on all fronts that were not there at the visit before."""
        return sum(front.freshness for front in self.fronts.values()) / max(1, len(self.fronts))
