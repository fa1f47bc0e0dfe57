"""Word alignment of a page with a given text: each word of the text is matched at most once, mostly in order.

Runs of words that both have in common become blocks. A chain of blocks in the order of both texts is chosen that
covers many words with few jumps: of two identical passages the one next to the rest of the text wins, so a teaser
that repeats the lead is left out. The gaps between two blocks are then compared word by word, and the rest of the
text may match elsewhere in the page, in runs too long to be a coincidence.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np
from numpy.typing import NDArray

from broadsheet.corpora._compared_words import Ints

Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Strictness:
    """Minimum lengths of matching runs; characters of scripts without spaces need longer ones."""

    #: Words in a row that start a block.
    seed: int = 4
    #: Words in a row that may match out of order.
    moved: int = 8
    #: The cost, in words, of each doubling of the page words that are skipped.
    jump: float = 0.5

    @classmethod
    def choose(cls, share_unspaced: float) -> "Strictness":
        """Choose by the share of words that are single characters of a script without spaces."""
        return cls(seed=8, moved=16, jump=1.0) if share_unspaced > 0.5 else cls()


#: A run that occurs more often than this on the page is ignored as ambiguous.
MAX_PLACES = 64
#: Chaining takes time quadratic in the number of blocks, so only the longest are used.
MAX_BLOCKS = 3_000
#: A gap is compared word by word up to this many words of the page times words of the text.
MAX_COMPARISONS = 250_000
#: Before the first and after the last block, up to this many page words are skipped per matching word.
REACH = 4


@dataclass(frozen=True, slots=True)
class Blocks:
    """Runs of words common to page and text, as columns."""

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
    """Return for each word of the page its position in the text, or -1; no position occurs twice."""
    matched = np.full(len(page), -1, np.int64)
    chain = _chain(common_runs(page, text, strictness.seed), strictness)
    _set_matches(matched, chain)
    _fill_gaps(matched, page, text, chain)
    _match_moved(matched, page, text, strictness)
    return matched


def common_runs(page: Ints, text: Ints, seed: int) -> Blocks:
    """Find all common runs of at least `seed` words, except those that occur too often."""
    if min(len(page), len(text)) < seed:
        return Blocks(*(np.zeros(0, np.int64) for _ in range(3)))
    page_grams, text_grams = _grams(page, text, seed)
    order = np.argsort(page_grams, kind="stable")
    first = np.searchsorted(page_grams[order], text_grams, "left")
    places = np.searchsorted(page_grams[order], text_grams, "right") - first
    _, which, often = np.unique(text_grams, return_inverse=True, return_counts=True)
    places = np.where(places * often[which] > MAX_PLACES, 0, places)
    text_at = np.repeat(np.arange(len(text_grams)), places)
    within = np.arange(len(text_at)) - np.repeat(np.cumsum(places) - places, places)
    page_at = order[np.repeat(first, places) + within]
    return _merge_runs(page_at, text_at, seed)


def _grams(page: Ints, text: Ints, seed: int) -> tuple[Ints, Ints]:
    """Number the n-grams of `seed` words, the same way in both texts."""
    windows = np.concatenate(
        [np.lib.stride_tricks.sliding_window_view(words, seed) for words in (page, text)], dtype=np.int64
    )
    numbers = windows[:, 0]
    for column in range(1, seed):
        pairs = numbers * (np.int64(windows.max()) + 1) + windows[:, column]
        # Renumbering the pairs at each step keeps them small enough to multiply.
        numbers = np.unique(pairs, return_inverse=True)[1].astype(np.int64)
    split = len(page) - seed + 1
    return numbers[:split], numbers[split:]


def _merge_runs(page_at: Ints, text_at: Ints, seed: int) -> Blocks:
    """Merge overlapping runs on the same diagonal."""
    order = np.lexsort((page_at, page_at - text_at))
    page_at, text_at = page_at[order], text_at[order]
    steady = (np.diff(page_at) == 1) & (np.diff(page_at - text_at) == 0)
    starts = np.flatnonzero(np.concatenate([np.ones(min(len(page_at), 1), np.bool_), ~steady]))
    lengths = np.diff(np.append(starts, len(page_at))) + seed - 1
    return Blocks(page_at[starts], text_at[starts], lengths.astype(np.int64))


def _chain(blocks: Blocks, strictness: Strictness) -> Blocks:
    """Choose the chain of blocks with the most words minus the cost of its jumps; overlaps are cut off."""
    if len(blocks) > MAX_BLOCKS:
        blocks = blocks.chosen(np.argsort(-blocks.length, kind="stable")[:MAX_BLOCKS])
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
        # A block may follow another only if part of it remains after the cut, and the other starts before it.
        comes_after = (cut < blocks.length[row]) & (blocks.text[row] > blocks.text[:row])
        gain[~comes_after] = -np.inf
        choice = int(np.argmax(gain))
        if gain[choice] > 0:
            best[row] += gain[choice]
            before[row], overlap[row] = choice, cut[choice]
    return _backtrack(blocks, best, before, overlap)


def _backtrack(blocks: Blocks, best: NDArray[np.float64], before: Ints, overlap: Ints) -> Blocks:
    rows = []
    row = int(np.argmax(best)) if len(blocks) else -1
    while row >= 0:
        rows.append(row)
        row = int(before[row])
    chosen = np.array(rows[::-1], np.int64)
    cut = overlap[chosen]
    return Blocks(blocks.page[chosen] + cut, blocks.text[chosen] + cut, blocks.length[chosen] - cut)


def _set_matches(matched: Ints, blocks: Blocks) -> None:
    for page, text, length in zip(blocks.page, blocks.text, blocks.length, strict=True):
        matched[page : page + length] = np.arange(text, text + length)


def _fill_gaps(matched: Ints, page: Ints, text: Ints, chain: Blocks) -> None:
    """Compare the gaps between blocks, and the surroundings of the chain, word by word."""
    if not len(chain):
        return
    first, last = int(chain.page[0]), int(chain.page[-1] + chain.length[-1])
    for page_gap, text_gap in _gaps(chain, len(page), len(text)):
        start, end = page_gap
        reach = REACH * (text_gap[1] - text_gap[0]) + 10
        # Limited to the neighbourhood of the chain: any two texts have single words in common.
        outside = end == first or start == last
        start, end = (max(start, end - reach), end) if end == first else (start, end)
        start, end = (start, min(end, start + reach)) if start == last else (start, end)
        runs = _compare_words(page[start:end], text[slice(*text_gap)], start, text_gap[0])
        _set_matches(matched, _select_near(runs, first, last) if outside else runs)


def _gaps(chain: Blocks, page_length: int, text_length: int) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield the gaps of the chain, in the page and in the text."""
    page_at = text_at = 0
    for page, text, length in zip(chain.page.tolist(), chain.text.tolist(), chain.length.tolist(), strict=True):
        yield (page_at, page), (text_at, text)
        page_at, text_at = page + length, text + length
    yield (page_at, page_length), (text_at, text_length)


