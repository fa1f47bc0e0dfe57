"""How much a line looks like the headline of an article, its byline or its date: linear models over line features."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from broadsheet.models.arrays import pack, read_bytes, unpack
from broadsheet.models.model_errors import ModelError
from broadsheet.reading.lines._kind_scores import kind_scores
from broadsheet.reading.lines.line_features import COLUMNS, LineMeasurements
from broadsheet.reading.lines.lines import Lines

Floats = NDArray[np.float32]

#: What a line may show, in the order of the columns of scores.
KINDS = HEADLINE, BYLINE, DATE = range(3)
#: The file with the models, in a folder of models.
FILE = "line-kinds.npz"
#: Features count up to so many standard deviations from their mean, because those of some pages are far beyond.
MAX_DEVIATIONS = 5.0
#: A vocabulary with more words is not ours.
MAX_WORDS = 1_000_000


@dataclass(frozen=True, slots=True, eq=False)
class LineKinds:
    """The weights of all kinds, in log-odds: one column a kind."""

    #: Of each feature: its mean, its standard deviation, and its weights per standard deviation.
    mean: Floats
    deviation: Floats
    features: Floats
    #: Of each known word: its weights.
    words: Floats
    bias: Floats

    def __post_init__(self) -> None:
        """Raise if the shapes are inconsistent or a number is not finite."""
        arrays = [getattr(self, field.name) for field in fields(self)]
        if any(array.dtype != np.float32 or not np.isfinite(array).all() for array in arrays):
            raise ModelError("the weights of kinds of lines must be finite float32 numbers")
        count, kinds = len(COLUMNS), len(KINDS)
        if self.words.ndim != 2 or [array.shape for array in arrays] != [
            (count,), (count,), (count, kinds), (len(self.words), kinds), (kinds,)
        ]:  # fmt: skip
            raise ModelError("the weights of kinds of lines are those of other features: train them again")
        if not (self.deviation > 0).all():
            raise ModelError("the deviations of features must be greater than zero")

    def scores(self, kind: int, pieces: Sequence[int], lines: Lines, measured: LineMeasurements) -> list[float]:
        """Return how much the lines of some pieces look like one kind, in log-odds; the page has to have a line.

        The lines are measured with the vocabulary that the weights belong to.
        """
        return kind_scores(
            list(pieces), kind, lines.first, measured.rows, measured.words, measured.counts,
            self.mean, self.deviation, self.features, self.words, self.bias, MAX_DEVIATIONS,
        )  # fmt: skip


def to_bytes(kinds: LineKinds) -> bytes:
    """Serialize the weights; those of words in half precision, and only of words that have any."""
    known = np.flatnonzero(kinds.words.any(axis=1))
    return pack(
        {
            "mean": kinds.mean,
            "deviation": kinds.deviation,
            "features": kinds.features,
            "size": np.array(len(kinds.words), "<i4"),
            "known": known.astype("<i4"),
            "words": kinds.words[known].astype("<f2"),
            "bias": kinds.bias,
        }
    )


def from_bytes(content: bytes) -> LineKinds:
    """Deserialize the weights; raise if they are damaged or inconsistent."""
    arrays = unpack(content, ("mean", "deviation", "features", "size", "known", "words", "bias"))
    size, known, weights = arrays["size"], arrays["known"], arrays["words"]
    if size.shape != () or size.dtype != np.int32 or known.dtype != np.int32 or weights.ndim != 2:
        raise ModelError("the weights of words are damaged")
    if not 0 < int(size) <= MAX_WORDS:
        raise ModelError(f"the weights are those of {int(size):,} words; the limit is {MAX_WORDS:,}")
    if known.shape != weights.shape[:1] or ((known < 0) | (known >= int(size))).any():
        raise ModelError("the weights of words are those of another vocabulary")
    words = np.zeros((int(size), weights.shape[1]), np.float32)
    words[known] = weights
    return LineKinds(arrays["mean"], arrays["deviation"], arrays["features"], words, arrays["bias"])


def load_kinds(path: Path) -> LineKinds:
    """Read the weights from a file."""
    content = read_bytes(path)
    try:
        return from_bytes(content)
    except ModelError as error:
        raise ModelError(f"{path}: {error}") from error
