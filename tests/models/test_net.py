"""Small neural nets over lines: their output, and which files are refused."""

from collections.abc import Sequence
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from broadsheet.models._forward import Forward, kernels
from broadsheet.models.card import Card
from broadsheet.models.model_errors import ModelError
from broadsheet.models.net import Net, Weights, Words, from_arrays, from_bytes, to_arrays, to_bytes
from broadsheet.training.line_model._batches import LineBatch
from broadsheet.training.line_model._net_passes import ForwardPass
from broadsheet.training.line_model._net_weights import NetSettings, TrainedWeights

FEATURES, WORDS, WIDTH, HIDDEN = 3, 5, 4, 2
CARD = Card(name="sample", version=1, features=("a", "b", "c"), classes=("yes",), training="drawn")


def net(  # noqa: PLR0913, PLR0917 - one for each size
    reaches: tuple[int, ...] = (1, 2),
    seed: int = 0,
    width: int = WIDTH,
    hidden: int = HIDDEN,
    heads: int = 2,
    scale: float = 1,
) -> Net:
    """A net with random weights."""
    rng = np.random.default_rng(seed)
    shapes = {
        "features": (FEATURES, width), "bias": (width,),
        "layers": (len(reaches), 3 * width, width), "layer_bias": (len(reaches), width),
        "attention": (width, 3 * width), "attention_bias": (3 * width,), "distance_bias": (heads, 19),
        "attention_output": (width, width), "attention_output_bias": (width,), "pooling": (width,),
        "summary": (width, width), "summary_bias": (width,),
        "comparison": (3 * width, width), "comparison_bias": (width,),
        "hidden": (width, hidden), "hidden_bias": (hidden,), "output": (hidden,), "output_bias": (1,),
    }  # fmt: skip
    arrays = {name: (scale * rng.standard_normal(shape)).astype(np.float32) for name, shape in shapes.items()}
    words = Words.quantize(rng.standard_normal((WORDS, width)).astype(np.float32))
    return Net(CARD, Weights(**arrays), words, reaches)


