"""The tables of a run, and the comparison of crawlers at equal numbers of requests."""

from collections.abc import Sequence

from benchmarks import table
from benchmarks.news_crawl.measures import Total, on_all_sites

_HEAD = [
    "crawler",
    "every",
    "requests/h",
    "looking/h",
    "recall",
    "precision",
    "mean delay, h",
    "median",
    "p95",
    "sections",
]
_COSTS = ["requests/article", "kB/article", "MB", "MB to find", "MB without 304"]


def lay_out(totals: Sequence[Total]) -> str:
    """Format one table for each tier and family, by the requests that looking for articles takes."""
    parts = []
    whole = on_all_sites(totals)
    for tier, family in dict.fromkeys((each.tier, each.family) for each in totals):
        own = sorted((each for each in whole if (each.tier, each.family) == (tier, family)), key=_by_requests)
        others = sum((each.tier, each.family) == (tier, family) for each in totals) - len(own)
        has_bytes = any(each.size for each in own)
        head = [*_HEAD, *(_COSTS if has_bytes else _COSTS[:1])]
        rows = [[*_cells(each), *(_costs(each) if has_bytes else _costs(each)[:1])] for each in own]
        first = own[0]
        parts.append(f"{family}, {tier}: {first.sites} sites, {first.articles:,} articles")
        parts.append(table.lay_out(head, rows, left=1))
        if others:
            parts.append(f"{others} rows are left out, of crawlers that did not run on all sites at an interval")
        parts += [
            f"{each.crawler}, every {each.every:g} min: {each.cut_rounds} of {each.rounds} rounds were ended before it "
            "had finished; what it had stored by then counts"
            for each in own
            if each.cut_rounds
        ]
    return "\n\n".join(parts)


def _by_requests(each: Total) -> float:
    return each.looking


def _cells(each: Total) -> list[str]:
    return [
        each.crawler,
        f"{each.every:g} min",
        f"{each.requests:,.1f}",
        f"{each.looking:,.1f}",
        f"{each.recall:.4f}",
        _share(each.precision),
        *(f"{delay:.2f}" for delay in (each.mean_delay, each.median_delay, each.p95_delay)),
        f"{each.sections:.3f}",
    ]


def _costs(each: Total) -> list[str]:
    return [
        _figure(each.requests_per_article, 1),
        _figure(each.bytes_per_article and each.bytes_per_article / 1e3, 0),
        f"{each.size / 1e6:,.0f}",
        _figure(each.finding_size and each.finding_size / 1e6, 0),
        f"{each.full_size / 1e6:,.0f}",
    ]


def _share(share: float | None) -> str:
    return "\N{EN DASH}" if share is None else f"{share:.4f}"


def _figure(value: float | None, digits: int) -> str:
    return "\N{EN DASH}" if value is None else f"{value:,.{digits}f}"


def at_budget(curve: Sequence[Total], budget: float) -> Total | None:
    """Return the figures of a crawler at the best of its intervals that take at most so many requests for looking.

    The best is the one with the shortest mean delay, in which a missed article counts until the end. A longer interval
    does not always take fewer requests, so that nothing is interpolated.
    """
    within = [each for each in curve if each.looking <= budget]
    return min(within, key=lambda each: (each.mean_delay, each.looking), default=None)


def compare(totals: Sequence[Total], budgets: Sequence[float]) -> str:
    """Format, for each family, recall and delays of all crawlers at equal numbers of requests for looking."""
    parts = []
    swept = [each for each in on_all_sites(totals) if each.tier == "links"]
    for family in dict.fromkeys(each.family for each in swept):
        own = [each for each in swept if each.family == family]
        curves = {name: [each for each in own if each.crawler == name] for name in _crawlers(own)}
        rows = [[name, *(_at(curve, budget) for budget in budgets)] for name, curve in curves.items()]
        parts.append(
            f"{family}: recall, and mean, median and 95th percentile of the delay in hours, with so many requests an "
            "hour and source for looking"
        )
        parts.append(table.lay_out(["crawler", *(f"{budget:g}" for budget in budgets)], rows, left=1))
    return "\n\n".join(parts)


def _crawlers(totals: Sequence[Total]) -> dict[str, None]:
    return dict.fromkeys(each.crawler for each in totals)


def _at(curve: Sequence[Total], budget: float) -> str:
    figures = at_budget(curve, budget)
    if figures is None:
        return "\N{EN DASH}"
    return " ".join(
        (
            f"{figures.recall:.4f}",
            *(f"{delay:.2f}" for delay in (figures.mean_delay, figures.median_delay, figures.p95_delay)),
        )
    )
