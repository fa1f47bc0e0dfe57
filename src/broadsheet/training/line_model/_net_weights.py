"""The weights that training starts from, and the settings that say how many they are and how they are trained."""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from broadsheet.models.distances import distance_steps
from broadsheet.models.net import Weights
from broadsheet.training.line_model._line_table import Floats


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
        distance_bias=np.zeros((settings.heads, int(distance_steps()[-1]) + 1), np.float32),
        attention_output=uniform(width, width, inputs=width),
        attention_output_bias=uniform(width, inputs=width),
        pooling=uniform(width, inputs=width),
        summary=uniform(width, width, inputs=width),
        summary_bias=uniform(width, inputs=width),
        comparison=uniform(3 * width, width, inputs=3 * width),
        comparison_bias=uniform(width, inputs=3 * width),
        hidden=uniform(width, hidden, inputs=width),
        hidden_bias=uniform(hidden, inputs=width),
        output=uniform(hidden, inputs=hidden),
        output_bias=uniform(1, inputs=hidden),
    )
