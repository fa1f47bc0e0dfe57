import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.models import arrays, model_files
from broadsheet.models.card import Card
from broadsheet.models.model_errors import ModelError
from tests.models.samples import CARD, one_split, sample

ROWS = np.array([[5, 1.0], [20, 3.0], [np.nan, np.nan]], np.float32)
CONTENT = model_files.to_bytes(sample())


def with_array(name: str, array: np.ndarray) -> bytes:
    """The sample's file with one array changed."""
    with np.load(io.BytesIO(CONTENT)) as archive:
        changed = {**archive, name: array}
    file = io.BytesIO()
    np.savez(file, **changed)
    return file.getvalue()


def test_a_model_comes_back_as_it_was_saved(tmp_path: Path) -> None:
    model = sample("mean", "softmax")

    model_files.save(model, tmp_path / "model.npz")
    loaded = model_files.load(tmp_path / "model.npz")

    assert (loaded.card, loaded.combine, loaded.link) == (model.card, "mean", "softmax")
    assert loaded.probabilities(ROWS).tolist() == model.probabilities(ROWS).tolist()


def test_the_same_model_gives_the_same_bytes() -> None:
    assert model_files.to_bytes(model_files.from_bytes(CONTENT)) == CONTENT


def test_a_missing_file_is_named_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"none\.npz: cannot read the model \(No such file or directory\)"):
        model_files.load(tmp_path / "none.npz")


def test_a_damaged_file_is_named_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "bad.npz").write_bytes(CONTENT[:100])

    with pytest.raises(ModelError) as caught:
        model_files.load(tmp_path / "bad.npz")

    assert "bad.npz: the model is damaged, or not a model file" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_would_run_code_is_refused() -> None:
    with pytest.raises(ModelError, match="neither numbers nor text"):
        model_files.from_bytes(with_array("baseline", np.array([{}, {}], dtype=object)))


def test_another_format_is_refused() -> None:
    with pytest.raises(ModelError, match="format is not 1"):
        model_files.from_bytes(with_array("format", np.array(2)))


@pytest.mark.parametrize("name", ["card", "link", "combine"])
def test_invalid_texts_are_refused(name: str) -> None:
    for array in (np.array([255, 254], np.uint8), np.zeros((2, 2), np.uint8), np.zeros(2), np.zeros(0, np.uint8)):
        with pytest.raises(ModelError):
            model_files.from_bytes(with_array(name, array))


def test_a_file_that_unpacks_to_more_than_the_cap_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("value.npy", bytes(100_000))
    monkeypatch.setattr(arrays, "MAX_BYTES", 50_000)

    with pytest.raises(ModelError, match="unpacks to 100,000 bytes"):
        model_files.from_bytes(file.getvalue())


@pytest.mark.parametrize(
    "change",
    [
        {"version": "1"},
        {"features": "age"},
        {"features": []},
        {"features": ["age", "age"]},
        {"classes": [1, 2]},
        {"name": None},
        {"more": 1},
    ],
)
def test_an_invalid_card_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(ModelError):
        Card.from_json(json.dumps({**json.loads(CARD.to_json()), **change}))


@given(st.data())
def test_damaged_bytes_are_refused_or_give_finite_numbers(data: st.DataObject) -> None:
    content = bytearray(CONTENT)
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))

    try:
        model = model_files.from_bytes(bytes(content))
    except ModelError:
        return
    assert np.isfinite(model.probabilities(np.zeros((1, len(model.card.features))))).all()


@given(st.data())
def test_arrays_of_any_numbers_are_refused_or_give_finite_numbers(data: st.DataObject) -> None:
    changes: dict[str, np.ndarray] = {}
    for name in data.draw(st.sets(st.sampled_from(sorted(one_split())), min_size=1, max_size=3)):
        column = one_split()[name].copy()
        flat = column.reshape(-1)
        place = data.draw(st.integers(0, len(flat) - 1))
        whole = (
            st.integers(0, 255)
            if column.dtype == np.uint8
            else st.integers(-3, 8) | st.sampled_from([-(2**31), 2**31 - 1])
        )
        flat[place] = data.draw(whole if column.dtype.kind in "iu" else st.floats(width=32))
        changes[name] = column

    try:
        model = sample(**changes)  # type: ignore[arg-type]
    except ModelError:
        return
    assert np.isfinite(model.scores(ROWS)).all()
    assert np.isfinite(model.contributions(ROWS)).all()
