"""Splits and samples of pages that are the same on every machine: by site, or by page to measure known sites."""

from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from itertools import chain, zip_longest
from typing import TypeVar

from broadsheet.corpora.labelled_page import PageLabels

T = TypeVar("T")


def fold_of(site: str, folds: int, seed: int = 0) -> int:
    """Return the fold of a site's pages; it depends only on the site's name."""
    if folds < 2:
        raise ValueError(f"cross-validation needs at least two folds, not {folds}")
    return _hash(f"{seed} {site}") % folds


def pages_apart(pages: Iterable[PageLabels], share: float, seed: int = 0) -> tuple[list[PageLabels], list[PageLabels]]:
    """Split single pages, and return those to learn from and a share to test on.

    Pages of one site are on both sides: this measures how well a reader knows sites that it has learned, no others.
    """
    order = shuffled(pages, lambda page: page.id, seed)
    tested = round(share * len(order))
    return order[tested:], order[:tested]


def sites_apart(pages: Iterable[PageLabels], share: float, seed: int = 0) -> tuple[list[PageLabels], list[PageLabels]]:
    """Split pages by their sites, and return those to learn from and about a share to test on."""
    by_site = _by_site(pages)
    order = shuffled(by_site, lambda site: site, seed)
    tested = set(order[: round(share * len(order))])
    sides = ([page for site in order if (site in tested) == side for page in by_site[site]] for side in (False, True))
    return next(sides), next(sides)


def leave_one_site_out(pages: Iterable[PageLabels]) -> Iterator[tuple[str, list[PageLabels], list[PageLabels]]]:
    """Yield each site with the pages of all others, to learn from, and its own, to test on."""
    by_site = _by_site(pages)
    for site, own in by_site.items():
        yield site, [page for other, theirs in by_site.items() if other != site for page in theirs], own


def shuffled(items: Iterable[T], name: Callable[[T], str], seed: int = 0) -> list[T]:
    """Return items in an order that depends only on their names and the seed."""
    return sorted(items, key=lambda item: _hash(f"{seed} {name(item)}"))


def _by_site(pages: Iterable[PageLabels]) -> dict[str, list[PageLabels]]:
    by_site: dict[str, list[PageLabels]] = {}
    for page in pages:
        by_site.setdefault(page.site, []).append(page)
    return by_site


def sample(pages: Iterable[PageLabels], size: int, seed: int = 0) -> list[PageLabels]:
    """Sample pages from each corpus in turn, so that large ones do not dominate; smaller samples are part of larger."""
    corpora: dict[str, list[PageLabels]] = {}
    for page in pages:
        corpora.setdefault(page.corpus, []).append(page)
    orders = (shuffled(corpora[name], lambda page: page.id, seed) for name in sorted(corpora))
    turns = chain.from_iterable(zip_longest(*orders))
    return [page for page in turns if page is not None][:size]


def _hash(text: str) -> int:
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big")
