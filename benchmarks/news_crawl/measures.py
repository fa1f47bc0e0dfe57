"""The figures of one crawler on one site, and of all sites together."""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta

from benchmarks.news_crawl.engine import Effort, Finds
from benchmarks.news_crawl.grounds import Ground, Tier

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Cell:
    """One crawler on one site at one interval."""

    crawler: str
    family: str
    tier: Tier
    site: str
    #: The shortest time between two visits of a page, in minutes.
    every: float
    hours: float
    #: Articles that counted, and for each the minutes from the first link on a front until it was stored; one that
    #: was not stored counts until the end.
    delays: Sequence[int]
    found: int
    #: Stored pages whose kind is known, and those of them that are not articles.
    stored: int
    wrong: int
    sections: int
    sections_found: int
    requests: int
    size: int
    #: Of these bytes, those of the articles themselves, each once; None if a program did not say what it asked for.
    article_size: int | None
    full_size: int
    #: Of a program that crawls in rounds: how many there were, and how many of them were ended before it had finished.
    rounds: int = 0
    cut_rounds: int = 0

    @property
    def looking(self) -> float:
        """The requests an hour beyond one for each article that was found, which no crawler can spare."""
        return (self.requests - self.found) / self.hours

    def to_dict(self) -> dict[str, object]:
        """Return all figures as JSON types."""
        return asdict(self)


def cell(crawler: str, every: timedelta, ground: Ground, finds: Finds, effort: Effort) -> Cell:
    """Compare what a crawler has stored with the truth."""
    articles: dict[str, datetime] = {}
    wrong = unknown = article_size = 0
    for address, at in finds.stored.items():
        match ground.article(address, at):
            case None:
                unknown += 1
            case False:
                wrong += 1
            case article:
                # A second address of an article is one too many.
                article_size += effort.first_sizes.get(address, 0) if str(article) not in articles else 0
                articles[str(article)] = min(at, articles.get(str(article), at))
    truth = ground.truth
    delays = [
        max(0, (articles.get(address, ground.end) - linked) // MINUTE)
        for address, linked in sorted(truth.first_linked.items())
    ]
    return Cell(
        crawler=crawler,
        family=ground.family,
        tier=ground.tier,
        site=ground.site,
        every=every / MINUTE,
        hours=(ground.end - ground.counted_from) / HOUR,
        delays=delays,
        found=len(truth.first_linked.keys() & articles.keys()),
        stored=len(finds.stored) - unknown,
        wrong=wrong,
        sections=len(truth.sections),
        sections_found=len(truth.sections & finds.sections),
        requests=effort.requests,
        size=effort.size,
        article_size=article_size if effort.first_sizes else None,
        full_size=effort.full_size,
        rounds=effort.rounds,
        cut_rounds=effort.cut_rounds,
    )


@dataclass(frozen=True, slots=True)
class Total:
    """The figures of one crawler at one interval over all sites of a family, article by article."""

    crawler: str
    family: str
    tier: Tier
    every: float
    sites: int
    articles: int
    recall: float
    precision: float | None
    #: Hours.
    mean_delay: float
    median_delay: float
    p95_delay: float
    #: An hour and a source: all, and those beyond one for each article that was found, which no crawler can spare.
    requests: float
    looking: float
    requests_per_article: float | None
    #: None where no bytes were sent.
    bytes_per_article: float | None
    size: int
    #: The bytes that are not those of the articles themselves, which no crawler can spare.
    finding_size: int | None
    full_size: int
    sections: float
    rounds: int = 0
    cut_rounds: int = 0


def total(cells: Sequence[Cell]) -> Total:
    """Add up the sites of one crawler at one interval."""
    first = cells[0]
    delays = sorted(delay for each in cells for delay in each.delays)
    found, stored = sum(each.found for each in cells), sum(each.stored for each in cells)
    hours = sum(each.hours for each in cells)
    size, requests = sum(each.size for each in cells), sum(each.requests for each in cells)
    return Total(
        crawler=first.crawler,
        family=first.family,
        tier=first.tier,
        every=first.every,
        sites=len(cells),
        articles=len(delays),
        recall=found / max(1, len(delays)),
        precision=1 - sum(each.wrong for each in cells) / stored if stored else None,
        mean_delay=statistics.fmean(delays or [0]) / 60,
        median_delay=statistics.median(delays or [0]) / 60,
        p95_delay=percentile(delays, 0.95) / 60,
        requests=requests / hours,
        looking=(requests - found) / hours,
        requests_per_article=requests / found if found else None,
        bytes_per_article=size / found if found and size else None,
        size=size,
        finding_size=None if any(each.article_size is None for each in cells) else size - _article_sizes(cells),
        full_size=sum(each.full_size for each in cells),
        sections=sum(each.sections_found for each in cells) / max(1, sum(each.sections for each in cells)),
        rounds=sum(each.rounds for each in cells),
        cut_rounds=sum(each.cut_rounds for each in cells),
    )


def _article_sizes(cells: Sequence[Cell]) -> int:
    return sum(each.article_size or 0 for each in cells)


def percentile(ordered: Sequence[int], share: float) -> int:
    """Return the smallest of the values that this share of them does not exceed."""
    return ordered[max(0, -int(-len(ordered) * share // 1) - 1)] if ordered else 0


def totals(cells: Sequence[Cell]) -> list[Total]:
    """Add up all cells, by tier, family, crawler and interval."""
    groups: dict[tuple[str, str, str, float], list[Cell]] = {}
    for each in cells:
        groups.setdefault((each.tier, each.family, each.crawler, each.every), []).append(each)
    return [total(group) for group in groups.values()]


def on_all_sites(totals: Sequence[Total]) -> list[Total]:
    """Return the figures of those that ran on every site of a tier and family; the others cannot be compared."""
    most: dict[tuple[str, str], int] = {}
    for each in totals:
        most[each.tier, each.family] = max(each.sites, most.get((each.tier, each.family), 0))
    return [each for each in totals if each.sites == most[each.tier, each.family]]


def read_cells(rows: Sequence[Mapping[str, object]]) -> list[Cell]:
    """Return cells that were written as JSON."""
    return [Cell(**row) for row in rows]  # type: ignore[arg-type]
