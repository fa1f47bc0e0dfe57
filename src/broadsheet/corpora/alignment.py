"""Two texts aligned word by word: which words of a page are those of a given text, each used once and in order.

Runs of words that both texts hold become blocks. One chain of blocks, in the order of both texts, is chosen so that
it covers much and jumps little: of two places that read alike the one beside the rest of the text wins, so a teaser
that repeats the lead stays out. What lies between two blocks is compared closely, and what is left of the text
may then stand elsewhere in the page, if it is long enough to be no coincidence.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np
from numpy.typing import NDArray

from broadsheet.corpora.compared_words import Ints

Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Strictness:
    """How many words in a row are a sign, and how many are proof; letters without spaces count for less."""

    #: Words in a row that begin a block.
    seed: int = 4
    #: Words in a row that may stand out of order.
    moved: int = 8
    #: What leaving out twice as many words of the page costs, in words.
    jump: float = 0.5

    @classmethod
    def of(cls, share_unspaced: float) -> "Strictness":
        """Choose by the share of words that are single letters of a script without spaces."""
        return cls(seed=8, moved=16, jump=1.0) if share_unspaced > 0.5 else cls()


#: A run of words that is on the page so often says nothing of where it belongs.
MOST_PLACES = 64
#: The chain takes time quadratic in its blocks, so the longest must do.
MOST_BLOCKS = 3_000
#: Between two blocks, so many words of the page times words of the text are compared closely.
MOST_COMPARISONS = 250_000
#: Before the first and after the last block, so many words of the page are passed over for each word that is found.
REACH = 4


@dataclass(frozen=True, slots=True)
class Blocks:
    """Runs of words common to page and text, in columns."""

    page: Ints
    text: Ints
    length: Ints

    def __len__(self) -> int:
        """Return the number of runs."""
        return len(self.page)

    def chosen(self, rows: Ints | Bools) -> "Blocks":
        """Return some of the runs."""
        return Blocks(self.page[rows], self.text[rows], self.length[rows])


def align(page: Ints, text: Ints, strictness: Strictness) -> Ints:
    """Return for each word of the page the position of its word in the text, or -1; no position occurs twice."""
    matched = np.full(len(page), -1, np.int64)
    chain = _chain(common_runs(page, text, strictness.seed), strictness)
    _put(matched, chain)
    _fill_gaps(matched, page, text, chain)
    _place_the_rest(matched, page, text, strictness)
    return matched


def common_runs(page: Ints, text: Ints, seed: int) -> Blocks:
    """Find all runs of at least `seed` words that both have, but for those that are almost everywhere."""
    if min(len(page), len(text)) < seed:
        return Blocks(*(np.zeros(0, np.int64) for _ in range(3)))
    page_grams, text_grams = _grams(page, text, seed)
    order = np.argsort(page_grams, kind="stable")
    first = np.searchsorted(page_grams[order], text_grams, "left")
    places = np.searchsorted(page_grams[order], text_grams, "right") - first
    _, which, often = np.unique(text_grams, return_inverse=True, return_counts=True)
    places = np.where(places * often[which] > MOST_PLACES, 0, places)
    text_at = np.repeat(np.arange(len(text_grams)), places)
    within = np.arange(len(text_at)) - np.repeat(np.cumsum(places) - places, places)
    page_at = order[np.repeat(first, places) + within]
    return _joined(page_at, text_at, seed)


def _grams(page: Ints, text: Ints, seed: int) -> tuple[Ints, Ints]:
    """Number the runs of `seed` words, equal runs alike in both."""
    windows = np.concatenate(
        [np.lib.stride_tricks.sliding_window_view(words, seed) for words in (page, text)], dtype=np.int64
    )
    numbers = windows[:, 0]
    for column in range(1, seed):
        pairs = numbers * (np.int64(windows.max()) + 1) + windows[:, column]
        # Numbering the pairs anew at each step keeps them small enough for a product.
        numbers = np.unique(pairs, return_inverse=True)[1].astype(np.int64)
    split = len(page) - seed + 1
    return numbers[:split], numbers[split:]


def _joined(page_at: Ints, text_at: Ints, seed: int) -> Blocks:
    """Join overlapping runs that keep step into one."""
    order = np.lexsort((page_at, page_at - text_at))
    page_at, text_at = page_at[order], text_at[order]
    steady = (np.diff(page_at) == 1) & (np.diff(page_at - text_at) == 0)
    starts = np.flatnonzero(np.concatenate([np.ones(min(len(page_at), 1), np.bool_), ~steady]))
    lengths = np.diff(np.append(starts, len(page_at))) + seed - 1
    return Blocks(page_at[starts], text_at[starts], lengths.astype(np.int64))


def _chain(blocks: Blocks, strictness: Strictness) -> Blocks:
    """Choose the chain of blocks with the most words, less what its jumps cost; overlaps are cut off."""
    if len(blocks) > MOST_BLOCKS:
        blocks = blocks.chosen(np.argsort(-blocks.length, kind="stable")[:MOST_BLOCKS])
    blocks = blocks.chosen(np.lexsort((blocks.text, blocks.page)))
    count = len(blocks)
    best = blocks.length.astype(np.float64)
    before = np.full(count, -1, np.int64)
    overlap = np.zeros(count, np.int64)
    page_end, text_end = blocks.page + blocks.length, blocks.text + blocks.length
    for row in range(1, count):
        page_gap = blocks.page[row] - page_end[:row]
        text_gap = blocks.text[row] - text_end[:row]
        cut = np.maximum(0, -np.minimum(page_gap, text_gap))
        cost = strictness.jump * np.log2(1 + np.maximum(page_gap + cut, 0))
        gain = best[:row] - cut - cost
        # A block goes on behind another only where something of it is left, and of the other something before it.
        comes_after = (cut < blocks.length[row]) & (blocks.text[row] > blocks.text[:row])
        gain[~comes_after] = -np.inf
        choice = int(np.argmax(gain))
        if gain[choice] > 0:
            best[row] += gain[choice]
            before[row], overlap[row] = choice, cut[choice]
    return _followed_back(blocks, best, before, overlap)


def _followed_back(blocks: Blocks, best: NDArray[np.float64], before: Ints, overlap: Ints) -> Blocks:
    rows = []
    row = int(np.argmax(best)) if len(blocks) else -1
    while row >= 0:
        rows.append(row)
        row = int(before[row])
    chosen = np.array(rows[::-1], np.int64)
    cut = overlap[chosen]
    return Blocks(blocks.page[chosen] + cut, blocks.text[chosen] + cut, blocks.length[chosen] - cut)


def _put(matched: Ints, blocks: Blocks) -> None:
    for page, text, length in zip(blocks.page, blocks.text, blocks.length, strict=True):
        matched[page : page + length] = np.arange(text, text + length)


def _fill_gaps(matched: Ints, page: Ints, text: Ints, chain: Blocks) -> None:
    """Compare closely what lies between two blocks, and beside the first and the last."""
    if not len(chain):
        return
    first, last = int(chain.page[0]), int(chain.page[-1] + chain.length[-1])
    for page_gap, text_gap in _gaps(chain, len(page), len(text)):
        start, end = page_gap
        reach = REACH * (text_gap[1] - text_gap[0]) + 10
        # Far from the text nothing is compared word by word: any two texts have single words in common.
        outside = end == first or start == last
        start, end = (max(start, end - reach), end) if end == first else (start, end)
        start, end = (start, min(end, start + reach)) if start == last else (start, end)
        runs = _close(page[start:end], text[slice(*text_gap)], start, text_gap[0])
        _put(matched, _kept_near(runs, first, last) if outside else runs)


def _gaps(chain: Blocks, page_length: int, text_length: int) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Give what the chain leaves out, in the page and in the text."""
    page_at = text_at = 0
    for page, text, length in zip(chain.page.tolist(), chain.text.tolist(), chain.length.tolist(), strict=True):
        yield (page_at, page), (text_at, text)
        page_at, text_at = page + length, text + length
    yield (page_at, page_length), (text_at, text_length)