def _compare_words(page: Ints, text: Ints, page_start: int, text_start: int) -> Blocks:
    """Compare two short passages word by word, the longest common run first."""
    runs: list[tuple[int, int, int]] = []
    if 0 < len(page) * len(text) <= MAX_COMPARISONS:
        matcher = SequenceMatcher(None, page.tolist(), text.tolist(), autojunk=False)
        runs = [(a + page_start, b + text_start, size) for a, b, size in matcher.get_matching_blocks() if size]
    table = np.array(runs, np.int64).reshape(-1, 3)
    return Blocks(table[:, 0], table[:, 1], table[:, 2])


def _select_near(runs: Blocks, first: int, last: int) -> Blocks:
    """Select, from the chain outwards, the runs that are long in relation to their distance from the last one."""
    selected = np.zeros(len(runs), np.bool_)
    for row in range(len(runs) - 1, -1, -1):
        if runs.page[row] < first:
            selected[row] = first - runs.page[row] - runs.length[row] < REACH * runs.length[row]
            first = int(runs.page[row]) if selected[row] else first
    for row in range(len(runs)):
        if runs.page[row] >= last:
            selected[row] = runs.page[row] - last < REACH * runs.length[row]
            last = int(runs.page[row] + runs.length[row]) if selected[row] else last
    return runs.chosen(selected)


def _match_moved(matched: Ints, page: Ints, text: Ints, strictness: Strictness) -> None:
    """Match long runs that are in a different order in page and text, the longest first."""
    used = np.zeros(len(text), np.bool_)
    used[matched[matched >= 0]] = True
    # Matched words get numbers that no other word has.
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
