"""When an article is visited again: policies, of which the configuration names one."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
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
#: After so long hardly any article is revised.
YOUNG = timedelta(days=2)
#: When an article is visited again, in multiples of the shortest interval.
STEPS = (1, 2, 3, 4, 6, 12)
#: What is expected before anything is known: the share of visits that find a revision at the first step after the
#: publication, after a revision, and after a change of what is live, and the share of signs that are right.
FIRST_YIELD, REVISED_YIELD, LIVE_YIELD, SIGN_YIELD = 0.04, 0.1, 0.5, 0.5
#: The share of the budget up to which articles are visited at the first step. What finds less may take less of it, and
#: what finds more, more: signs come in bursts, and may overdraw it by this factor; the other visits then wait.
FOR_FIRST = 0.95
OVERDRAFT = 1.2
#: How fast that share falls with the yield: with 1, half the yield may take half of it.
STEEPNESS = 1 / 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleStanding:
    """What is known of an article that was just visited."""

    #: Since it was published, as far as that is known, or first fetched.
    age: timedelta
    #: Since its text was last seen to change; its age if it never was.
    quiet: timedelta
    versions: int = 1
    #: Whether it was archived just now.
    is_new: bool = False
    subtype: str | None = None


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

    An article is visited again at growing intervals, counted from its publication or its last change. Each of these
    occasions, and each kind of sign, has a yield: the share of visits that find a revision, learned for each source.
    While little of the budget is spent, all of them are taken; the more is spent, the higher a yield has to be.
    """

    def __init__(self, settings: NewsroomSettings) -> None:
        """Take the shortest interval and the budget."""
        self._interval = timedelta(seconds=settings.revisit_after)
        self._budget = settings.revisit_budget

    def next_visit(self, article: ArticleStanding, source: RevisitTally) -> Revisit | None:
        """Return the next visit, unless the article is old or the budget is needed for better occasions."""
        is_live = article.subtype in LIVE
        if is_live or article.versions >= HOT_VERSIONS:
            state, first = "live, ", LIVE_YIELD
        elif article.versions > 1:
            state, first = "revised, ", REVISED_YIELD
        else:
            state, first = "", FIRST_YIELD
        for step, following in pairwise((0, *STEPS)):
            if article.quiet < (following - 0.5) * self._interval:
                occasion = f"{state}step {following}"
                wait = self._interval * (following - step) / (2 if is_live and following == 1 else 1)
                is_worth = self._is_worth(occasion, first / following**1.5, source)
                return Revisit(wait, occasion) if is_worth else None
        return None

    def heeds(self, sign: str, source: RevisitTally) -> bool:
        """Follow a sign while there is room for signs that are right as often."""
        return self._is_worth(sign, SIGN_YIELD, source)

    def _is_worth(self, occasion: str, prior: float, source: RevisitTally) -> bool:
        """Return whether so much of the budget is left that visits on an occasion may take of it."""
        expected = source.yield_of(occasion, prior)
        first = source.yield_of("step 1", FIRST_YIELD)
        limit = FOR_FIRST * math.pow(expected / first, STEEPNESS)
        return source.spent < self._budget * min(OVERDRAFT, limit)


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