def _close(page: Ints, text: Ints, page_start: int, text_start: int) -> Blocks:
    """Compare two short stretches word by word, the longest common run first."""
    runs: list[tuple[int, int, int]] = []
    if 0 < len(page) * len(text) <= MOST_COMPARISONS:
        matcher = SequenceMatcher(None, page.tolist(), text.tolist(), autojunk=False)
        runs = [(a + page_start, b + text_start, size) for a, b, size in matcher.get_matching_blocks() if size]
    table = np.array(runs, np.int64).reshape(-1, 3)
    return Blocks(table[:, 0], table[:, 1], table[:, 2])


def _kept_near(runs: Blocks, first: int, last: int) -> Blocks:
    """Keep, from the chain outwards, the runs that are long for how far they are from what was kept before."""
    kept = np.zeros(len(runs), np.bool_)
    for row in range(len(runs) - 1, -1, -1):
        if runs.page[row] < first:
            kept[row] = first - runs.page[row] - runs.length[row] < REACH * runs.length[row]
            first = int(runs.page[row]) if kept[row] else first
    for row in range(len(runs)):
        if runs.page[row] >= last:
            kept[row] = runs.page[row] - last < REACH * runs.length[row]
            last = int(runs.page[row] + runs.length[row]) if kept[row] else last
    return runs.chosen(kept)


def _place_the_rest(matched: Ints, page: Ints, text: Ints, strictness: Strictness) -> None:
    """Find long runs that stand in the page in another order than in the text, the longest first."""
    used = np.zeros(len(text), np.bool_)
    used[matched[matched >= 0]] = True
    # Words that are used already become words that no other word is equal to.
    top = int(max(page.max(initial=0), text.max(initial=0))) + 1
    free_page = np.where(matched >= 0, top, page)
    free_text = np.where(used, top + 1, text)
    runs = common_runs(free_page, free_text, strictness.moved)
    for row in np.argsort(-runs.length, kind="stable"):
        at = slice(runs.page[row], runs.page[row] + runs.length[row])
        of = slice(runs.text[row], runs.text[row] + runs.length[row])
        free = (matched[at] < 0) & ~used[of]
        if int(free.sum()) >= strictness.moved:
            matched[at] = np.where(free, np.arange(of.start, of.stop), matched[at])
            used[of] |= free
