"""How alike two texts are, from a small sketch of each: copies of one story, however they were edited, share phrases.

A text is taken as the set of its **shingles**: all runs of five words, in whatever case and punctuation. In scripts
without spaces, a character counts as half a word. The **sketch** of a text is the smallest 128 hashes of its shingles;
two sketches say how many of their shingles two texts share, and how much of the shorter one is in the longer one.
"""

from dataclasses import dataclass

from broadsheet.document.characters import classes
from broadsheet.reading import _shingles

#: Words of a shingle, and hashes of a sketch.
WORDS, SIZE = 5, 128
#: Two texts of fewer shingles, or of too different length, are not compared.
LEAST = 16
#: The share of all shingles of two near-duplicates that both of them have.
RESEMBLANCE = 0.55
#: The share of the shorter text that is in the longer one. Pages of one site share sign-up lines and disclaimers too.
CONTAINMENT, CONTAINMENT_ON_SITE = 0.7, 0.8

_BYTES = 4


@dataclass(frozen=True, slots=True)
class Likeness:
    """How many shingles two texts share, and how many each has, in a sample of both."""

    shared: int
    one: int
    other: int

    @property
    def resemblance(self) -> float:
        """The share of the shingles of both texts that they have in common."""
        return self.shared / max(1, self.one + self.other - self.shared)

    @property
    def containment(self) -> float:
        """The share of the shorter text's shingles that the longer one has too."""
        return self.shared / max(1, min(self.one, self.other))

    def is_near_duplicate(self, *, shares_site: bool) -> bool:
        """Say whether the texts are one story; the thresholds are measured by `benchmarks.likeness`."""
        if min(self.one, self.other) < LEAST:
            return False
        contained = CONTAINMENT_ON_SITE if shares_site else CONTAINMENT
        return self.resemblance >= RESEMBLANCE or self.containment >= contained


def sketch(text: str) -> bytes:
    """Return the sketch of a text; that of a text too short to be compared is empty."""
    hashes = _shingles.smallest(text, classes(), WORDS, SIZE)
    return hashes if len(hashes) >= LEAST * _BYTES else b""


def compare(one: bytes, other: bytes) -> Likeness:
    """Compare two texts by their sketches."""
    return Likeness(*_shingles.overlap(one, other, SIZE))


def first_hashes(sketched: bytes, number: int) -> list[int]:
    """Return the smallest hashes of a sketch: two texts that share much are likely to share some of these."""
    return memoryview(sketched[: number * _BYTES]).cast("I").tolist()
