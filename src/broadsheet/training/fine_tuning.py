"""Fine-tune the nets of the default reader on a few annotated pages, with their weights as prior.

The pages of one site or kind say little about all others, so the weights stay close to those that were learned from
thousands of pages: few steps, a small learning rate, and decay towards the old weights instead of zero. How many
rounds help is decided by cross-validation over the annotated pages; if none does, the nets stay as they are. The result
is an ensemble of the old nets and the adapted ones.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from broadsheet.base.errors import InputError
from broadsheet.models.net import Net, Weights, Words
from broadsheet.reading.lines.line_choice import choose
from broadsheet.reading.trained import Models
from broadsheet.training.line_model._batches import draw, gather
from broadsheet.training.line_model._line_table import Floats, LineTable
from broadsheet.training.line_model._net_fitting import (
    Adam,
    NetSettings,
    TrainedWeights,
    fold_scale,
    gradients,
    mean_loss,
)

#: A page more or less in a fold must not change the result much, and every fold is another run.
MAX_FOLDS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class TuningSettings:
    """The hyperparameters of fine-tuning."""

    #: The most rounds over the pages, and how many there are; None to find by cross-validation how many help.
    epochs: int = 10
    rounds: int | None = None
    net: NetSettings = field(default_factory=lambda: NetSettings(size=4, rate=1e-3, decay=1.0, word_decay=1.0))


@dataclass(frozen=True, slots=True, eq=False)
class FineTuned:
    """Old and adapted nets, after how many rounds, and the loss on held-out pages, if any, before and after each."""

    models: Models
    epochs: int
    losses: tuple[float, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Tuning:
    """One net that is tuned: its scaled weights, and the rows of the words that the pages have."""

    start: TrainedWeights
    scale: tuple[Floats, Floats]
    #: The lines with only the words that occur.
    table: LineTable
    used: NDArray[np.int64]


def fine_tune(
    models: Models, table: LineTable, pages: Sequence[int], weights: Floats, settings: TuningSettings | None = None
) -> FineTuned:
    """Adapt nets to some pages of a table, whose lines have weights; at least two pages are needed."""
    if len(pages) < 2:
        raise InputError("fine-tuning needs at least two annotated pages with a body, one of them to check the other")
    settings = settings or TuningSettings()
    with threadpool_limits(1):
        tunings = [_prepare(net, table, pages, settings) for net in models.nets]
        losses = np.zeros(0)
        if settings.rounds is None:
            losses = np.mean([_held_out_losses(tuning, pages, weights, settings) for tuning in tunings], axis=0)
        epochs = int(np.argmin(losses)) if settings.rounds is None else settings.rounds
        if not epochs:
            return FineTuned(models, 0, tuple(losses.tolist()))
        tuned = []
        for number, (net, tuning) in enumerate(zip(models.nets, tunings, strict=True)):
            states = _rounds(tuning, pages, weights, settings, np.random.default_rng(number))
            last = [state for _, state in zip(range(epochs), states, strict=False)][-1]
            tuned.append(_finish(net, tuning, last, len(pages), epochs))
    # The old nets have a say too: a few pages can mislead, and then half of the damage is undone.
    return FineTuned(Models((*models.nets, *tuned), models.vocabulary), epochs, tuple(losses.tolist()))


def line_f(models: Models, table: LineTable, page: int) -> float:
    """Return the F of the body that nets select on a page of a table, by the words of lines."""
    return selected_f(table_probabilities(models, table, page), table, page)


def table_probabilities(models: Models, table: LineTable, page: int) -> Floats:
    """Return the probability of each line of a page of a table to belong to the article."""
    rows = table.lines_of(page)
    words = table.words[rows]
    counts = np.diff(words.indptr).astype(np.int32)
    known = np.zeros((len(counts), max(int(counts.max()), 1)), np.int32)
    known[np.arange(known.shape[1]) < counts[:, None]] = words.indices
    sizes = table.line_words[rows].astype(np.float32)
    features = table.rows[rows].astype(np.float32)
    outputs = [net.probabilities(features, known, counts, np.log1p(sizes)) for net in models.nets]
    mean: Floats = np.mean(outputs, axis=0, dtype=np.float32)
    return mean


def selected_f(probabilities: NDArray[np.floating], table: LineTable, page: int) -> float:
    """Return the F of the body that is selected by the probabilities of a page's lines, by the words of lines."""
    rows = table.lines_of(page)
    chosen = choose(probabilities, table.line_words[rows].astype(np.float32))
    correct, extracted = (int(counts[rows][chosen].sum()) for counts in (table.body_words, table.line_words))
    total = extracted + table.pages[page].gold_words
    return 2 * correct / total if total else 1.0


