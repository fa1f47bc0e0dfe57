"""Which pages are used for what: always by site, never by page, and the same on every machine."""

from collections.abc import Iterable
from hashlib import sha256
from itertools import chain, zip_longest

from broadsheet.corpora.labelled_page import PageLabels


def fold_of(site: str, folds: int, seed: int = 0) -> int:
    """Return the fold that a site's pages belong to; it depends on the site's name alone."""
    if folds < 2:
        raise ValueError(f"cross-validation needs two folds or more, not {folds}")
    return _draw(f"{seed} {site}") % folds


def sample(pages: Iterable[PageLabels], size: int, seed: int = 0) -> list[PageLabels]:
    """Draw pages in turn from each corpus, so that a large one does not drown the small; fewer are part of more."""
    corpora: dict[str, list[PageLabels]] = {}
    for page in pages:
        corpora.setdefault(page.corpus, []).append(page)
    drawn = [sorted(corpora[name], key=lambda page: _draw(f"{seed} {page.id}")) for name in sorted(corpora)]
    turns = chain.from_iterable(zip_longest(*drawn))
    return [page for page in turns if page is not None][:size]


def _draw(text: str) -> int:
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big")
