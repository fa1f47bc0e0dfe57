"""Fitting a net to lines: the gradients of `models.net`, by hand, and Adam with decay.

A test holds the gradients against differences. Everything that is drawn comes from one seed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields

import numpy as np
from numpy.random import Generator

from broadsheet.models.net import Weights, Words
from broadsheet.training.line_model.batches import LineBatch, draw, gather
from broadsheet.training.line_model.line_table import Floats, LineTable

Gradients = dict[str, Floats]

#: Scores beyond this are as good as certain.
_SURE = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class NetSettings:
    """The size of a net, and how it is fitted."""

    width: int = 64
    hidden: int = 32
    reaches: tuple[int, ...] = (1, 2, 4, 8, 16, 32)
    epochs: int = 10
    #: Pages a step.
    size: int = 32
    rate: float = 2e-3
    decay: float = 0.01
    #: Words are many and each is rare: what they say decays faster.
    word_decay: float = 0.1
    #: No line is taken to be surer than this share short of certain, because labels err.
    smoothing: float = 0.02
    #: The share of all steps in which the rate rises.
    rising: float = 0.15
    #: The share of features, words, and numbers of a layer that are left out in each step.
    drop_features: float = 0.1
    drop_words: float = 0.4
    drop: float = 0.1
    seed: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Fitted(Weights):
    """The weights of a net as they are fitted: words' rows are numbers, too."""

    words: Floats


def begin(features: int, words: int, settings: NetSettings, chance: Generator) -> Fitted:
    """Draw the weights that fitting begins with."""

    def drawn(*shape: int, inputs: int) -> Floats:
        bound = 1 / np.sqrt(inputs)
        return chance.uniform(-bound, bound, shape).astype(np.float32)

    width, hidden, layers = settings.width, settings.hidden, len(settings.reaches)
    return Fitted(
        features=drawn(features, width, inputs=features),
        bias=drawn(width, inputs=features),
        words=(0.02 * chance.standard_normal((words, width))).astype(np.float32),
        layers=drawn(layers, 3 * width, width, inputs=3 * width),
        layer_bias=drawn(layers, width, inputs=3 * width),
        focus=drawn(width, inputs=width),
        gist=drawn(width, width, inputs=width),
        gist_bias=drawn(width, inputs=width),
        mixing=drawn(3 * width, width, inputs=3 * width),
        mixing_bias=drawn(width, inputs=3 * width),
        hidden=drawn(width, hidden, inputs=width),
        hidden_bias=drawn(hidden, inputs=width),
        answer=drawn(hidden, inputs=hidden),
        answer_bias=drawn(1, inputs=hidden),
    )


@dataclass(slots=True, eq=False)
class Adam:
    """The step of each weight: by its gradients' mean over their scatter, and a little towards 0."""

    weights: Fitted
    mean: Gradients = field(init=False)
    square: Gradients = field(init=False)
    steps: int = 0

    def __post_init__(self) -> None:
        """Begin at rest."""
        self.mean = {each.name: np.zeros_like(getattr(self.weights, each.name)) for each in fields(Fitted)}
        self.square = {name: np.zeros_like(array) for name, array in self.mean.items()}

    def step(self, gradients: Gradients, rate: float, settings: NetSettings) -> None:
        """Change the weights in place."""
        self.steps += 1
        norm = np.sqrt(sum(float(np.vdot(gradient, gradient)) for gradient in gradients.values()))
        shorter = 1 / max(norm, 1.0)
        for name, gradient in gradients.items():
            step = np.float32(shorter) * gradient
            mean, square, weight = self.mean[name], self.square[name], getattr(self.weights, name)
            mean += np.float32(0.1) * (step - mean)
            square += np.float32(0.001) * (step * step - square)
            scatter = np.sqrt(square / np.float32(1 - 0.999**self.steps)) + np.float32(1e-8)
            weight *= np.float32(1 - rate * (settings.word_decay if name == "words" else settings.decay))
            weight -= np.float32(rate / (1 - 0.9**self.steps)) * mean / scatter