def _held_out_losses(
    tuning: _Tuning, pages: Sequence[int], weights: Floats, settings: TuningSettings
) -> NDArray[np.float64]:
    """Return the mean loss on pages that were held out, before training and after each round."""
    folds = min(MAX_FOLDS, len(pages))
    losses = np.zeros(settings.epochs + 1)
    gap = max(settings.net.reaches)
    for fold in range(folds):
        held, kept = pages[fold::folds], [page for place, page in enumerate(pages) if place % folds != fold]
        batch = gather(tuning.table, held, tuning.scale, weights, gap, np.random.default_rng(0))
        losses[0] += mean_loss(tuning.start, batch, settings.net) / folds
        rounds = _rounds(tuning, kept, weights, settings, np.random.default_rng(fold))
        for epoch, state in enumerate(rounds, 1):
            losses[epoch] += mean_loss(state, batch, settings.net) / folds
    return losses


def _rounds(
    tuning: _Tuning, pages: Sequence[int], weights: Floats, settings: TuningSettings, rng: Generator
) -> Iterator[TrainedWeights]:
    """Yield the weights after each round over the pages; they are changed in place."""
    state = TrainedWeights(**{name: array.copy() for name, array in _arrays(tuning.start).items()})
    adam, gap = Adam(state, tuning.start), max(settings.net.reaches)
    for _ in range(settings.epochs):
        for chosen in draw(tuning.table, pages, settings.net.size, rng):
            batch = gather(tuning.table, chosen, tuning.scale, weights, gap, rng)
            _, grads = gradients(state, batch, settings.net, rng)
            adam.step(grads, settings.net.rate, settings.net)
        yield state


def _prepare(net: Net, table: LineTable, pages: Sequence[int], settings: TuningSettings) -> _Tuning:
    """Unfold the scale of the features from the first layer, and leave out words that no page has."""
    if net.reaches != settings.net.reaches:
        raise InputError(f"{net.card.label} looks at other lines than this version can train")
    mean, deviation = table.scale(pages)
    used = np.unique(np.concatenate([table.words[table.lines_of(page)].indices for page in pages])).astype(np.int64)
    words = net.words.steps[used].astype(np.float32) * net.words.scale[used][:, None]
    arrays = {each.name: getattr(net.weights, each.name) for each in fields(Weights)}
    arrays["bias"] = (net.weights.bias + mean @ net.weights.features).astype(np.float32)
    arrays["features"] = net.weights.features * deviation[:, None]
    compact = replace(table, words=table.words[:, used])
    return _Tuning(TrainedWeights(**arrays, words=words), (mean, deviation), compact, used)


def _finish(net: Net, tuning: _Tuning, state: TrainedWeights, pages: int, epochs: int) -> Net:
    """Turn weights into a net again; words that no page has keep their bytes."""
    folded, changed = fold_scale(state, tuning.scale)
    steps, scale = net.words.steps.copy(), net.words.scale.copy()
    steps[tuning.used], scale[tuning.used] = changed.steps, changed.scale
    training = f"{net.card.training}; fine-tuned on {pages} annotated pages, {epochs} rounds"
    card = replace(net.card, name=f"{net.card.name}-tuned", training=training)
    return Net(card, folded, Words(steps, scale), net.reaches)


def _arrays(weights: TrainedWeights) -> dict[str, Floats]:
    return {each.name: getattr(weights, each.name) for each in fields(TrainedWeights)}
