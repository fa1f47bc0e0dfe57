"""When an article is visited again: policies, of which the configuration names one."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

from broadsheet.base.errors import ConfigError
from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.newsroom.revisit_tally import RevisitTally

#: Signs of a revision: a front links to the article with another headline, or a feed or sitemap gives a new date.
HEADLINE, MODIFIED = "headline", "modified date"
#: Articles of these subtypes change again and again.
LIVE = frozenset({"live"})
#: An article with this many versions is likely to change again soon, whatever its subtype.
HOT_VERSIONS = 3
#: The age from which hardly any article is revised.
YOUNG = timedelta(days=2)
Steps = tuple[tuple[float, float], ...]
#: When an article is visited again, in multiples of the shortest interval: until it has this age, after so long. What
#: comes late is visited rarely. Where changes are told, the first step is divided: what is left to find is so little
#: that a visit to an article that was fetched minutes after its publication is worth more than one to a later one.
STEPS: Steps = ((0.5, 1.0), (1.0, 1.0), (1.5, 1.0), (2.5, 1.0), (3.5, 1.0), (5.0, 2.0), (9.0, 6.0))
TOLD_STEPS: Steps = ((0.15, 1.0), (0.3, 1.0), *STEPS)
#: An article that changed within this many intervals may go on changing; after that it is like any other of its age.
HOT_INTERVALS = 0.75
#: A page that states so much later than its publication that it was modified has changed before it was first fetched,
#: as live blogs have; many pages state a modification right after their publication.
SETTLED = timedelta(minutes=2)
#: What is expected before anything is known: the share of visits that find a revision soon after the publication, after
#: a revision, and after a change of what is live, and the share of signs that are right. Where changes are told, visits
#: without a sign are there for what is not told. With a, the age in intervals, yields fall as 1 / (1 + a²).
FIRST_YIELD, REVISED_YIELD, LIVE_YIELD, SIGN_YIELD, TOLD_YIELD = 0.06, 0.1, 0.5, 0.5, 0.03
#: The same for pages that had changed before they were first fetched.
CHANGED_YIELD = 0.3
#: The steps with which others are compared, and what is expected of them.
PLAIN, TOLD_PLAIN = ("age 0.5", FIRST_YIELD), ("told, age 0.3", TOLD_YIELD / (1 + 0.25**2))
#: What finds less than these steps by more than this factor may take only a part of the budget, the less the less it
#: finds: small differences are chance.
TOLERANCE = 1.15
#: Signs, and changes that follow a change, come in bursts: they may overdraw the budget by this factor if they find
#: as much more. The other visits then wait.
OVERDRAFT = 1.5


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleStanding:
    """What is known of an article that was just visited."""

    #: Since it was published, as far as that is known, or first fetched.
    age: timedelta
    #: Since its text was last seen to change; its age if it never was.
    quiet: timedelta
    #: Since the modification that the page states, if that is later than its publication.
    modified: timedelta | None = None
    versions: int = 1
    #: Whether it was archived just now.
    is_new: bool = False
    subtype: str | None = None
    #: Whether feeds of its source say when articles change.
    is_told: bool = False


@dataclass(frozen=True, slots=True)
class Revisit:
    """Another visit: how long from now, and on which occasion, by which what it brings is counted."""

    after: timedelta
    occasion: str


class RevisitPolicy(Protocol):
    """Decides when an article is visited again."""

    def next_visit(self, article: ArticleStanding, source: RevisitTally) -> Revisit | None:
        """Return when to visit an article again that was just visited; None for not at all."""
        ...

    def heeds(self, sign: str, source: RevisitTally) -> bool:
        """Return whether to visit an article at once because of a sign that it was revised."""
        ...


class NoRevisits:
    """Visits no article again."""

    def __init__(self, settings: NewsroomSettings) -> None:
        """Take the settings, none of which matter."""

    def next_visit(self, article: ArticleStanding, source: RevisitTally) -> Revisit | None:
        """Never visit an article again."""
        del article, source
        return None

    def heeds(self, sign: str, source: RevisitTally) -> bool:
        """Ignore signs."""
        del sign, source
        return False


class OneRevisit(NoRevisits):
    """Visits every article once more, a fixed time after it was first fetched."""

    def __init__(self, settings: NewsroomSettings) -> None:
        """Take the time."""
        self._after = timedelta(seconds=settings.revisit_after)

    def next_visit(self, article: ArticleStanding, source: RevisitTally) -> Revisit | None:
        """Return the one other visit."""
        del source
        return Revisit(self._after, "once") if article.is_new else None


class SteadyRevisits(NoRevisits):
    """Visits every article at a steady interval while it is young, whatever that costs."""

    def __init__(self, settings: NewsroomSettings) -> None:
        """Take the interval."""
        self._every = timedelta(seconds=settings.revisit_after)

    def next_visit(self, article: ArticleStanding, source: RevisitTally) -> Revisit | None:
        """Return the next visit until the article is old."""
        del source
        return Revisit(self._every, "steady") if article.age < YOUNG else None


class SignsOnly(NoRevisits):
    """Visits articles again at signs of a revision alone."""

    def heeds(self, sign: str, source: RevisitTally) -> bool:
        """Follow all signs."""
        del sign, source
        return True


class AdaptiveRevisits:
    """Follows signs, and spends the rest of a budget where it finds most.

    An article is visited again while it is young, if its page says that it changed before it was first fetched, and
    after a change until a visit finds none. Each of these occasions
    (how old the article is, or that it changed) and each kind of sign has a yield: the share of visits that find a
    revision, learned for each source. Where feeds say when articles change, it does not matter for visits without a
    sign whether an article was revised before. While little of the budget is spent, all occasions are taken; the more
    is spent, the higher a yield has to be.
    """

    def __init__(self, settings: NewsroomSettings) -> None:
        """Take the shortest interval and the budget."""
        self._interval = timedelta(seconds=settings.revisit_after)
        self._budget = settings.revisit_budget

    def next_visit(self, article: ArticleStanding, source: RevisitTally) -> Revisit | None:
        """Return the next visit, unless the article is old or the budget is needed for better occasions."""
        if not article.is_told and article.quiet < HOT_INTERVALS * self._interval:
            if article.subtype in LIVE:
                return self._visit("live", 0.5, LIVE_YIELD, source)
            if article.versions >= HOT_VERSIONS:
                return self._visit("live", 1.0, LIVE_YIELD, source)
            if article.versions > 1:
                return self._visit("revised", 1.0, REVISED_YIELD, source)
        if not article.is_told and article.versions == 1 and self._has_changed(article):
            return self._visit("changed before", 1.0, CHANGED_YIELD, source)
        age = article.age / self._interval
        if article.is_told:
            state, steps, prior, plain = "told, ", TOLD_STEPS, TOLD_YIELD / (1 + age**2), TOLD_PLAIN
        else:
            state, steps, prior, plain = "", STEPS, FIRST_YIELD / (1 + age**2 if age > STEPS[0][0] else 1), PLAIN
        for until, wait in steps:
            if age < until:
                occasion = f"{state}age {until:g}"
                is_worth = self._is_worth(occasion, prior, source, plain, most=1.0)
                return Revisit(wait * self._interval, occasion) if is_worth else None
        return None

    def _has_changed(self, article: ArticleStanding) -> bool:
        """Return whether an article says that it was modified lately."""
        stated = article.modified
        return stated is not None and stated < self._interval and article.age - stated >= SETTLED

    def heeds(self, sign: str, source: RevisitTally) -> bool:
        """Follow a sign while there is room for signs that are right as often."""
        return self._is_worth(sign, SIGN_YIELD, source)

    def _visit(self, occasion: str, wait: float, prior: float, source: RevisitTally) -> Revisit | None:
        """Return a visit to an article that changed, after so many intervals, if it is worth it."""
        return Revisit(wait * self._interval, occasion) if self._is_worth(occasion, prior, source) else None

    def _is_worth(
        self,
        occasion: str,
        prior: float,
        source: RevisitTally,
        plain: tuple[str, float] = PLAIN,
        most: float = OVERDRAFT,
    ) -> bool:
        """Return whether so much of the budget is left that visits on an occasion may take of it."""
        expected = source.yield_of(occasion, prior) / source.yield_of(*plain)
        return source.spent < self._budget * min(most, TOLERANCE * expected)


#: By the names that the configuration knows.
POLICIES: Mapping[str, Callable[[NewsroomSettings], RevisitPolicy]] = {
    "never": NoRevisits,
    "once": OneRevisit,
    "steady": SteadyRevisits,
    "signs": SignsOnly,
    "adaptive": AdaptiveRevisits,
}


def build_policy(settings: NewsroomSettings) -> RevisitPolicy:
    """Return the policy that the settings name; with `revisit_after = 0` no article is visited again."""
    if settings.revisits not in POLICIES:
        listed = ", ".join(POLICIES)
        raise ConfigError(f"newsroom.revisits: no policy is called {settings.revisits!r}; the known ones are {listed}")
    return POLICIES[settings.revisits](settings) if settings.revisit_after else NoRevisits(settings)
