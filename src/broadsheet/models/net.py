"""A small neural net over the lines of a page: features and words of each line, then its near and far context.

The first layer sums a line's feature weights and word embeddings. Each following layer is a residual, dilated
convolution: it sees the line itself, one line before and one after it, at distances that grow from layer to layer. Then
each line attends to the lines around it: local self-attention with several heads and a bias by distance. Attention
pooling summarizes the page in one vector, and each line is compared with it. Everything is a plain array; the forward
pass is compiled and single-threaded.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from broadsheet.base.lazy import lazy
from broadsheet.models._forward import Forward
from broadsheet.models.arrays import from_text, pack, read_bytes, to_text, unpack
from broadsheet.models.card import Card
from broadsheet.models.distances import distance_steps
from broadsheet.models.model_errors import ModelError

Floats = NDArray[np.float32]

#: Incremented whenever the meaning of the arrays changes.
FORMAT = 3
#: Quantization steps on either side of 0 in a word embedding.
_STEPS = 127
#: Limits on width, depth and reach, which bound the cost of one page.
MAX_WIDTH, MAX_LAYERS, MAX_REACH = 1_024, 64, 4_096


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """The arrays of a net of width `w`: `n` features, `l` layers, `h` hidden units before the output, `a` heads."""

    #: n by w, and its bias: w.
    features: Floats
    bias: Floats
    #: l by 3w by w, for the line before, the line itself and the line after; and the biases: l by w.
    layers: Floats
    layer_bias: Floats
    #: The projections to the queries, keys and values of all heads, w by 3w, 3w; the relative position bias of each
    #: head, a by `distance_steps`; and the layer over the outputs of the heads, w by w, w.
    attention: Floats
    attention_bias: Floats
    distance_bias: Floats
    attention_output: Floats
    attention_output_bias: Floats
    #: Attention pooling over all lines, w; the layer over the pooled lines, which gives the summary of the page, w by
    #: w, w; and the layer that compares each line with the summary, 3w by w, w.
    pooling: Floats
    summary: Floats
    summary_bias: Floats
    comparison: Floats
    comparison_bias: Floats
    #: The hidden layer, w by h, h; and the output layer, h, 1.
    hidden: Floats
    hidden_bias: Floats
    output: Floats
    output_bias: Floats

    def __post_init__(self) -> None:
        """Raise if the shapes are inconsistent or a weight is not finite."""
        arrays = [getattr(self, field.name) for field in fields(Weights)]
        if any(array.dtype != np.float32 or not np.isfinite(array).all() for array in arrays):
            raise ModelError("the weights of a net must be finite float32 numbers")
        if self.features.ndim != 2:
            raise ModelError("the feature weights of a net must be a two-dimensional array")
        features, width = self.features.shape
        heads = len(self.distance_bias) if self.distance_bias.ndim else 0
        if not self.layer_bias.ndim or not self.hidden_bias.ndim:
            raise ModelError("the shapes of a net's weights are inconsistent")
        layers, hidden = len(self.layer_bias), len(self.hidden_bias)
        vector = (width,)
        shapes = [
            (features, width), vector, (layers, 3 * width, width), (layers, width),
            (width, 3 * width), (3 * width,), (heads, int(distance_steps()[-1]) + 1), (width, width), vector,
            vector, (width, width), vector, (3 * width, width), vector, (width, hidden), (hidden,), (hidden,), (1,),
        ]  # fmt: skip
        if max(features, width, hidden) > MAX_WIDTH or layers > MAX_LAYERS:
            raise ModelError(f"the net is wider than {MAX_WIDTH:,} or deeper than {MAX_LAYERS} layers")
        if not heads or width % heads:
            raise ModelError("the width of a net must be a multiple of the number of its heads")
        if not (features and width) or [array.shape for array in arrays] != shapes:
            raise ModelError("the shapes of a net's weights are inconsistent")


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """Word embeddings, quantized to one byte per number, and the step size of each."""

    steps: NDArray[np.int8]
    scale: Floats

    def __post_init__(self) -> None:
        """Raise if an embedding has no finite scale."""
        steps, scale = self.steps, self.scale
        if steps.dtype != np.int8 or steps.ndim != 2 or scale.dtype != np.float32 or scale.shape != steps.shape[:1]:
            raise ModelError("the word embeddings of a net must be rows of bytes, each with a float32 scale")
        if not np.isfinite(scale).all():
            raise ModelError("the scale of a net's word embedding is not a finite number")

    @classmethod
    def quantize(cls, rows: Floats) -> "Words":
        """Round embeddings to one byte per number."""
        scale = np.abs(rows).max(axis=1).astype(np.float32) / np.float32(_STEPS)
        return cls(np.rint(rows / np.maximum(scale, np.finfo(np.float32).tiny)[:, None]).astype(np.int8), scale)

    def __len__(self) -> int:
        """Return the number of words."""
        return len(self.steps)


@dataclass(frozen=True, eq=False)
class Net:
    """A neural net with its card."""

    card: Card
    weights: Weights
    words: Words
    #: How many lines before and after a line each layer looks.
    reaches: tuple[int, ...]

    def __post_init__(self) -> None:
        """Raise if the card or the distances do not match the weights."""
        if len(self.reaches) != len(self.weights.layers) or any(not 1 <= reach <= MAX_REACH for reach in self.reaches):
            raise ModelError(f"a net needs one distance from 1 to {MAX_REACH:,} per layer")
        if len(self.card.features) != len(self.weights.features):
            raise ModelError("a net needs one row of weights per feature named on its card")
        if self.words.steps.shape[1] != len(self.weights.bias):
            raise ModelError("a net's word embeddings must be as wide as its layers")

    @lazy
    def _forward(self) -> Forward:
        return Forward(self.weights, self.words, self.reaches)

    def probabilities(
        self, rows: Floats, words: NDArray[np.int32], counts: NDArray[np.int32], lengths: Floats
    ) -> Floats:
        """Return the probability of the positive class for each line; there has to be at least one.

        `words` holds one row of word ids per line, of which the first `counts` are valid; `lengths` are the logarithms
        of the lines' text lengths. Raises if the sums overflow.
        """
        try:
            return self._forward.probabilities(rows, words, counts, lengths)
        except OverflowError as error:
            raise ModelError(f"the weights of {self.card.label} are so large that its sums overflow") from error


_ARRAYS = tuple(field.name for field in fields(Weights))


#: The names of the arrays that a net consists of.
NAMES = ("format", "card", "reaches", "words", "scale", *_ARRAYS)


def to_bytes(net: Net) -> bytes:
    """Serialize a net."""
    return pack(to_arrays(net))


def to_arrays(net: Net) -> dict[str, NDArray[Any]]:
    """Return the arrays that a net consists of, by name."""
    return {
        "format": np.array(FORMAT, "<i4"),
        "card": from_text(net.card.to_json()),
        "reaches": np.array(net.reaches, "<i4"),
        **{name: getattr(net.weights, name) for name in _ARRAYS},
        "words": net.words.steps,
        "scale": net.words.scale,
    }


def from_bytes(content: bytes) -> Net:
    """Deserialize a net; raise if its arrays are inconsistent."""
    return from_arrays(unpack(content))


def from_arrays(arrays: Mapping[str, NDArray[Any]]) -> Net:
    """Build a net from its arrays; raise if they are inconsistent."""
    form = arrays.get("format")
    if form is not None and (form.shape != () or form != FORMAT):
        raise ModelError(f"the net's format is not {FORMAT}, the only one that this version reads: train it again")
    missing = [name for name in NAMES if name not in arrays]
    if missing:
        raise ModelError(f"the net has no array {missing[0]!r}")
    reaches, words = arrays["reaches"], Words(arrays["words"], arrays["scale"])
    if reaches.dtype != np.int32 or reaches.ndim != 1:
        raise ModelError("the distances of a net must be a list of int32")
    weights = Weights(**{name: arrays[name] for name in _ARRAYS})
    return Net(Card.from_json(to_text(arrays["card"])), weights, words, tuple(reaches.tolist()))


def load(path: Path) -> Net:
    """Read a net from a file; raise if it is damaged or inconsistent."""
    content = read_bytes(path)
    try:
        return from_bytes(content)
    except ModelError as error:
        raise ModelError(f"{path}: {error}") from error
