"""Fine-tune the nets of the default reader on a few annotated pages, with their weights as prior.

The pages of one site or kind say little about all others, so the weights stay close to those that were learned from
thousands of pages: few steps, a small learning rate, and decay towards the old weights instead of zero. How many
rounds help, and whether the adapted nets should read alone or beside the old ones, is decided by annotated pages that
are held out. A change has to be clear: its mean gain must exceed its standard error. Otherwise the nets stay as they
are.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import islice
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from broadsheet.base.errors import InputError
from broadsheet.models.net import Net, Weights, Words
from broadsheet.reading.lines.line_choice import choose
from broadsheet.reading.trained import Models
from broadsheet.training._certain_gain import MIN_GAIN, certain_gain
from broadsheet.training.line_model._batches import draw, gather
from broadsheet.training.line_model._line_table import Floats, LineTable
from broadsheet.training.line_model._net_fitting import Adam, fold_scale
from broadsheet.training.line_model._net_passes import gradients
from broadsheet.training.line_model._net_weights import NetSettings, TrainedWeights

Doubles: TypeAlias = NDArray[np.float64]

#: With few pages, each is held out alone; every fold is another run.
MAX_FOLDS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class TuningSettings:
    """The hyperparameters of fine-tuning."""

    #: The most rounds over the pages.
    epochs: int = 10
    net: NetSettings = field(default_factory=lambda: NetSettings(size=4, rate=1e-3, decay=1.0, word_decay=1.0))


class TuningChoice(NamedTuple):
    """How many rounds the nets are adapted, whether they then read alone, and the mean F of held-out pages."""

    epochs: int
    alone: bool
    before: float
    after: float


@dataclass(frozen=True, slots=True, eq=False)
class FineTuned:
    """The nets that read, and how they were chosen."""

    models: Models
    choice: TuningChoice


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
        choice = choose_tuning(*_held_out(models, tunings, table, pages, weights, settings))
        if not choice.epochs:
            return FineTuned(models, choice)
        for nets in islice(_adapted(models, tunings, pages, weights, settings), choice.epochs):
            tuned = nets
    return FineTuned(Models(tuned if choice.alone else (*models.nets, *tuned), models.vocabulary), choice)


def choose_tuning(before: Doubles, after: Doubles) -> TuningChoice:
    """Choose by the F of held-out pages: that of each page before, and after each round by two ways of reading.

    `after` has a row per round, a column for reading beside the old nets and one for reading alone, and a layer per
    page. The best is that with the highest gain less its standard error; if that is hardly anything, nothing changes.
    """
    certain = certain_gain(before, after)
    epoch, way = np.unravel_index(certain.argmax(), certain.shape)
    mean = float(before.mean())
    if certain[epoch, way] < MIN_GAIN:
        return TuningChoice(0, False, mean, mean)
    return TuningChoice(int(epoch) + 1, bool(way), mean, float(after[epoch, way].mean()))


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


def _held_out(  # noqa: PLR0913, PLR0917 - nets, a table, which of its lines, and how
    models: Models,
    tunings: Sequence[_Tuning],
    table: LineTable,
    pages: Sequence[int],
    weights: Floats,
    settings: TuningSettings,
) -> tuple[Doubles, Doubles]:
    """Return the F of each page by the old nets, and, held out, after each round, beside the old nets and alone."""
    folds = min(MAX_FOLDS, len(pages))
    old = [table_probabilities(models, table, page) for page in pages]
    before = np.array([selected_f(found, table, page) for found, page in zip(old, pages, strict=True)])
    after = np.zeros((settings.epochs, 2, len(pages)))
    for fold in range(folds):
        kept = [page for place, page in enumerate(pages) if place % folds != fold]
        for epoch, nets in enumerate(_adapted(models, tunings, kept, weights, settings)):
            adapted = Models(nets, models.vocabulary)
            for place in range(fold, len(pages), folds):
                found = table_probabilities(adapted, table, pages[place])
                readings = ((old[place] + found) / 2, found)
                after[epoch, :, place] = [selected_f(each, table, pages[place]) for each in readings]
    return before, after


def _adapted(
    models: Models, tunings: Sequence[_Tuning], pages: Sequence[int], weights: Floats, settings: TuningSettings
) -> Iterator[tuple[Net, ...]]:
    """Yield the nets after each round over the pages."""
    states = [
        _rounds(tuning, pages, weights, settings, np.random.default_rng(number))
        for number, tuning in enumerate(tunings)
    ]
    for epoch, weighed in enumerate(zip(*states, strict=True), 1):
        yield tuple(
            _finish(net, tuning, state, len(pages), epoch)
            for net, tuning, state in zip(models.nets, tunings, weighed, strict=True)
        )


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
