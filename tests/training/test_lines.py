"""Fitting nets to lines: gradients, words, and the way from labelled pages to a reader."""

from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from broadsheet.base.counters import Counters
from broadsheet.base.errors import InputError
from broadsheet.document import parse
from broadsheet.reading.lines._words import keys_of, keys_of_texts
from broadsheet.reading.lines.lines import find_lines
from broadsheet.reading.trained import read
from broadsheet.training import reader_training
from broadsheet.training.line_model import _word_counts as counted_words
from broadsheet.training.line_model._batches import LineBatch
from broadsheet.training.line_model._examples import UNKNOWN, examples
from broadsheet.training.line_model._net_fitting import Adam, learning_rate
from broadsheet.training.line_model._net_passes import gradients
from broadsheet.training.line_model._net_weights import NetSettings, TrainedWeights, initial_weights
from broadsheet.training.line_model._word_counts import WordCounts
from tests.corpora.tiny import PARAGRAPHS, folder, html, page, row

EXACT = NetSettings(width=6, hidden=5, reaches=(1, 2), heads=2, feature_dropout=0, word_dropout=0, dropout=0)


def batch(rng: np.random.Generator) -> LineBatch:
    """Two pages of eight lines, with two empty ones after each."""
    inside = np.tile(np.repeat(np.array([1, 0], np.float32), [8, 2]), 2)[:, None]
    rows = (rng.standard_normal((20, 7)) * inside).astype(np.float32)
    held = csr_matrix(((rng.random((20, 11)) < 0.3) * inside).astype(np.float32))
    lengths = np.where(inside[:, 0] > 0, rng.random(20) * 3, -1e4).astype(np.float32)
    weights = (rng.random(20) * inside[:, 0]).astype(np.float32)
    is_body = (rng.random(20) > 0.5).astype(np.float32)
    return LineBatch(rows, held, inside, np.array([0, 10]), np.repeat([0, 1], 10), lengths, is_body, weights)


@pytest.mark.parametrize("name", [field.name for field in fields(TrainedWeights)])
def test_gradients_are_what_the_loss_changes_by(name: str) -> None:
    rng = np.random.default_rng(1)
    net, some = initial_weights(7, 11, EXACT, rng), batch(rng)
    _, found = gradients(net, some, EXACT, rng)
    place, step = int(np.abs(found[name]).argmax()), np.float32(2e-3)
    weight = getattr(net, name).reshape(-1)

    weight[place] += step
    higher, _ = gradients(net, some, EXACT, rng)
    weight[place] -= 2 * step
    lower, _ = gradients(net, some, EXACT, rng)

    assert (higher - lower) / (2 * step) == pytest.approx(float(found[name].reshape(-1)[place]), rel=0.03, abs=1e-3)


def test_steps_against_the_gradients_lower_the_loss() -> None:
    rng = np.random.default_rng(2)
    net, some = initial_weights(7, 11, EXACT, rng), batch(rng)
    adam = Adam(net)
    first, _ = gradients(net, some, EXACT, rng)

    for _ in range(60):
        _, found = gradients(net, some, EXACT, rng)
        adam.step(found, 5e-3, EXACT)

    assert gradients(net, some, EXACT, rng)[0] < 0.7 * first


def test_the_rate_rises_and_then_falls_to_nearly_nothing() -> None:
    rates = [learning_rate(step, 100, NetSettings()) for step in range(100)]

    assert max(rates) == pytest.approx(NetSettings().rate, rel=0.01)
    assert rates.index(max(rates)) == 15
    assert rates[0] < 0.1 * max(rates)
    assert rates[-1] < 0.01 * max(rates)


def test_a_word_is_known_once_enough_sites_use_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counted_words, "MIN_NAME_SITES", 2)
    monkeypatch.setattr(counted_words, "MIN_TEXT_SITES", 2)
    counts = WordCounts()
    for site, text in (("a", "Read more"), ("a", "Only here"), ("b", "read more…")):
        document = parse(f"<p class=teaser-{site}{site}>{text}</p>")
        counts.add(document, find_lines(document), site)

    vocabulary = counts.vocabulary()

    assert vocabulary.names == ("teaser",)
    assert vocabulary.texts == ("=read more", "more", "read")


@settings(deadline=None)
@given(st.text(st.characters(codec="utf-8", exclude_characters="<>&\r\0"), min_size=1, max_size=60))
def test_words_are_counted_as_the_compiled_pass_finds_them(text: str) -> None:
    document = parse(f"<p>{text}</p>")
    lines = find_lines(document)
    assume(len(lines) == 1)
    start, end = document.pieces.start[lines.first[0]], document.pieces.end[lines.end[0] - 1]
    found = keys_of(np.frombuffer(document.columns.text[start:end], np.uint8))

    counted = [word for word in counted_words._words_of(document, lines) if word[0] not in ">="]

    assume(counted)
    assert set(keys_of_texts(np.frombuffer("\n".join(counted).encode(), np.uint8))) <= set(found)


def test_lines_of_a_body_are_told_from_the_rest() -> None:
    (example,) = examples([page()], Counters())

    assert example.whole
    assert int(example.is_body.sum()) == len(PARAGRAPHS)
    assert example.fit > 0.9


def test_snippets_say_something_of_their_own_lines_only() -> None:
    snippets: dict[str, Any] = {"with": [PARAGRAPHS[1][:40]], "without": ["All rights reserved by"]}
    some = page(body=None, **snippets)

    (example,) = examples([some], Counters())

    assert not example.whole
    assert sorted(example.is_body[example.is_body != UNKNOWN].tolist()) == [0, 1]


def test_a_page_that_does_not_hold_its_body_is_left_out_and_counted() -> None:
    counters = Counters()

    assert not list(examples([page(body="Something else altogether, word for word. " * 9)], counters))
    assert [number for _, number in counters] == [1]


def test_training_writes_a_reader_the_same_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counted_words, "MIN_NAME_SITES", 2)
    monkeypatch.setattr(counted_words, "MIN_TEXT_SITES", 2)
    monkeypatch.setattr(reader_training, "NetSettings", lambda: NetSettings(width=8, hidden=4, epochs=30, size=4))
    names = [f"page{number}" for number in range(12)]
    rows = [row(name, split="train", domain=f"{name}.example") for name in names]
    folder(tmp_path / "pages", "tiny", rows, {name: html() for name in names})

    for output in ("first", "second"):
        reader_training.train_on_split(tmp_path, tmp_path / output, lambda _: None)

    files = sorted(path.name for path in (tmp_path / "first").iterdir())
    assert "words.npz" in files
    assert all((tmp_path / "first" / name).read_bytes() == (tmp_path / "second" / name).read_bytes() for name in files)
    document = parse(html())
    labels = read(document, models=tmp_path / "first").labels
    text = " ".join(document.piece_text(piece) for piece in np.flatnonzero(labels == labels.max()).tolist())
    assert all(paragraph in text for paragraph in PARAGRAPHS)


def test_nothing_to_learn_from_is_one_clear_line(tmp_path: Path) -> None:
    folder(tmp_path / "pages", "tiny", [row("one", body=None, split="train")], {"one": html()})

    with pytest.raises(InputError, match="to learn from"):
        reader_training.train_on_split(tmp_path, tmp_path / "out", lambda _: None)
