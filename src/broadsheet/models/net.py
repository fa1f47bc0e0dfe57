"""A small net over the lines of a page: each line's numbers and words, then what stands around it, near and far.

A first layer sums a line's features and the rows of its words. Each of the next sees the line and two others, one
before and one after it, at distances that double from layer to layer, and adds to what was known. Then a mean over
the lines that matter most says what the page's text is like, and each line is compared with it. All are plain arrays:
compiled products of matrices, which use one thread, and one compiled sum over words.
"""

from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from broadsheet.models._bags import add_rows
from broadsheet.models._products import add_product
from broadsheet.models.arrays import of_text, pack, read, to_text, unpack
from broadsheet.models.card import Card
from broadsheet.models.model_errors import ModelError

Floats = NDArray[np.float32]

#: It rises whenever the arrays of a file change their meaning.
FORMAT = 1
#: Scores beyond this are as good as certain.
_SURE = 30
#: Words' rows are kept in so many steps to either side of 0.
_STEPS = 127
#: No net is wider, deeper, or looks further: what one page may cost depends on these.
MAX_WIDTH, MAX_LAYERS, MAX_REACH = 1_024, 64, 4_096


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """The arrays of a net, of one width `w`: `n` features, `l` layers, `h` numbers before the answer."""

    #: n by w, and what is added: w.
    features: Floats
    bias: Floats
    #: l by 3w by w, for the line before, the line itself and the line after; and what is added: l by w.
    layers: Floats
    layer_bias: Floats
    #: How much each line matters, w; what their mean says, w by w, w; and what a line makes of it, 3w by w, w.
    focus: Floats
    gist: Floats
    gist_bias: Floats
    mixing: Floats
    mixing_bias: Floats
    #: w by h, h; h, 1.
    hidden: Floats
    hidden_bias: Floats
    answer: Floats
    answer_bias: Floats

    def __post_init__(self) -> None:
        """Refuse arrays that do not fit together, or that hold what is not a number."""
        arrays = [getattr(self, field.name) for field in fields(Weights)]
        if any(array.dtype != np.float32 or not np.isfinite(array).all() for array in arrays):
            raise ModelError("the weights of a net are numbers of float32")
        if self.features.ndim != 2:
            raise ModelError("the features' weights of a net are a table")
        features, width = self.features.shape
        if not self.layer_bias.ndim or not self.hidden_bias.ndim:
            raise ModelError("the weights of a net do not fit together")
        layers, hidden = len(self.layer_bias), len(self.hidden_bias)
        wide = (width,)
        shapes = [
            (features, width), wide, (layers, 3 * width, width), (layers, width),
            wide, (width, width), wide, (3 * width, width), wide, (width, hidden), (hidden,), (hidden,), (1,),
        ]  # fmt: skip
        if max(features, width, hidden) > MAX_WIDTH or layers > MAX_LAYERS:
            raise ModelError(f"a net is at most {MAX_WIDTH:,} numbers wide and {MAX_LAYERS} layers deep")
        if not (features and width) or [array.shape for array in arrays] != shapes:
            raise ModelError("the weights of a net do not fit together")


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """A row of numbers for each word, rounded to one byte a number, and how much a step is in each row."""

    steps: NDArray[np.int8]
    scale: Floats

    def __post_init__(self) -> None:
        """Refuse rows without a scale, or with one that is not a number."""
        steps, scale = self.steps, self.scale
        if steps.dtype != np.int8 or steps.ndim != 2 or scale.dtype != np.float32 or scale.shape != steps.shape[:1]:
            raise ModelError("the words of a net are rows of bytes, each with a scale")
        if not np.isfinite(scale).all():
            raise ModelError("the scale of a net's word is not a number")

    @classmethod
    def of(cls, rows: Floats) -> "Words":
        """Round rows of numbers."""
        scale = np.abs(rows).max(axis=1).astype(np.float32) / np.float32(_STEPS)
        return cls(np.rint(rows / np.maximum(scale, np.finfo(np.float32).tiny)[:, None]).astype(np.int8), scale)

    def __len__(self) -> int:
        """Return the number of words."""
        return len(self.steps)