def lines(count: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Lines with random features, words and lengths."""
    rng = np.random.default_rng(seed)
    return (
        rng.standard_normal((count, FEATURES)).astype(np.float32),
        rng.integers(0, WORDS, (count, 3)).astype(np.int32),
        rng.integers(0, 4, count).astype(np.int32),
        rng.random(count).astype(np.float32),
    )


Lines = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def expected(model: Net, *pages: Lines) -> list[np.ndarray]:
    """The same probabilities, page by page, by the forward pass of training: all pages in one batch."""
    without_dropout = NetSettings(reaches=model.reaches, feature_dropout=0, word_dropout=0, dropout=0)
    arrays = {field.name: getattr(model.weights, field.name) for field in fields(Weights)}
    embeddings = model.words.scale[:, None] * model.words.steps
    batch, places = in_one_batch(pages, max(model.reaches, default=0))
    made = ForwardPass.of(TrainedWeights(**arrays, words=embeddings), batch, without_dropout, np.random.default_rng(0))
    return [made.probabilities[place] for place in places]


def in_one_batch(pages: Sequence[Lines], gap: int) -> tuple[LineBatch, list[slice]]:
    """Pages end to end with empty lines after each, and where each page is."""
    counts = [len(rows) for rows, *_ in pages]
    starts = np.cumsum([0, *(count + gap for count in counts)])
    places = [slice(start, start + count) for start, count in zip(starts.tolist(), counts, strict=False)]
    end = int(starts[-1])
    rows, inside = np.zeros((end, FEATURES), np.float32), np.zeros((end, 1), np.float32)
    lengths, numbers, held = np.full(end, -1e4, np.float32), np.zeros(end, int), []
    for place, (own_rows, words, own_counts, own_lengths) in zip(places, pages, strict=True):
        rows[place], inside[place], lengths[place], numbers[place] = own_rows, 1, own_lengths, own_counts
        held += [word for own, count in zip(words.tolist(), own_counts.tolist(), strict=True) for word in own[:count]]
    known = csr_matrix((np.ones(len(held), np.float32), held, np.concatenate(([0], np.cumsum(numbers)))), (end, WORDS))
    page = np.repeat(np.arange(len(pages)), np.diff(starts))
    nothing = np.zeros(end, np.float32)
    return LineBatch(rows, known, inside, starts[:-1], page, lengths, nothing, nothing), places


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.integers(1, 90), min_size=1, max_size=3), st.lists(st.integers(1, 15), max_size=3), st.integers(0, 99)
)
def test_the_compiled_pass_gives_the_probabilities_of_the_one_in_training(
    counts: list[int], reaches: list[int], seed: int
) -> None:
    model, pages = (
        net(tuple(reaches), seed, scale=0.5),
        [lines(count, seed + place) for place, count in enumerate(counts)],
    )

    for page, probabilities in zip(pages, expected(model, *pages), strict=True):
        assert model.probabilities(*page) == pytest.approx(probabilities, abs=1e-5)


@settings(deadline=None, max_examples=40)
@given(
    st.integers(1, 200), st.integers(1, 12), st.integers(1, 4), st.integers(1, 40), st.sampled_from(kernels()),
    st.integers(0, 99),
)  # fmt: skip
def test_nets_of_any_width_give_the_same_probabilities_with_every_kernel(  # noqa: PLR0913, PLR0917 - one for each size
    count: int, depth: int, heads: int, hidden: int, kernel: int, seed: int
) -> None:
    model, given_lines = net((1, 3), seed, depth * heads, hidden, heads), lines(count, seed)

    probabilities = Forward(model.weights, model.words, model.reaches).probabilities(*given_lines, kernel=kernel)

    assert probabilities == pytest.approx(expected(model, given_lines)[0], abs=1e-4)


def test_rows_of_another_width_are_refused() -> None:
    rows, words, counts, lengths = lines(4)

    with pytest.raises(ValueError, match="3 features"):
        net().probabilities(rows[:, :2].copy(), words, counts, lengths)


def test_words_are_rounded_to_at_most_half_a_step() -> None:
    rows = np.random.default_rng(3).standard_normal((9, WIDTH)).astype(np.float32)

    words = Words.quantize(rows)

    assert (np.abs(words.steps * words.scale[:, None] - rows) <= 0.51 * words.scale[:, None]).all()


def test_a_net_survives_a_round_trip() -> None:
    model = net()

    again = from_bytes(to_bytes(model))

    assert again.card == CARD
    assert again.reaches == model.reaches
    assert np.array_equal(again.weights.layers, model.weights.layers)
    assert np.array_equal(again.words.steps, model.words.steps)
    assert np.array_equal(again.words.scale, model.words.scale)


def test_a_net_of_an_older_format_is_refused_with_what_to_do() -> None:
    older = {name: array for name, array in to_arrays(net()).items() if name != "attention"}

    with pytest.raises(ModelError, match="format is not 3, the only one that this version reads: train it again"):
        from_arrays({**older, "format": np.array(2, "<i4")})
    with pytest.raises(ModelError, match="no array 'attention'"):
        from_arrays(older)


def test_the_same_net_gives_the_same_bytes() -> None:
    assert to_bytes(net()) == to_bytes(net())
    assert to_bytes(from_bytes(to_bytes(net()))) == to_bytes(net())


@pytest.mark.parametrize("name", [field.name for field in fields(Weights)])
def test_weights_that_are_not_numbers_are_refused(name: str) -> None:
    broken = getattr(net().weights, name).copy()
    broken.flat[0] = np.nan

    with pytest.raises(ModelError):
        replace(net().weights, **{name: broken})


@pytest.mark.parametrize("name", [field.name for field in fields(Weights)])
def test_weights_of_inconsistent_shapes_are_refused(name: str) -> None:
    longer = np.concatenate([getattr(net().weights, name)] * 2, axis=-1)

    with pytest.raises(ModelError):
        Net(CARD, replace(net().weights, **{name: longer}), net().words, (1, 2))


def test_a_net_without_a_distance_for_each_layer_is_refused() -> None:
    with pytest.raises(ModelError, match="distance"):
        Net(CARD, net().weights, net().words, (1,))
    with pytest.raises(ModelError, match="distance"):
        Net(CARD, net().weights, net().words, (1, 0))


@pytest.mark.parametrize("kernel", kernels())
def test_scores_of_attention_that_overflow_are_noticed(kernel: int) -> None:
    weights = net().weights
    model = Forward(replace(weights, attention=weights.attention * np.float32(1e30)), net().words, (1, 2))

    with pytest.raises(OverflowError):
        model.probabilities(*lines(9), kernel=kernel)


def test_a_net_whose_heads_do_not_divide_its_width_is_refused() -> None:
    with pytest.raises(ModelError, match="heads"):
        replace(net().weights, distance_bias=np.zeros((3, 19), np.float32))


@given(st.data())
def test_a_damaged_file_is_refused_or_still_a_net(data: st.DataObject) -> None:
    content = bytearray(to_bytes(net()))
    for _ in range(data.draw(st.integers(1, 5))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))

    try:
        model = from_bytes(bytes(content))
    except ModelError:
        return

    assert np.isfinite(model.probabilities(*lines(3))).all()