def rate_at(step: int, steps: int, settings: NetSettings) -> float:
    """Return the rate of a step: it rises for a while, and falls like half a wave to nearly nothing."""
    rising = settings.rising * steps
    if step < rising:
        return float(settings.rate * (0.04 + 0.96 * (1 - np.cos(np.pi * step / rising)) / 2))
    return float(settings.rate * (1 + np.cos(np.pi * (step - rising) / (steps - rising))) / 2)


def gradients(weights: Fitted, batch: LineBatch, settings: NetSettings, chance: Generator) -> tuple[float, Gradients]:
    """Return the mean loss of a batch's lines and its gradients; what is left out is drawn."""

    def left(shape: tuple[int, ...], share: float) -> Floats:
        """Draw which numbers stay, raised so that their sum is about the same."""
        return (chance.random(shape, np.float32) >= share).astype(np.float32) / np.float32(1 - share)

    rows = batch.rows * left(batch.rows.shape, settings.drop_features)
    words = batch.words.copy()
    words.data = (chance.random(len(words.data), np.float32) >= settings.drop_words).astype(np.float32)
    state = (rows @ weights.features + weights.bias + words @ weights.words) * batch.inside
    np.maximum(state, 0, out=state)
    first, kept = state > 0, []
    for layer, bias, reach in zip(weights.layers, weights.layer_bias, settings.reaches, strict=True):
        around = _around(state, reach)
        step = around @ layer + bias
        np.maximum(step, 0, out=step)
        stays = left(step.shape, settings.drop) * batch.inside * (step > 0)
        kept.append((around, stays))
        state = state + step * stays
    compared = Compared.of(weights, state, batch)
    stays = left(state.shape, settings.drop) * batch.inside * (compared.mixed > 0)
    below, state = state, state + compared.mixed * stays
    hidden = np.maximum(state @ weights.hidden + weights.hidden_bias, 0)
    stays_hidden = left(hidden.shape, settings.drop) * (hidden > 0)
    hidden *= stays_hidden
    scores = hidden @ weights.answer + weights.answer_bias
    likely = 1 / (1 + np.exp(-np.clip(scores, -_SURE, _SURE)))
    aim = batch.is_body * np.float32(1 - 2 * settings.smoothing) + np.float32(settings.smoothing)
    loss = float(np.sum(batch.weights * (np.logaddexp(0, scores) - aim * scores)))
    back = (batch.weights * (likely - aim)).astype(np.float32)

    found: Gradients = {"answer": hidden.T @ back, "answer_bias": back.sum(keepdims=True)}
    back_hidden = back[:, None] * weights.answer * stays_hidden
    found["hidden"], found["hidden_bias"] = state.T @ back_hidden, back_hidden.sum(axis=0)
    back_state = back_hidden @ weights.hidden.T
    back_state += compared.back(weights, below, batch, back_state * stays, found)
    found["layers"], found["layer_bias"] = np.empty_like(weights.layers), np.empty_like(weights.layer_bias)
    for place in range(len(kept) - 1, -1, -1):
        around, stays = kept[place]
        back_step = back_state * stays
        found["layers"][place], found["layer_bias"][place] = around.T @ back_step, back_step.sum(axis=0)
        _add_back(back_state, back_step @ weights.layers[place].T, settings.reaches[place])
    back_state = back_state * batch.inside * first
    found["features"], found["bias"] = rows.T @ back_state, back_state.sum(axis=0)
    found["words"] = np.asarray(words.T @ back_state, np.float32)
    return loss, found


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """Lines compared with the gist of their page, and what the way back needs."""

    shares: Floats
    means: Floats
    gist: Floats
    joined: Floats
    mixed: Floats

    @classmethod
    def of(cls, weights: Weights, state: Floats, batch: LineBatch) -> "Compared":
        """Compare the lines of each page with the mean of those that matter in it."""
        focus = state @ weights.focus + batch.lengths
        shares = np.exp(focus - np.maximum.reduceat(focus, batch.start)[batch.page])
        shares /= np.add.reduceat(shares, batch.start)[batch.page]
        means = np.add.reduceat(shares[:, None] * state, batch.start)
        gist = np.maximum(means @ weights.gist + weights.gist_bias, 0)
        spread = gist[batch.page]
        joined = np.concatenate((state, spread, state * spread), axis=1)
        return cls(shares, means, gist, joined, np.maximum(joined @ weights.mixing + weights.mixing_bias, 0))

    def back(self, weights: Weights, state: Floats, batch: LineBatch, back: Floats, found: Gradients) -> Floats:
        """Put the gradients of this layer's weights among those found, and return that of the state below it."""
        found["mixing"], found["mixing_bias"] = self.joined.T @ back, back.sum(axis=0)
        own, from_gist, product = np.split(back @ weights.mixing.T, 3, axis=1)
        below = own + product * self.gist[batch.page]
        back_gist = np.add.reduceat(from_gist + product * state, batch.start) * (self.gist > 0)
        found["gist"], found["gist_bias"] = self.means.T @ back_gist, back_gist.sum(axis=0)
        back_means = (back_gist @ weights.gist.T)[batch.page]
        moved = np.einsum("ij,ij->i", state, back_means)
        mean_moved = np.add.reduceat(self.shares * moved, batch.start)[batch.page]
        back_focus = self.shares * (moved - mean_moved)
        found["focus"] = state.T @ back_focus
        result: Floats = below + self.shares[:, None] * back_means + back_focus[:, None] * weights.focus
        return result


