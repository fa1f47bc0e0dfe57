"""The two passes of a net in training: forward as in `models.net`, with all that gradients need, and backward.

Tests compare the forward pass with the compiled one, and the gradients with finite differences.
"""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from broadsheet.training.line_model._batches import LineBatch
from broadsheet.training.line_model._line_table import Floats
from broadsheet.training.line_model._net_layers import AttentionPass, ComparisonPass, Gradients, add_back, around_lines
from broadsheet.training.line_model._net_weights import NetSettings, TrainedWeights

Mask = NDArray[np.bool_]

#: Scores are clipped here: beyond it the probability is 0 or 1 in single precision.
_SURE = 30


@dataclass(frozen=True, slots=True, eq=False)
class ForwardPass:
    """The inputs and outputs of all layers, and which of them were positive and not dropped."""

    rows: Floats
    words: csr_matrix
    first: Mask
    #: Of each layer, the lines with those around them.
    layers: list[tuple[Floats, Floats]]
    #: The state before attention and before the comparison.
    before_attention: Floats
    attention: AttentionPass
    attention_mask: Floats
    before_comparison: Floats
    comparison: ComparisonPass
    comparison_mask: Floats
    state: Floats
    hidden: Floats
    hidden_mask: Floats
    scores: Floats

    @property
    def probabilities(self) -> Floats:
        """The probability of each line; of empty ones, too."""
        return np.asarray(1 / (1 + np.exp(-np.clip(self.scores, -_SURE, _SURE))), np.float32)

    @classmethod
    def of(cls, weights: TrainedWeights, batch: LineBatch, settings: NetSettings, rng: Generator) -> "ForwardPass":
        """Compute the scores of a batch, with dropout."""

        def dropout_mask(shape: tuple[int, ...], share: float) -> Floats:
            """Draw which inputs stay, scaled up so that the expected sum is unchanged."""
            return (rng.random(shape, np.float32) >= share).astype(np.float32) / np.float32(1 - share)

        rows = batch.rows * dropout_mask(batch.rows.shape, settings.feature_dropout)
        words = batch.words.copy()
        words.data = (rng.random(len(words.data), np.float32) >= settings.word_dropout).astype(np.float32)
        state = (rows @ weights.features + weights.bias + words @ weights.words) * batch.inside
        np.maximum(state, 0, out=state)
        first, layers = state > 0, []
        for layer, bias, reach in zip(weights.layers, weights.layer_bias, settings.reaches, strict=True):
            around = around_lines(state, reach)
            step = around @ layer + bias
            np.maximum(step, 0, out=step)
            mask = dropout_mask(step.shape, settings.dropout) * batch.inside * (step > 0)
            layers.append((around, mask))
            state = state + step * mask
        attention = AttentionPass.forward(weights, state, batch)
        attention_mask = dropout_mask(state.shape, settings.dropout) * batch.inside * (attention.output > 0)
        before_attention, state = state, state + attention.output * attention_mask
        comparison = ComparisonPass.forward(weights, state, batch)
        comparison_mask = dropout_mask(state.shape, settings.dropout) * batch.inside * (comparison.output > 0)
        before_comparison, state = state, state + comparison.output * comparison_mask
        hidden = np.maximum(state @ weights.hidden + weights.hidden_bias, 0)
        hidden_mask = dropout_mask(hidden.shape, settings.dropout) * (hidden > 0)
        hidden *= hidden_mask
        scores = hidden @ weights.output + weights.output_bias
        return cls(
            rows, words, first, layers, before_attention, attention, attention_mask, before_comparison, comparison,
            comparison_mask, state, hidden, hidden_mask, scores,
        )  # fmt: skip


def gradients(
    weights: TrainedWeights, batch: LineBatch, settings: NetSettings, rng: Generator
) -> tuple[float, Gradients]:
    """Return the mean loss of a batch and its gradients, with dropout."""
    made = ForwardPass.of(weights, batch, settings, rng)
    target = batch.is_body * np.float32(1 - 2 * settings.smoothing) + np.float32(settings.smoothing)
    loss = float(np.sum(batch.weights * (np.logaddexp(0, made.scores) - target * made.scores)))
    back = (batch.weights * (made.probabilities - target)).astype(np.float32)
    return loss, _backward(weights, batch, settings, made, back)


def _backward(
    weights: TrainedWeights, batch: LineBatch, settings: NetSettings, made: ForwardPass, back: Floats
) -> Gradients:
    """Return the gradients of all weights, given those of the scores."""
    grads: Gradients = {"output": made.hidden.T @ back, "output_bias": back.sum(keepdims=True)}
    back_hidden = back[:, None] * weights.output * made.hidden_mask
    grads["hidden"], grads["hidden_bias"] = made.state.T @ back_hidden, back_hidden.sum(axis=0)
    back_state: Floats = np.asarray(back_hidden @ weights.hidden.T, np.float32)
    back = back_state * made.comparison_mask
    back_state += made.comparison.backward(weights, made.before_comparison, batch, back, grads)
    back_state += made.attention.backward(weights, made.before_attention, back_state * made.attention_mask, grads)
    grads["layers"], grads["layer_bias"] = np.empty_like(weights.layers), np.empty_like(weights.layer_bias)
    for place in range(len(made.layers) - 1, -1, -1):
        around, mask = made.layers[place]
        back_step = back_state * mask
        grads["layers"][place], grads["layer_bias"][place] = around.T @ back_step, back_step.sum(axis=0)
        add_back(back_state, back_step @ weights.layers[place].T, settings.reaches[place])
    back_state = back_state * batch.inside * made.first
    grads["features"], grads["bias"] = made.rows.T @ back_state, back_state.sum(axis=0)
    grads["words"] = np.asarray(made.words.T @ back_state, np.float32)
    return grads
