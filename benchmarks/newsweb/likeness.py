"""The statistics in which real and made sites are compared, and the distance between two samples."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from statistics import fmean, median

import numpy as np

from benchmarks.newsweb.snapshot import SeenLinks, SeenSite

#: No page contributes more values than this to a statistic.
MAX_VALUES = 60
HOUR = timedelta(hours=1)

Front = list[SeenLinks]


@dataclass(frozen=True, slots=True)
class Statistic:
    """A number that describes sites: one value or more for each of their pages."""

    name: str
    values: Callable[[SeenSite], Iterator[float]]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A statistic of real and of made sites: quantiles, the range of the real sites' medians, the distance."""

    name: str
    real: tuple[float, float, float]
    made: tuple[float, float, float]
    lowest: float
    highest: float
    distance: float

    @property
    def inside(self) -> bool:
        """Whether the median of the made sites is one that a real site has."""
        return self.lowest <= self.made[1] <= self.highest


def compare(statistic: Statistic, real: Sequence[SeenSite], made: Sequence[SeenSite]) -> Comparison:
    """Compare the sites in one statistic."""
    by_site = [values for site in real if (values := list(statistic.values(site)))]
    first = [value for values in by_site for value in values]
    second = values_of(statistic, made)
    medians = [median(values) for values in by_site]
    return Comparison(
        statistic.name, _quartiles(first), _quartiles(second), min(medians), max(medians), distance(first, second)
    )


def values_of(statistic: Statistic, sites: Sequence[SeenSite]) -> list[float]:
    """Return all values of a statistic."""
    return [value for site in sites for value in statistic.values(site)]


def distance(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the Kolmogorov-Smirnov distance: the largest difference of the cumulative distributions."""
    points = np.sort(np.concatenate((first, second)))
    shares = (np.searchsorted(np.sort(sample), points, "right") / len(sample) for sample in (first, second))
    one, other = shares
    return float(np.abs(one - other).max())


def _quartiles(values: Sequence[float]) -> tuple[float, float, float]:
    low, middle, high = np.quantile(values, (0.25, 0.5, 0.75))
    return float(low), float(middle), float(high)


def _per_front(measure: Callable[[Front], Sequence[float]]) -> Callable[[SeenSite], Iterator[float]]:
    def values(site: SeenSite) -> Iterator[float]:
        for front in site.fronts.values():
            if len(front) > 1:
                found = list(measure(front))
                yield from found[:: -(-len(found) // MAX_VALUES)] if found else ()

    return values


def _links(front: Front) -> list[float]:
    return [fmean(len(each.links) for each in front)]


def _targets(front: Front) -> list[float]:
    return [fmean(len(each.places) for each in front)]


def _new(is_article: bool) -> Callable[[Front], list[float]]:
    def measure(front: Front) -> list[float]:
        pairs = [(one.targets(is_article), two.targets(is_article)) for one, two in pairwise(front)]
        return [fmean(len(two - one) / max(1, len(two)) for one, two in pairs)]

    return measure


def _gone(front: Front) -> list[float]:
    pairs = [(one.targets(True), two.targets(True)) for one, two in pairwise(front)]
    return [fmean(len(one - two) / max(1, len(one)) for one, two in pairs)]


def _moved(front: Front) -> list[float]:
    shares = []
    for one, two in pairwise(front):
        common = one.targets(True) & two.targets(True)
        shares.append(sum(one.places[url] != two.places[url] for url in common) / max(1, len(common)))
    return [fmean(shares)]


def _lifetimes(front: Front) -> list[float]:
    """Return for how many hours articles were seen that came after the first and left before the last snapshot."""
    first: dict[str, SeenLinks] = {}
    last: dict[str, SeenLinks] = {}
    for each in front:
        # In a fixed order, because only some of the values are taken.
        for url in sorted(each.targets(True)):
            first.setdefault(url, each)
            last[url] = each
    span = [url for url in first if last[url] is not front[-1]]
    return [(last[url].at - first[url].at) / HOUR for url in span]


def _in_all(is_article: bool) -> Callable[[Front], list[float]]:
    def measure(front: Front) -> list[float]:
        sets = [each.targets(is_article) for each in front]
        everything = set().union(*sets)
        return [len(set.intersection(*sets)) / len(everything)] if everything else []

    return measure


def _collection_sizes(front: Front) -> list[float]:
    return [float(len(urls)) for urls in front[0].collections.values()]


def _anchor_lengths(front: Front) -> list[float]:
    return [float(len(link.text)) for link in front[0].links if link.is_article]


STATISTICS = (
    Statistic("links on a front", _per_front(_links)),
    Statistic("targets on a front", _per_front(_targets)),
    Statistic("share of articles new, hourly", _per_front(_new(is_article=True))),
    Statistic("share of articles gone, hourly", _per_front(_gone)),
    Statistic("share of articles moved, hourly", _per_front(_moved)),
    Statistic("share of other targets new, hourly", _per_front(_new(is_article=False))),
    Statistic("hours of an article on a front", _per_front(_lifetimes)),
    Statistic("share of articles in every snapshot", _per_front(_in_all(is_article=True))),
    Statistic("share of other targets in every snapshot", _per_front(_in_all(is_article=False))),
    Statistic("links in a collection", _per_front(_collection_sizes)),
    Statistic("characters of an article's anchor", _per_front(_anchor_lengths)),
    Statistic("words on a front", lambda site: (float(text.words) for text in site.front_texts)),
    Statistic("link density of a front", lambda site: (text.link_density for text in site.front_texts)),
    Statistic("bytes of a front", lambda site: (float(text.size) for text in site.front_texts)),
    Statistic("words on an article's page", lambda site: (float(text.words) for text in site.article_texts)),
    Statistic("link density of an article's page", lambda site: (text.link_density for text in site.article_texts)),
    Statistic(
        "share of an article's page in its body",
        lambda site: (text.body_share for text in site.article_texts if text.body_share is not None),
    ),
    Statistic("bytes of an article's page", lambda site: (float(text.size) for text in site.article_texts)),
)
