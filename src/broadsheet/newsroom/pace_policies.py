"""How often each section of a source is visited: policies, of which the configuration names one."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import NamedTuple, Protocol, runtime_checkable

from broadsheet.archive import USUAL_DEPTH
from broadsheet.base.entry_points import registered
from broadsheet.base.errors import ConfigError
from broadsheet.newsroom.arrival_rhythm import HOUR
from broadsheet.newsroom.front_turnover import SourceTurnover

#: The group of entry points in which other packages register policies.
ENTRY_POINTS = "broadsheet.paces"
#: What a visit of usual size costs, in the time for which articles wait: as much as one article that waits for half an
#: interval.
PRICE = 0.5
#: A front is visited again after at most so many times the time for which it was watched: what is hardly known may be
#: about to change. If nothing was new on it in that time, it may wait for longer.
WATCHED_SHARE, QUIET_SHARE = 1.0, 4.0
#: The share of its articles that a front shows first counts once if the others are merely faster. Of several fronts
#: that show the same, each is first with a part only because it is visited, too, and it would have to count twice for
#: all of them together to be visited as often as one alone. Which it is cannot be told, so it is in between.
RIVALRY = 0.5
#: A front on which articles come is visited no sooner than this, or than the interval if that is shorter. Otherwise the
#: cost decides: with a long interval, one front of many may be worth most of the visits.
SOONEST = timedelta(minutes=5)
#: What was visited only once is visited again after so long at most: nothing is known of it.
FIRST_AGAIN = timedelta(hours=6)
#: A visit to a feed that leads costs as much as so many articles that wait for one interval, for each hour of it. So
#: such visits have a fixed share of all: a feed with two articles an hour gets seven for each to the home page.
LED_PRICE = 0.02
#: The fronts that are left to it are visited at least once in so many intervals, so that together they take no more
#: than a small share, whatever the interval.
LEFT_INTERVALS = 48
#: No front is visited more rarely than this; by `arrivals`, which knows that little comes to it, than that.
LONGEST, LONGEST_QUIET = timedelta(days=1), timedelta(days=3)
#: An article that leaves a front unseen weighs as much as one that waits for so many hours.
MISSED_HOURS = 48.0
#: Articles are taken to stay on a front for this share of the time that others did, to be on the safe side.
SAFE_STAY = 0.5


class PacePolicy(Protocol):
    """Decides when a front is visited next. docs/explanation/paces.md shows how to add one."""

    def next_interval(self, source: SourceTurnover, page: str, interval: timedelta, now: datetime) -> timedelta:
        """Return the time from this visit of a front to the next; `interval` is that of the source.

        The home page is visited as soon as this says, but never later than the source's interval.
        """
        ...


@runtime_checkable
class DepthPolicy(Protocol):
    """A policy that also decides how many pages of a list are looked at when all of the first was replaced."""

    def next_depth(self, source: SourceTurnover, page: str) -> int:
        """Return how many pages of the list of a front may be looked at the next time, the first included."""
        ...


@runtime_checkable
class LeaderPolicy(Protocol):
    """A policy that leaves fronts to a feed that leads.

    It may be asked again about the visits before, once a feed does.
    """

    heeds_leader: bool


class FixedPace:
    """Visits every front as often as the home page."""

    def next_interval(self, source: SourceTurnover, page: str, interval: timedelta, now: datetime) -> timedelta:
        """Return the shortest interval."""
        del source, page, now
        return interval


class AdaptivePace:
    """Visits a front sooner after a change and later without one, as general web crawlers do."""

    sooner, later = 0.8, 1.5

    def next_interval(self, source: SourceTurnover, page: str, interval: timedelta, now: datetime) -> timedelta:
        """Return a shorter interval than the last one if anything was new, or else a longer one."""
        del now
        front = source.front(page)
        return _within(front.every * (self.sooner if front.freshness else self.later), interval)


class OverlapPace:
    """Visits a front sooner if few articles of the last visit are still there, and later if most are."""

    few, most = 1 / 3, 2 / 3

    def next_interval(self, source: SourceTurnover, page: str, interval: timedelta, now: datetime) -> timedelta:
        """Return half or twice the last interval, or the same."""
        del now
        front = source.front(page)
        factor = 0.5 if front.overlap < self.few else 2.0 if front.overlap > self.most else 1.0
        return _within(front.every * factor, interval)


class StabilityPace:
    """Visits all fronts of a source sooner if more is fresh than its average stability lets expect."""

    def next_interval(self, source: SourceTurnover, page: str, interval: timedelta, now: datetime) -> timedelta:
        """Return the last interval times what is expected to be fresh, divided by what is."""
        del now
        expected, fresh = 1.0 - source.stability, source.front(page).freshness
        factor = min(2.0, max(0.5, expected / fresh)) if fresh else 2.0
        return _within(source.front(page).every * factor, interval)


class ArrivalPace:
    """Visits a front when waiting longer would cost more than a visit.

    Waiting costs the time for which the articles wait that only this front shows, expected from its own past, that of
    the other fronts, and the hour of the day. At an even pace, a front that brings `rate` such articles per hour is
    visited every `sqrt(2 * PRICE * interval / rate)` hours: a quarter of the articles, half the visits. The last
    request to each front then saves as much waiting, which is the best use of a number of requests.
    """

    heeds_leader = True

    def next_interval(self, source: SourceTurnover, page: str, interval: timedelta, now: datetime) -> timedelta:
        """Return the interval with the least cost per hour, or less as long as little is known of the front."""
        front, outlook = source.front(page), _outlook(source, page, interval)
        first, longest = min(interval, SOONEST), outlook.longest / HOUR
        shortest = first if front.new else interval if front.hours else min(interval, FIRST_AGAIN)
        # What may wait for weeks is looked at in longer steps, so that it takes no more time than the rest.
        hours = first / 2 / HOUR * max(1.0, outlook.longest / LONGEST_QUIET)
        elapsed = expected = waiting = lost = since = 0.0
        while elapsed < longest:
            intensity = outlook.intensity(now + timedelta(hours=elapsed)) * hours
            since += intensity
            waiting += (expected + outlook.rate * intensity / 2) * hours
            expected += outlook.rate * intensity
            before, lost = lost, MISSED_HOURS * outlook.rate * source.unseen_hours(page, since, SAFE_STAY)
            elapsed += hours
            marginal = expected + (lost - before) / hours
            if elapsed * marginal - waiting - lost >= outlook.price:
                break
        return max(shortest, min(timedelta(hours=elapsed), max(LONGEST_QUIET, outlook.longest, interval)))

    def next_depth(self, source: SourceTurnover, page: str) -> int:
        """Return half the depth if a look did not lead to anything known, as on a list drawn at random; else more."""
        front = source.front(page)
        return max(1, front.depth // 2) if front.is_open else min(USUAL_DEPTH, front.depth + 1)


class _Outlook(NamedTuple):
    """What is expected of a front, and what a visit to it costs."""

    #: Articles per hour of average intensity that wait for a visit to it, and how intense each moment is.
    rate: float
    intensity: Callable[[datetime], float]
    #: In hours for which articles wait.
    price: float
    longest: timedelta


def _outlook(source: SourceTurnover, page: str, interval: timedelta) -> _Outlook:
    """Return what is expected of a front, with a feed that leads or without one."""
    front, leader, rhythm = source.front(page), source.leading.page, source.rhythm
    cost = (interval / HOUR) * source.cost(page)
    share = WATCHED_SHARE if front.new else QUIET_SHARE
    longest = min(share * front.hours * HOUR, LONGEST_QUIET)
    if page == leader:
        return _Outlook(source.new_rate(page), rhythm.likely_intensity, LED_PRICE * (interval / HOUR) * cost, longest)
    rate = source.rate(page) * source.first_share(page) ** RIVALRY
    if leader is not None:
        rate = min(rate, source.new_rate(page) * source.leading.lacks(page))
        # What the feed lacks is known from all fronts, so that this one need not have been watched for long.
        longest = LEFT_INTERVALS * interval if front.hours else timedelta()
    return _Outlook(rate, rhythm.intensity, PRICE * cost, longest)


def depth_of(policy: PacePolicy, source: SourceTurnover, page: str) -> int:
    """Return the depth that a policy sets for a front; the usual one if it decides only on intervals."""
    return policy.next_depth(source, page) if isinstance(policy, DepthPolicy) else USUAL_DEPTH


def _within(paced: timedelta, interval: timedelta) -> timedelta:
    return max(interval, min(paced, max(LONGEST, interval)))


#: By the names that the configuration knows.
PACES: Mapping[str, Callable[[], PacePolicy]] = {
    "fixed": FixedPace,
    "adaptive": AdaptivePace,
    "overlap": OverlapPace,
    "stability": StabilityPace,
    "arrivals": ArrivalPace,
}


def build_pace(name: str) -> PacePolicy:
    """Build the policy of a name; an unknown name is an error that lists the known ones."""
    # Only what is named is loaded: an entry point may be code of anybody.
    installed = registered(ENTRY_POINTS)
    if name not in installed and name not in PACES:
        known = ", ".join(dict.fromkeys((*PACES, *installed)))
        raise ConfigError(f"newsroom.pace: no policy is called {name!r}; the known ones are {known}")
    found: Callable[[], PacePolicy] = installed[name].load() if name in installed else PACES[name]
    return found()
