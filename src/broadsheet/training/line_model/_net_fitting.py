"""Train a net on lines with AdamW. All random numbers come from one seeded generator."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields

import numpy as np
from numpy.random import Generator

from broadsheet.models.net import Weights, Words
from broadsheet.training.line_model._batches import draw, gather
from broadsheet.training.line_model._line_table import Floats, LineTable
from broadsheet.training.line_model._net_layers import Gradients
from broadsheet.training.line_model._net_passes import gradients
from broadsheet.training.line_model._net_weights import NetSettings, TrainedWeights, initial_weights


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
