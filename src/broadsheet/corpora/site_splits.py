"""Splits and samples of pages: by site, never by page, and the same on every machine."""

from collections.abc import Iterable
from hashlib import sha256
from itertools import chain, zip_longest

from broadsheet.corpora.labelled_page import PageLabels


def fold_of(site: str, folds: int, seed: int = 0) -> int:
    """Return the fold of a site's pages; it depends only on the site's name."""
    if folds < 2:
        raise ValueError(f"cross-validation needs at least two folds, not {folds}")
    return _hash(f"{seed} {site}") % folds


def sample(pages: Iterable[PageLabels], size: int, seed: int = 0) -> list[PageLabels]:
    """Sample pages from each corpus in turn, so that large ones do not dominate; smaller samples are part of larger."""
    corpora: dict[str, list[PageLabels]] = {}
    for page in pages:
        corpora.setdefault(page.corpus, []).append(page)
    shuffled = [sorted(corpora[name], key=lambda page: _hash(f"{seed} {page.id}")) for name in sorted(corpora)]
    turns = chain.from_iterable(zip_longest(*shuffled))
    return [page for page in turns if page is not None][:size]


def _hash(text: str) -> int:
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big")
