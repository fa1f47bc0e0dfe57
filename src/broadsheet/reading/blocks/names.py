"""What the words in elements' names say: how much more often text in such elements belongs to an article."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from broadsheet.models.errors import ModelError
from broadsheet.reading.blocks.words import Codes, code_of

SHIPPED = Path(__file__).parents[1] / "data" / "names.npz"


@dataclass(frozen=True, slots=True, eq=False)
class NameScores:
    """Words by code, in ascending order, each with the logarithm of how much it changes the odds."""

    codes: Codes
    scores: NDArray[np.float64]

    def __post_init__(self) -> None:
        """Refuse columns that no page could be looked up in."""
        fits = self.codes.dtype == np.uint64 and self.codes.ndim == 1 and self.codes.shape == self.scores.shape
        if not fits or not len(self.codes) or (self.codes[1:] <= self.codes[:-1]).any():
            raise ModelError("names are codes in ascending order, each with a score")
        if not np.isfinite(self.scores).all():
            raise ModelError("a score of a name is no number")

    @classmethod
    def of_words(cls, scores: Mapping[str, float]) -> "NameScores":
        """Sort the scores of words by the words' codes."""
        pairs = sorted((code_of(word), score) for word, score in scores.items())
        return cls(np.array([code for code, _ in pairs], np.uint64), np.array([score for _, score in pairs]))

    @classmethod
    def load(cls, path: Path) -> "NameScores":
        """Read scores from a file."""
        try:
            with np.load(path, allow_pickle=False) as arrays:
                return cls(arrays["codes"], arrays["scores"].astype(np.float64))
        except (OSError, ValueError, KeyError) as error:
            raise ModelError(f"{path}: the scores of names cannot be read ({error})") from error

    def save(self, path: Path) -> None:
        """Write the scores to a file, the same bytes for the same scores."""
        np.savez(path, codes=self.codes, scores=self.scores.astype(np.float32))

    def of(self, codes: Codes) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return which of some codes are known, and their scores."""
        place = np.minimum(np.searchsorted(self.codes, codes), len(self.codes) - 1)
        known = np.flatnonzero(self.codes[place] == codes)
        return known, self.scores[place[known]]


@cache
def shipped_names() -> NameScores:
    """Return the scores that came with the reader."""
    return NameScores.load(SHIPPED)
