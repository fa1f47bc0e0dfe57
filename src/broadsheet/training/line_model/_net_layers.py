"""The layers of a net in training: what each computes, and the gradients of its weights and of its input."""

from dataclasses import dataclass

import numpy as np

from broadsheet.models.distances import WINDOW, distance_steps
from broadsheet.models.net import Weights
from broadsheet.training.line_model._batches import LineBatch
from broadsheet.training.line_model._line_table import Floats

#: By the name of the weights.
Gradients = dict[str, Floats]


def around_lines(state: Floats, reach: int) -> Floats:
    """Concatenate each line's state with those of the lines `reach` before and after it."""
    width = state.shape[1]
    around = np.zeros((len(state), 3 * width), np.float32)
    around[reach:, :width] = state[:-reach]
    around[:, width : 2 * width] = state
    around[:-reach, 2 * width :] = state[reach:]
    return around


def add_back(state: Floats, around: Floats, reach: int) -> None:
    """Add the gradients of concatenated states to those of the states; the inverse of `around_lines`."""
    width = state.shape[1]
    state[:-reach] += around[reach:, :width]
    state += around[:, width : 2 * width]
    state[reach:] += around[:-reach, 2 * width :]


@dataclass(frozen=True, slots=True, eq=False)
class AttentionPass:
    """Lines that attend to those around them: the forward pass, with what the backward pass needs."""

    #: Of each page: its lines, queries, keys and values by head, and shares by head, line and other line.
    pages: list[tuple[slice, Floats, Floats]]
    #: The outputs of all heads for each line, and of the layer over them.
    context: Floats
    output: Floats

    @classmethod
    def forward(cls, weights: Weights, state: Floats, batch: LineBatch) -> "AttentionPass":
        """Let each line attend to the lines of its page that are near."""
        count, width, heads = *state.shape, len(weights.distance_bias)
        projected = (state @ weights.attention + weights.attention_bias).reshape(count, 3, heads, width // heads)
        context, pages = np.zeros_like(state), []
        lines = np.add.reduceat(batch.inside[:, 0], batch.start).astype(int)
        for begin, number in zip(batch.start.tolist(), lines.tolist(), strict=True):
            page = slice(begin, begin + number)
            parts = np.ascontiguousarray(projected[page].transpose(1, 2, 0, 3))
            queries, keys, values = parts
            shares = queries @ keys.transpose(0, 2, 1) / np.float32(np.sqrt(width // heads))
            shares += _distance_bias(weights.distance_bias, number)
            shares += batch.lengths[page]
            shares -= shares.max(axis=2, keepdims=True)
            np.exp(shares, out=shares)
            shares /= shares.sum(axis=2, keepdims=True)
            context[page] = (shares @ values).transpose(1, 0, 2).reshape(number, width)
            pages.append((page, parts, shares))
        output = np.maximum(context @ weights.attention_output + weights.attention_output_bias, 0)
        return cls(pages, context, output)

    def backward(self, weights: Weights, state: Floats, back: Floats, grads: Gradients) -> Floats:
        """Add the gradients of these weights, and return that of the input."""
        grads["attention_output"], grads["attention_output_bias"] = self.context.T @ back, back.sum(axis=0)
        back_context = back @ weights.attention_output.T
        back_projected = np.zeros((len(state), weights.attention.shape[1]), np.float32)
        grads["distance_bias"] = np.zeros_like(weights.distance_bias)
        for page, (queries, keys, values), shares in self.pages:
            heads, number, own = queries.shape
            back_by_head = np.ascontiguousarray(back_context[page].reshape(number, heads, own).transpose(1, 0, 2))
            back_scores = back_by_head @ values.transpose(0, 2, 1)
            back_scores -= (back_scores * shares).sum(axis=2, keepdims=True)
            back_scores *= shares
            grads["distance_bias"] += _sums_by_step(back_scores)
            scale = np.float32(1 / np.sqrt(own))
            backs = (back_scores @ keys * scale, back_scores.transpose(0, 2, 1) @ queries * scale,
                     shares.transpose(0, 2, 1) @ back_by_head)  # fmt: skip
            back_projected[page] = np.stack(backs).transpose(2, 0, 1, 3).reshape(number, -1)
        grads["attention"], grads["attention_bias"] = state.T @ back_projected, back_projected.sum(axis=0)
        result: Floats = back_projected @ weights.attention.T
        return result


def _distance_bias(biases: Floats, lines: int) -> Floats:
    """Return what is added to the score of each line for each other, by head; minus infinity beyond the window."""
    by_distance = np.full((len(biases), 2 * lines - 1), -np.inf, np.float32)
    least = max(0, WINDOW + 1 - lines)
    by_distance[:, max(0, lines - 1 - WINDOW) : lines + WINDOW] = biases[
        :, distance_steps()[least : 2 * WINDOW + 1 - least]
    ]
    # The row of line `i` begins at distance `-i`.
    places = np.arange(lines - 1, -1, -1)[:, None] + np.arange(lines)
    return by_distance[:, places]


def _sums_by_step(scores: Floats) -> Floats:
    """Return the sums of the scores of all pairs of lines by the step of their distance, by head."""
    heads, lines, _ = scores.shape
    # Each row begins one place later than the one before, so that distances stand in columns.
    shifted = np.zeros((heads, lines, 2 * lines), np.float32)
    shifted[:, :, :lines] = scores[:, ::-1]
    by_distance = shifted.reshape(heads, -1)[:, :-lines].reshape(heads, lines, 2 * lines - 1).sum(axis=1)
    least = max(0, WINDOW + 1 - lines)
    is_step = distance_steps()[least : 2 * WINDOW + 1 - least, None] == np.arange(int(distance_steps()[-1]) + 1)
    sums: Floats = by_distance[:, max(0, lines - 1 - WINDOW) : lines + WINDOW] @ is_step.astype(np.float32)
    return sums


@dataclass(frozen=True, slots=True, eq=False)
class ComparisonPass:
    """Lines compared with the summary of their page: the forward pass, with what the backward pass needs."""

    shares: Floats
    means: Floats
    summary: Floats
    joined: Floats
    output: Floats

    @classmethod
    def forward(cls, weights: Weights, state: Floats, batch: LineBatch) -> "ComparisonPass":
        """Compare the lines of each page with their attention-weighted mean."""
        scores = state @ weights.pooling + batch.lengths
        shares = np.exp(scores - np.maximum.reduceat(scores, batch.start)[batch.page])
        shares /= np.add.reduceat(shares, batch.start)[batch.page]
        means = np.add.reduceat(shares[:, None] * state, batch.start)
        summary = np.maximum(means @ weights.summary + weights.summary_bias, 0)
        spread = summary[batch.page]
        joined = np.concatenate((state, spread, state * spread), axis=1)
        output = np.maximum(joined @ weights.comparison + weights.comparison_bias, 0)
        return cls(shares, means, summary, joined, output)

    def backward(self, weights: Weights, state: Floats, batch: LineBatch, back: Floats, grads: Gradients) -> Floats:
        """Add the gradients of this layer's weights, and return that of its input."""
        grads["comparison"], grads["comparison_bias"] = self.joined.T @ back, back.sum(axis=0)
        own, from_summary, product = np.split(back @ weights.comparison.T, 3, axis=1)
        below = own + product * self.summary[batch.page]
        back_summary = np.add.reduceat(from_summary + product * state, batch.start) * (self.summary > 0)
        grads["summary"], grads["summary_bias"] = self.means.T @ back_summary, back_summary.sum(axis=0)
        back_means = (back_summary @ weights.summary.T)[batch.page]
        moved = np.einsum("ij,ij->i", state, back_means)
        mean_moved = np.add.reduceat(self.shares * moved, batch.start)[batch.page]
        back_scores = self.shares * (moved - mean_moved)
        grads["pooling"] = state.T @ back_scores
        result: Floats = below + self.shares[:, None] * back_means + back_scores[:, None] * weights.pooling
        return result
