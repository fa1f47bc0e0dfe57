"""Lines that look like headlines, bylines and dates, and what that makes of the candidates for facts."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from broadsheet.document import Document, parse
from broadsheet.models.arrays import pack, unpack
from broadsheet.models.model_errors import ModelError
from broadsheet.reading.facts import scene_of
from broadsheet.reading.facts._line_signals import line_signals
from broadsheet.reading.headline import assume_headline, find_headline
from broadsheet.reading.lines import line_kinds
from broadsheet.reading.lines.line_features import COLUMNS
from broadsheet.reading.lines.line_kinds import BYLINE, DATE, HEADLINE, KINDS, MAX_DEVIATIONS, LineKinds
from broadsheet.reading.lines.vocabulary import Vocabulary
from broadsheet.reading.measured_lines import assume_words, kept_lines, line_scores, measured_lines, shipped_kinds
from broadsheet.reading.titles import Title, find_title, title_by

VOCABULARY = Vocabulary.build(("byline", "menu"), ("by", "posted", "crane"))
PAGE = """<ul class=menu><li><a href=/a>Departments of the city</a></ul><h1>Crane falls into the harbour</h1>
<p class=byline>Nora Pell</p><p>The crane fell into the harbour on Monday, and nobody was hurt, the city said.</p>"""


def kinds(*, words: dict[int, tuple[float, ...]] | None = None, features: dict[str, float] | None = None) -> LineKinds:
    """Weights that are zero but for some words, by their id, and some features of bylines."""
    of_words = np.zeros((VOCABULARY.size, len(KINDS)), np.float32)
    for number, weights in (words or {}).items():
        of_words[number] = weights
    of_features = np.zeros((len(COLUMNS), len(KINDS)), np.float32)
    for name, weight in (features or {}).items():
        of_features[COLUMNS.index(name), BYLINE] = weight
    ones = np.ones(len(COLUMNS), np.float32)
    return LineKinds(np.zeros_like(ones), ones, of_features, of_words, np.array([0, -1, 0], np.float32))


def test_a_score_is_the_sum_of_the_weights_of_words_and_features() -> None:
    document = parse(PAGE)
    lines, measured = measured_lines(document, VOCABULARY)
    named = kinds(words={0: (0, 2, 0)}, features={"words": 0.5})
    pieces = lines.first.tolist()

    scores = named.scores(BYLINE, pieces, lines, measured)

    words = np.clip(measured.rows[:, COLUMNS.index("words")], -MAX_DEVIATIONS, MAX_DEVIATIONS)
    is_named = [
        sum(2 for word in row[:count] if word == 0) for row, count in zip(measured.words, measured.counts, strict=True)
    ]
    assert scores == pytest.approx((0.5 * words + is_named - 1).tolist())
    assert scores[2] == max(scores)


def test_a_feature_far_from_its_mean_counts_no_more_than_one_at_the_limit() -> None:
    lines, measured = measured_lines(parse(PAGE), VOCABULARY)
    far = replace(kinds(features={"words": 1.0}), deviation=np.full(len(COLUMNS), 1e-6, np.float32))

    scores = far.scores(BYLINE, lines.first.tolist(), lines, measured)

    assert max(map(abs, scores)) <= MAX_DEVIATIONS + 1


def test_a_piece_before_the_first_line_counts_as_in_it() -> None:
    lines, measured = measured_lines(parse(f"<title>Crane</title>{PAGE}"), VOCABULARY)

    first, before = kinds(features={"words": 1.0}).scores(BYLINE, [int(lines.first[0]), 0], lines, measured)

    assert lines.first[0] > 0
    assert before == first


def test_lines_with_words_of_another_vocabulary_are_refused() -> None:
    lines, measured = measured_lines(parse(PAGE), VOCABULARY)
    fewer = replace(kinds(), words=np.zeros((1, len(KINDS)), np.float32))

    with pytest.raises(ValueError, match="another vocabulary"):
        fewer.scores(BYLINE, lines.first.tolist(), lines, measured)


def test_lines_are_measured_once_with_the_shipped_vocabulary_or_the_one_that_is_assumed() -> None:
    document, other = parse(PAGE), parse(PAGE)

    assume_words(other, VOCABULARY)

    assert kept_lines(document) is kept_lines(document)
    assert measured_lines(document, VOCABULARY) is not kept_lines(document)
    assert (kept_lines(other).measured.words[kept_lines(other).measured.counts > 0, 0] < VOCABULARY.size).all()


def test_the_shipped_kinds_tell_a_byline_a_date_and_a_headline_from_a_menu() -> None:
    document = parse(PAGE.replace("</h1>", "</h1><p class=date>2 March 2026</p>"))
    menu, headline, date, byline, _ = kept_lines(document).lines.first.tolist()

    best = {
        kind: max((menu, headline, date, byline), key=lambda at: line_scores(document, kind, [at])) for kind in KINDS
    }

    assert best == {HEADLINE: headline, BYLINE: byline, DATE: date}


def test_a_value_has_the_signals_of_its_likeliest_line_and_of_all_lower_bounds() -> None:
    scores = {1: -9.0, 2: 0.5, 3: -6.5, 4: 99.0}

    signals = line_signals(
        lambda _document, _kind, pieces: [scores[piece] for piece in pieces],
        parse(PAGE), BYLINE, [("Nora Pell", 1), ("Nora Pell", 2), ("Ian Moor", 3), ("Ann Lee", 4), ("Menu", 1)],
    )  # fmt: skip

    names = [f"line like a byline {bound:+d}" for bound in range(-6, 3)]
    assert signals == {"Nora Pell": tuple(names[:7]), "Ian Moor": (), "Ann Lee": tuple(names), "Menu": ()}


def test_without_scores_no_signal_is_of_lines() -> None:
    scene = scene_of(parse(PAGE), np.zeros(9, np.int8))

    assert scene.line_signals(DATE, [("2026-03-02", 1)]) == {}


def test_the_headline_is_chosen_by_its_line_too() -> None:
    document = parse("<h2>Crane falls into the harbour</h2><h2>Departments of the city council</h2><p>Text.</p>")
    weights = {"line like a headline +1": 1.0}

    def chosen(liked: int) -> str | None:
        def score(_document: Document, _kind: int, pieces: Sequence[int]) -> list[float]:
            return [2.0 if place == liked else 0.0 for place, _ in enumerate(pieces)]

        title = title_by(document, weights, score)
        return title and title.text

    assert chosen(0) == "Crane falls into the harbour"
    assert chosen(1) == "Departments of the city council"


def test_an_assumed_headline_is_what_is_found() -> None:
    document = parse(PAGE)
    other = Title("Departments of the city", "test", None)

    assume_headline(document, other)

    assert find_headline(document) == other
    assert find_headline(parse(PAGE)) == find_title(parse(PAGE))


def test_weights_survive_a_round_trip(tmp_path: Path) -> None:
    shipped = shipped_kinds()
    (tmp_path / line_kinds.FILE).write_bytes(line_kinds.to_bytes(shipped))

    loaded = line_kinds.load_kinds(tmp_path / line_kinds.FILE)

    for name in ("mean", "deviation", "features", "words", "bias"):
        assert (getattr(loaded, name) == getattr(shipped, name)).all()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"mean": np.zeros(3, np.float32)}, "other features"),
        ({"mean": np.full(len(COLUMNS), np.nan, np.float32)}, "finite"),
        ({"deviation": np.zeros(len(COLUMNS), np.float32)}, "greater than zero"),
        ({"size": np.array(line_kinds.MAX_WORDS + 1, "<i4")}, "the limit is 1,000,000"),
        ({"known": np.array([9_999], "<i4")}, "another vocabulary"),
        ({"known": np.array([0.5])}, "damaged"),
        ({"words": np.zeros((1, 2), "<f2")}, "other features"),
    ],
)
def test_a_file_of_inconsistent_weights_is_refused_and_named(
    tmp_path: Path, changed: dict[str, np.ndarray], message: str
) -> None:
    arrays = unpack(line_kinds.to_bytes(kinds(words={0: (1, 2, 3)})))
    path = tmp_path / "line-kinds.npz"
    path.write_bytes(pack(arrays | changed))

    with pytest.raises(ModelError, match=f"{path}.*{message}"):
        line_kinds.load_kinds(path)


def test_a_missing_file_is_named_once(tmp_path: Path) -> None:
    path = tmp_path / "line-kinds.npz"

    with pytest.raises(ModelError) as error:
        line_kinds.load_kinds(path)

    assert str(error.value).count(str(path)) == 1


@settings(max_examples=30)
@given(st.lists(st.integers(0, 60), max_size=20))
def test_any_pieces_have_finite_scores(pieces: list[int]) -> None:
    document = parse(PAGE)

    for kind in KINDS:
        scores = line_scores(document, kind, pieces)
        assert len(scores) == len(pieces)
        assert np.isfinite(scores).all()
