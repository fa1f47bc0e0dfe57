"""What any policy could catch: `python -m benchmarks.revisit_bound [options]`.

The bound is that of a policy that knows more than any crawl can: how often articles are revised and at what age, which
of them are live blogs and when these change, and that every sign is right. It does not know which of the other
articles are revised without a sign. One visit shows what changed in the two hours before it, so k visits to an article
find at most what falls into the 2 k hours of its life in which revisions are most likely. The budget is spent on the
visits that find most, whatever the source.
"""

import argparse
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import NormalDist

from benchmarks import table
from benchmarks.revisions import IN_TIME, START, TEXT_CHANGES, YOUNG, make_web
from benchmarks.revisit_model import ModelArticle, ModelCrawl
from broadsheet.base.newsroom_settings import NewsroomSettings
from broadsheet.newsroom.revisit_tally import RevisitTally
from broadsheet.newsweb._story_history import EARLY_HOURS, EARLY_SPREAD

HOUR = timedelta(hours=1)
WINDOW = IN_TIME / HOUR
#: The ages, in hours, at which windows may begin.
GRID = 1 / 12

_DELAYS = NormalDist(math.log(EARLY_HOURS), EARLY_SPREAD)


@dataclass(slots=True)
class Bound:
    """What there is to catch, and what it takes."""

    requests: int = 0
    articles: int = 0
    #: Revisions that something tells, those of live blogs, and all others; the visits that the first two take.
    told: int = 0
    live: int = 0
    untold: int = 0
    visits: int = 0

    def caught(self, budget: float, ages: Sequence[float]) -> float:
        """Return the share of the revisions that a budget suffices for; `ages` are those at the first fetch."""
        left = budget * self.requests - self.visits
        share = best_share(ages, max(0.0, left))
        return (self.told + self.live + share * self.untold) / (self.told + self.live + self.untold)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the bounds for some budgets."""
    options = _options(arguments)
    rows = []
    for dates in (False, True):
        bound, ages = measure(options.seeds, options.sites, options.days, dates=dates)
        total = bound.told + bound.live + bound.untold
        rows += [
            [
                f"{budget:g}{' + dates' if dates else ''}",
                f"{total:,}",
                f"{bound.untold / total:.3f}",
                f"{bound.visits / bound.requests:.1%}",
                f"{(budget * bound.requests - bound.visits) / bound.articles:.2f}",
                f"{bound.caught(budget, ages):.3f}",
            ]
            for budget in options.budgets
        ]
    print(
        table.lay_out(["budget", "revisions", "untold", "for the told", "visits left", "at most in time"], rows, left=1)
    )
    return 0


def measure(seeds: Sequence[int], sites: int, days: float, *, dates: bool) -> tuple[Bound, list[float]]:
    """Return what there is to catch on some news webs, and how old articles are when they are first fetched."""
    bound, ages = Bound(), list[float]()
    span = START, START + timedelta(days=days)
    for seed in seeds:
        web = make_web(seed, sites, "lifelike", dates=dates)
        for site in web.sites:
            crawl = ModelCrawl(web, site, span, NewsroomSettings(revisits="signs"), RevisitTally())
            crawl.run(dates=dates)
            bound.requests += crawl.tally.other_requests
            bound.visits += crawl.tally.visits.total()
            for article in crawl.articles:
                if article.fetches:
                    bound.articles += 1
                    ages.append((article.fetches[0] - article.published) / HOUR)
                    _add(bound, article, span[1], dates=dates)
    return bound, ages


def _add(bound: Bound, article: ModelArticle, end: datetime, *, dates: bool) -> None:
    """Count the revisions of an article; what a sitemap tells of live blogs is among the visits at signs already."""
    seen: datetime | None = None
    for revision in article.revisions:
        is_young = revision.at - article.published < YOUNG and revision.at <= end - IN_TIME
        if not is_young or revision.at <= article.fetches[0] or revision.kind not in TEXT_CHANGES:
            continue
        if revision.kind == "headline" or (dates and not revision.silent):
            bound.told += 1
        elif revision.kind == "live":
            bound.live += 1
            if seen is None or revision.at > seen:
                seen = revision.at + IN_TIME
                bound.visits += 1
        else:
            bound.untold += 1


def best_share(ages: Sequence[float], visits: float) -> float:
    """Return the share of the revisions after the first fetch that some visits can find, spent where they find most."""
    gains = sorted((gain for age in ages for gain in _gains(age)), reverse=True)
    return sum(gains[: int(visits)]) / sum(_until(YOUNG / HOUR) - _until(age) for age in ages)


def _gains(age: float) -> list[float]:
    """Return the probability that a revision falls into the best window after an age, into the next best, and so on."""
    gains, before = [], 0.0
    for number in range(1, 6):
        width = number * WINDOW
        starts = (age + step * GRID for step in range(int(WINDOW / GRID) + 1))
        best = max(_until(start + width) - _until(start) for start in starts)
        gains.append(best - before)
        before = best
    return gains


def _until(age: float) -> float:
    """Return the share of the revisions that come before an age in hours."""
    return _DELAYS.cdf(math.log(age)) if age > 0 else 0.0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m benchmarks.revisit_bound", description=__doc__)
    parser.add_argument(
        "--seeds",
        type=lambda text: [int(number) for number in text.split(",")],
        default=[20, 21, 22, 23],
        metavar="S,…",
        help="seeds of the news webs (20,21,22,23)",
    )
    parser.add_argument("--sites", type=int, default=12, metavar="N", help="sites of each (%(default)s)")
    parser.add_argument("--days", type=float, default=7.0, metavar="D", help="simulated days (%(default)s)")
    parser.add_argument(
        "--budgets",
        type=lambda text: [float(number) for number in text.split(",")],
        default=[0.25, 0.5, 1.0],
        metavar="B,…",
        help="shares of the other requests (0.25,0.5,1)",
    )
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