@dataclass(frozen=True, eq=False)
class Net:
    """A net with its card."""

    card: Card
    weights: Weights
    words: Words
    #: How far before and after a line each layer looks.
    reaches: tuple[int, ...]

    def __post_init__(self) -> None:
        """Refuse a card, or distances, that do not fit the weights."""
        if len(self.reaches) != len(self.weights.layers) or any(not 1 <= reach <= MAX_REACH for reach in self.reaches):
            raise ModelError(f"a net has a distance from 1 to {MAX_REACH:,} for each layer")
        if len(self.card.features) != len(self.weights.features):
            raise ModelError("a net has a row of weights for each feature that its card names")
        if self.words.steps.shape[1] != len(self.weights.bias):
            raise ModelError("a net's words are as wide as its layers")

    @cached_property
    def _room(self) -> int:
        return max(self.reaches, default=0)

    def probabilities(
        self, rows: Floats, words: NDArray[np.int32], counts: NDArray[np.int32], lengths: Floats
    ) -> Floats:
        """Return for each line how likely the answer is yes.

        `words` are rows of numbers, of which the first `counts` hold; `lengths` are the logarithms of how much each
        line says. There is at least one line. A net whose sums grow beyond all numbers is refused.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            likely = self._probabilities(rows, words, counts, lengths)
        if not np.isfinite(likely).all():
            raise ModelError(f"{self.card.label} has weights so large that it gives no answer")
        return likely

    def _probabilities(
        self, rows: Floats, words: NDArray[np.int32], counts: NDArray[np.int32], lengths: Floats
    ) -> Floats:
        weights, count = self.weights, len(rows)
        if rows.shape != (count, len(weights.features)) or words.shape[:1] != (count,) or counts.shape != (count,):
            raise ValueError(f"a row of {len(weights.features)} features and one of words for each line are needed")
        # Lines beyond the page's ends are zeros.
        room, width = self._room, len(weights.bias)
        state = np.zeros((count + 2 * room, width), np.float32)
        inside = state[room : room + count]
        inside += weights.bias
        add_product(rows, weights.features, inside)
        add_rows(words, counts, self.words.steps, self.words.scale, inside)
        np.maximum(inside, 0, out=inside)
        for reach, layer, bias in zip(self.reaches, weights.layers, weights.layer_bias, strict=True):
            before, own, after = layer[:width], layer[width : 2 * width], layer[2 * width :]
            step = _product(state[room - reach : room - reach + count], before, bias)
            add_product(inside, own, step)
            add_product(state[room + reach : room + reach + count], after, step)
            inside += np.maximum(step, 0, out=step)
        inside += self._compared(inside, lengths)
        hidden = np.maximum(_product(inside, weights.hidden, weights.hidden_bias), 0)
        scores = _product(hidden, weights.answer[:, None], weights.answer_bias)[:, 0]
        likely: Floats = np.reciprocal(1 + np.exp(-np.clip(scores, -_SURE, _SURE)))
        return likely

    def _compared(self, state: Floats, lengths: Floats) -> Floats:
        """Return what each line makes of the gist of those that matter."""
        weights, width = self.weights, state.shape[1]
        focus = _product(state, weights.focus[:, None], lengths[:, None])
        shares = np.exp(focus - focus.max()).T
        mean = _product(shares / shares.sum(), state)
        gist = np.maximum(_product(mean, weights.gist, weights.gist_bias), 0)
        own, common, both = weights.mixing[:width], weights.mixing[width : 2 * width], weights.mixing[2 * width :]
        mixed = _product(state, own, _product(gist, common, weights.mixing_bias))
        add_product(state * gist, both, mixed)
        return np.maximum(mixed, 0, out=mixed)


def _product(left: Floats, right: Floats, added: Floats | float = 0.0) -> Floats:
    """Return the product of two matrices, plus something that is added to each of its rows."""
    sums = np.empty((len(left), right.shape[1]), np.float32)
    sums[:] = added
    add_product(left, right, sums)
    return sums


_ARRAYS = tuple(field.name for field in fields(Weights))


def to_bytes(net: Net) -> bytes:
    """Return a net as the bytes of a file."""
    arrays: dict[str, NDArray[Any]] = {
        "format": np.array(FORMAT, "<i4"),
        "card": of_text(net.card.to_json()),
        "reaches": np.array(net.reaches, "<i4"),
        **{name: getattr(net.weights, name) for name in _ARRAYS},
        "words": net.words.steps,
        "scale": net.words.scale,
    }
    return pack(arrays)


def of_bytes(content: bytes) -> Net:
    """Read a net from the bytes of its file; what does not fit together is refused."""
    arrays = unpack(content, ("format", "card", "reaches", "words", "scale", *_ARRAYS))
    if arrays["format"].shape != () or arrays["format"] != FORMAT:
        raise ModelError(f"the net's format is not {FORMAT}")
    reaches, words = arrays["reaches"], Words(arrays["words"], arrays["scale"])
    if reaches.dtype != np.int32 or reaches.ndim != 1:
        raise ModelError("the distances of a net are whole numbers")
    weights = Weights(**{name: arrays[name] for name in _ARRAYS})
    return Net(Card.of_json(to_text(arrays["card"])), weights, words, tuple(reaches.tolist()))


def load(path: Path) -> Net:
    """Read a net from a file."""
    content = read(path)
    try:
        return of_bytes(content)
    except ModelError as error:
        raise ModelError(f"{path}: {error}") from error
