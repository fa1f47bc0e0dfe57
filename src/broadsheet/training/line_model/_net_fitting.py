"""Train a net on lines: hand-written gradients of `models.net`, and AdamW.

A test compares the gradients with finite differences. All random numbers come from one seeded generator.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields

import numpy as np
from numpy.random import Generator

from broadsheet.models.distances import distance_steps
from broadsheet.models.net import Weights, Words
from broadsheet.training.line_model._batches import LineBatch, draw, gather
from broadsheet.training.line_model._line_table import Floats, LineTable
from broadsheet.training.line_model._net_layers import Attended, Compared, Gradients, add_back, around_lines

#: Scores are clipped here: beyond it the probability is 0 or 1 in single precision.
_SURE = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class NetSettings:
    """The size of a net and the hyperparameters of its training."""

    width: int = 64
    hidden: int = 32
    reaches: tuple[int, ...] = (1, 3, 9, 27)
    #: The heads of attention, which divide the width.
    heads: int = 4
    epochs: int = 10
    #: The probability of a made page to be used in an epoch.
    made_share: float = 0.5
    #: Pages per step.
    size: int = 32
    rate: float = 2e-3
    decay: float = 0.01
    #: There are many words and each is rare, so their weights decay faster.
    word_decay: float = 0.1
    #: Label smoothing, because some labels are wrong.
    smoothing: float = 0.02
    #: The share of all steps in which the learning rate warms up.
    warmup: float = 0.15
    #: Dropout of features, of words and of each layer's outputs.
    feature_dropout: float = 0.1
    word_dropout: float = 0.4
    dropout: float = 0.1
    seed: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class TrainedWeights(Weights):
    """The weights during training: the rows of words are floats like all others."""

    words: Floats


def initial_weights(features: int, words: int, settings: NetSettings, rng: Generator) -> TrainedWeights:
    """Draw the weights that training starts from."""

    def uniform(*shape: int, inputs: int) -> Floats:
        bound = 1 / np.sqrt(inputs)
        return rng.uniform(-bound, bound, shape).astype(np.float32)

    width, hidden, layers = settings.width, settings.hidden, len(settings.reaches)
    return TrainedWeights(
        features=uniform(features, width, inputs=features),
        bias=uniform(width, inputs=features),
        words=(0.02 * rng.standard_normal((words, width))).astype(np.float32),
        layers=uniform(layers, 3 * width, width, inputs=3 * width),
        layer_bias=uniform(layers, width, inputs=3 * width),
        attention=uniform(width, 3 * width, inputs=width),
        attention_bias=uniform(3 * width, inputs=width),
        nearness=np.zeros((settings.heads, int(distance_steps()[-1]) + 1), np.float32),
        heard=uniform(width, width, inputs=width),
        heard_bias=uniform(width, inputs=width),
        focus=uniform(width, inputs=width),
        gist=uniform(width, width, inputs=width),
        gist_bias=uniform(width, inputs=width),
        mixing=uniform(3 * width, width, inputs=3 * width),
        mixing_bias=uniform(width, inputs=3 * width),
        hidden=uniform(width, hidden, inputs=width),
        hidden_bias=uniform(hidden, inputs=width),
        answer=uniform(hidden, inputs=hidden),
        answer_bias=uniform(1, inputs=hidden),
    )


@dataclass(slots=True, eq=False)
class Adam:
    """AdamW: each weight moves by its gradients' running mean over their running deviation, and decays.

    Weights decay towards zero, or towards those of `prior`.
    """

    weights: TrainedWeights
    prior: TrainedWeights | None = None
    mean: Gradients = field(init=False)
    square: Gradients = field(init=False)
    steps: int = 0

    def __post_init__(self) -> None:
        """Start with no momentum."""
        self.mean = {each.name: np.zeros_like(getattr(self.weights, each.name)) for each in fields(TrainedWeights)}
        self.square = {name: np.zeros_like(array) for name, array in self.mean.items()}

    def step(self, gradients: Gradients, rate: float, settings: NetSettings) -> None:
        """Update the weights in place, with the norm of the gradients clipped to 1."""
        self.steps += 1
        norm = np.sqrt(sum(float(np.vdot(gradient, gradient)) for gradient in gradients.values()))
        clip = 1 / max(norm, 1.0)
        for name, gradient in gradients.items():
            step = np.float32(clip) * gradient
            mean, square, weight = self.mean[name], self.square[name], getattr(self.weights, name)
            mean += np.float32(0.1) * (step - mean)
            square += np.float32(0.001) * (step * step - square)
            deviation = np.sqrt(square / np.float32(1 - 0.999**self.steps)) + np.float32(1e-8)
            decay = np.float32(rate * (settings.word_decay if name == "words" else settings.decay))
            weight -= decay * (weight if self.prior is None else weight - getattr(self.prior, name))
            weight -= np.float32(rate / (1 - 0.9**self.steps)) * mean / deviation


def learning_rate(step: int, steps: int, settings: NetSettings) -> float:
    """Return the learning rate of a step: a warm-up along a half cosine, then cosine decay to zero."""
    warmup = settings.warmup * steps
    if step < warmup:
        return float(settings.rate * (0.04 + 0.96 * (1 - np.cos(np.pi * step / warmup)) / 2))
    return float(settings.rate * (1 + np.cos(np.pi * (step - warmup) / (steps - warmup))) / 2)


def gradients(
    weights: TrainedWeights, batch: LineBatch, settings: NetSettings, rng: Generator
) -> tuple[float, Gradients]:
    """Return the mean loss of a batch and its gradients, with dropout."""

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
    attended = Attended.forward(weights, state, batch)
    heard_mask = dropout_mask(state.shape, settings.dropout) * batch.inside * (attended.heard > 0)
    alone, state = state, state + attended.heard * heard_mask
    compared = Compared.forward(weights, state, batch)
    mask = dropout_mask(state.shape, settings.dropout) * batch.inside * (compared.mixed > 0)
    below, state = state, state + compared.mixed * mask
    hidden = np.maximum(state @ weights.hidden + weights.hidden_bias, 0)
    hidden_mask = dropout_mask(hidden.shape, settings.dropout) * (hidden > 0)
    hidden *= hidden_mask
    scores = hidden @ weights.answer + weights.answer_bias
    probability = 1 / (1 + np.exp(-np.clip(scores, -_SURE, _SURE)))
    target = batch.is_body * np.float32(1 - 2 * settings.smoothing) + np.float32(settings.smoothing)
    loss = float(np.sum(batch.weights * (np.logaddexp(0, scores) - target * scores)))
    back = (batch.weights * (probability - target)).astype(np.float32)

    grads: Gradients = {"answer": hidden.T @ back, "answer_bias": back.sum(keepdims=True)}
    back_hidden = back[:, None] * weights.answer * hidden_mask
    grads["hidden"], grads["hidden_bias"] = state.T @ back_hidden, back_hidden.sum(axis=0)
    back_state = back_hidden @ weights.hidden.T
    back_state += compared.backward(weights, below, batch, back_state * mask, grads)
    back_state += attended.backward(weights, alone, back_state * heard_mask, grads)
    grads["layers"], grads["layer_bias"] = np.empty_like(weights.layers), np.empty_like(weights.layer_bias)
    for place in range(len(layers) - 1, -1, -1):
        around, mask = layers[place]
        back_step = back_state * mask
        grads["layers"][place], grads["layer_bias"][place] = around.T @ back_step, back_step.sum(axis=0)
        add_back(back_state, back_step @ weights.layers[place].T, settings.reaches[place])
    back_state = back_state * batch.inside * first
    grads["features"], grads["bias"] = rows.T @ back_state, back_state.sum(axis=0)
    grads["words"] = np.asarray(words.T @ back_state, np.float32)
    return loss, grads


def fit(
    table: LineTable, pages: Sequence[int], weights: Floats, settings: NetSettings, say: Callable[[str], None]
) -> tuple[TrainedWeights, tuple[Floats, Floats]]:
    """Train a net on the weighted lines of some pages; return it with the mean and deviation of each feature."""
    rng = np.random.default_rng(settings.seed)
    scale = table.scale(pages)
    net = initial_weights(table.rows.shape[1], table.words.shape[1], settings, rng)
    adam, gap = Adam(net), max(settings.reaches)
    epochs = [_pages_of_epoch(table, pages, settings.made_share, rng) for _ in range(settings.epochs)]
    steps = sum(-(-len(epoch) // settings.size) for epoch in epochs)
    for number, epoch in enumerate(epochs, 1):
        losses = []
        for chosen in draw(table, epoch, settings.size, rng):
            batch = gather(table, chosen, scale, weights, gap, rng)
            loss, grads = gradients(net, batch, settings, rng)
            adam.step(grads, learning_rate(adam.steps, steps, settings), settings)
            losses.append(loss)
        say(f"epoch {number} of {settings.epochs}: loss {np.mean(losses):.4f}")
    return net, scale


def _pages_of_epoch(table: LineTable, pages: Sequence[int], made_share: float, rng: Generator) -> list[int]:
    """Return all pages that were found, and a random share of those that were made."""
    chance = rng.random(len(pages))
    return [page for page, drawn in zip(pages, chance, strict=True) if not table.pages[page].made or drawn < made_share]


def fold_scale(weights: TrainedWeights, scale: tuple[Floats, Floats]) -> tuple[Weights, Words]:
    """Fold the scale of the features into the first layer, so that the net takes them unscaled."""
    features = weights.features / scale[1][:, None]
    bias = weights.bias - scale[0] @ features
    arrays = {each.name: getattr(weights, each.name) for each in fields(Weights)}
    arrays |= {"features": features, "bias": bias.astype(np.float32)}
    return Weights(**arrays), Words.quantize(weights.words)
