"""Small neural nets over lines: their output, and which files are refused."""

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from broadsheet.models._forward import Forward, kernels
from broadsheet.models.card import Card
from broadsheet.models.model_errors import ModelError
from broadsheet.models.net import Net, Weights, Words, from_arrays, from_bytes, to_arrays, to_bytes

FEATURES, WORDS, WIDTH, HIDDEN = 3, 5, 4, 2
CARD = Card(name="sample", version=1, features=("a", "b", "c"), classes=("yes",), training="drawn")


def net(
    reaches: tuple[int, ...] = (1, 2), seed: int = 0, width: int = WIDTH, hidden: int = HIDDEN, heads: int = 2
) -> Net:
    """A net with random weights."""
    rng = np.random.default_rng(seed)
    shapes = {
        "features": (FEATURES, width), "bias": (width,),
        "layers": (len(reaches), 3 * width, width), "layer_bias": (len(reaches), width),
        "attention": (width, 3 * width), "attention_bias": (3 * width,), "nearness": (heads, 19),
        "heard": (width, width), "heard_bias": (width,), "focus": (width,), "gist": (width, width),
        "gist_bias": (width,), "mixing": (3 * width, width), "mixing_bias": (width,),
        "hidden": (width, hidden), "hidden_bias": (hidden,), "answer": (hidden,), "answer_bias": (1,),
    }  # fmt: skip
    arrays = {name: rng.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}
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


def expected(model: Net, rows: np.ndarray, words: np.ndarray, counts: np.ndarray, lengths: np.ndarray) -> list[float]:
    """The same probabilities, computed line by line."""
    weights = model.weights
    state = []
    for row, own, count in zip(rows, words, counts, strict=True):
        total = row @ weights.features + weights.bias
        for word in own[:count]:
            total = total + model.words.scale[word] * model.words.steps[word]
        state.append(np.maximum(total, 0))
    nothing = np.zeros(len(weights.bias), np.float32)
    for reach, layer, bias in zip(model.reaches, weights.layers, weights.layer_bias, strict=True):
        following = []
        for place, own in enumerate(state):
            before = state[place - reach] if place >= reach else nothing
            after = state[place + reach] if place + reach < len(state) else nothing
            following.append(own + np.maximum(np.concatenate((before, own, after)) @ layer + bias, 0))
        state = following
    state = [own + each for own, each in zip(state, heard(weights, np.array(state), lengths), strict=True)]
    focus = np.array([own @ weights.focus for own in state]) + lengths
    shares = np.exp(focus - focus.max()) / np.exp(focus - focus.max()).sum()
    mean = sum(share * own for share, own in zip(shares, state, strict=True))
    gist = np.maximum(mean @ weights.gist + weights.gist_bias, 0)
    answers = []
    for own in state:
        mixed = own + np.maximum(np.concatenate((own, gist, own * gist)) @ weights.mixing + weights.mixing_bias, 0)
        hidden = np.maximum(mixed @ weights.hidden + weights.hidden_bias, 0)
        answers.append(1 / (1 + np.exp(-float(np.clip(hidden @ weights.answer + weights.answer_bias[0], -30, 30)))))
    return answers


def heard(weights: Weights, state: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """What attention to the lines at most 63 away adds to each line."""
    heads, (count, width) = len(weights.nearness), state.shape
    asked = (state @ weights.attention + weights.attention_bias).reshape(count, 3, heads, -1)
    told = np.zeros((count, heads, width // heads))
    for line in range(count):
        seen = np.arange(max(0, line - 63), min(count, line + 64))
        away = seen - line
        steps = np.sign(away) * np.rint(1.6 * np.log2(np.abs(away) + 1))
        # No distance is at step 1: that of one line is at 2.
        near = weights.nearness[:, (9 + steps - np.sign(steps)).astype(int)]
        for head in range(heads):
            query, keys, values = asked[line, 0, head], asked[seen, 1, head], asked[seen, 2, head]
            scores = keys @ query / np.sqrt(width // heads) + near[head] + lengths[seen]
            shares = np.exp(scores - scores.max())
            told[line, head] = shares @ values / shares.sum()
    added: np.ndarray = np.maximum(told.reshape(count, width) @ weights.heard + weights.heard_bias, 0)
    return added


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 12), st.lists(st.integers(1, 15), max_size=3), st.integers(0, 99))
def test_all_lines_at_once_get_the_same_probabilities_as_one_by_one(count: int, reaches: list[int], seed: int) -> None:
    model, given_lines = net(tuple(reaches), seed), lines(count, seed)

    assert model.probabilities(*given_lines) == pytest.approx(expected(model, *given_lines), abs=1e-4)


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

    assert probabilities == pytest.approx(expected(model, *given_lines), abs=1e-4)


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

    with pytest.raises(ModelError, match="format is not 2, the only one that this version reads: train it again"):
        from_arrays({**older, "format": np.array(1, "<i4")})
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
        replace(net().weights, nearness=np.zeros((3, 19), np.float32))


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