def _around(state: Floats, reach: int) -> Floats:
    """Return each line's numbers between those of the lines `reach` before and after it."""
    width = state.shape[1]
    around = np.zeros((len(state), 3 * width), np.float32)
    around[reach:, :width] = state[:-reach]
    around[:, width : 2 * width] = state
    around[:-reach, 2 * width :] = state[reach:]
    return around


def _add_back(state: Floats, around: Floats, reach: int) -> None:
    width = state.shape[1]
    state[:-reach] += around[reach:, :width]
    state += around[:, width : 2 * width]
    state[reach:] += around[:-reach, 2 * width :]


def fit(
    table: LineTable, pages: Sequence[int], weights: Floats, settings: NetSettings, say: Callable[[str], None]
) -> tuple[Fitted, tuple[Floats, Floats]]:
    """Fit a net to the lines of some pages, each counting by its weight; return it and the scale of its features."""
    chance = np.random.default_rng(settings.seed)
    scale = table.scale(pages)
    net = begin(table.rows.shape[1], table.words.shape[1], settings, chance)
    adam, room = Adam(net), max(settings.reaches)
    batches = sum(1 for _ in draw(table, pages, settings.size, np.random.default_rng(0)))
    for epoch in range(settings.epochs):
        total = 0.0
        for chosen in draw(table, pages, settings.size, chance):
            batch = gather(table, chosen, scale, weights, room, chance)
            loss, found = gradients(net, batch, settings, chance)
            adam.step(found, rate_at(adam.steps, batches * settings.epochs, settings), settings)
            total += loss
        say(f"round {epoch + 1} of {settings.epochs}: loss {total / batches:.4f}")
    return net, scale


def folded(weights: Fitted, scale: tuple[Floats, Floats]) -> tuple[Weights, Words]:
    """Return a net's arrays for features as they are measured, the scale being part of its first layer."""
    features = weights.features / scale[1][:, None]
    bias = weights.bias - scale[0] @ features
    kept = {each.name: getattr(weights, each.name) for each in fields(Weights)}
    kept |= {"features": features, "bias": bias.astype(np.float32)}
    return Weights(**kept), Words.quantize(weights.words)
