"""Ways to tell whether two texts are one story, from what each keeps of a text."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from broadsheet.archive import likeness_index
from broadsheet.document.characters import classes
from broadsheet.reading import _shingles, likeness

Hashes: TypeAlias = NDArray[np.uint32]

#: More shingles than any article has.
_ALL = 1 << 17
_CHANCE = np.random.default_rng(1)
_FACTORS, _SUMMANDS = (_CHANCE.integers(0, 1 << 64, 128, dtype=np.uint64) for _ in range(2))
# Odd factors permute.
_FACTORS |= np.uint64(1)


@dataclass(frozen=True, slots=True)
class Method:
    """What is kept of a text, and what two texts' records say."""

    keep: Callable[[str], object]
    links: Callable[[object, object, bool], bool]


def hashes(text: str) -> Hashes:
    """Return the hashes of all shingles of a text."""
    return np.frombuffer(_shingles.smallest(text, classes(), likeness.WORDS, _ALL), dtype=np.uint32)


def simhash(text: str) -> object:
    """Return the 64 bits that most shingles of a text have."""
    found = hashes(text).astype(np.uint64)
    if not len(found):
        return None
    # Another 32 bits of each hash, as 32 are too few.
    wide = found << np.uint64(32) | (found * np.uint64(0x9E3779B1) & np.uint64(0xFFFFFFFF))
    ones = (wide[:, None] >> np.arange(64, dtype=np.uint64) & np.uint64(1)).sum(axis=0)
    return int(((ones * 2 > len(wide)).astype(np.uint64) << np.arange(64, dtype=np.uint64)).sum())


def minhash(text: str) -> object:
    """Return, for each of 128 permutations of all hashes, the smallest one of a text."""
    found = hashes(text).astype(np.uint64)
    if len(found) < likeness.LEAST:
        return None
    return ((found[:, None] * _FACTORS + _SUMMANDS) >> np.uint64(32)).min(axis=0)


def _near(bits: int) -> Callable[[object, object, bool], bool]:
    def links(one: object, other: object, shares_site: bool) -> bool:
        del shares_site
        return isinstance(one, int) and isinstance(other, int) and (one ^ other).bit_count() <= bits

    return links


def _agreeing(share: float) -> Callable[[object, object, bool], bool]:
    def links(one: object, other: object, shares_site: bool) -> bool:
        del shares_site
        return one is not None and other is not None and float(np.mean(np.equal(one, other))) >= share  # type: ignore[call-overload]

    return links


def _exact(one: object, other: object, shares_site: bool) -> bool:
    assert isinstance(one, bytes)  # noqa: S101 - as `keep` gives them
    assert isinstance(other, bytes)  # noqa: S101 - as `keep` gives them
    alike = likeness.Likeness(*_shingles.overlap(one, other, _ALL))
    return alike.is_near_duplicate(shares_site=shares_site)


def _sketched(one: object, other: object, shares_site: bool) -> bool:
    assert isinstance(one, bytes)  # noqa: S101 - as `keep` gives them
    assert isinstance(other, bytes)  # noqa: S101 - as `keep` gives them
    return likeness.compare(one, other).is_near_duplicate(shares_site=shares_site)


def _found(one: object, other: object, shares_site: bool) -> bool:
    """Say whether the archive would look at the other text at all, and then take it for the same story."""
    assert isinstance(one, bytes)  # noqa: S101 - as `keep` gives them
    assert isinstance(other, bytes)  # noqa: S101 - as `keep` gives them
    first, second = (set(likeness.first_hashes(sketch, likeness_index.HASHES)) for sketch in (one, other))
    return bool(first & second) and _sketched(one, other, shares_site)


METHODS: Mapping[str, Method] = {
    "SimHash, 64 bits, at most 3 differ": Method(simhash, _near(3)),
    "SimHash, 64 bits, at most 8 differ": Method(simhash, _near(8)),
    "SimHash, 64 bits, at most 14 differ": Method(simhash, _near(14)),
    "MinHash, 128 values, half agree": Method(minhash, _agreeing(0.5)),
    "MinHash, 128 values, 4 in 10 agree": Method(minhash, _agreeing(0.4)),
    "MinHash, 128 values, 3 in 10 agree": Method(minhash, _agreeing(0.3)),
    "all shingles": Method(lambda text: _shingles.smallest(text, classes(), likeness.WORDS, _ALL), _exact),
    "sketch of 128": Method(likeness.sketch, _sketched),
    "sketch of 128, looked up": Method(likeness.sketch, _found),
}
