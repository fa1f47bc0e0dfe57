from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.document import parse
from broadsheet.models.model_errors import ModelError
from broadsheet.models.model_files import save
from broadsheet.pages.page_model import page_model
from broadsheet.pages.term_model import MAX_NAMED, MIN_NAMED, TermModel, importance, load_terms
from broadsheet.reading.lines.page_terms import order, terms_of
from tests.document.html import MARKUP

PAGE = """
<body class="single-post">
  <div class="entryContent" id="main">Text <a href="/a">Read More été</a></div>
  <div role="navigation" itemprop="author"><a href="/b">read</a></div>
</body>
"""


def model_of(*terms: str) -> TermModel:
    weights = np.arange(3 * len(terms), dtype=np.float32).reshape(len(terms), 3)
    return TermModel(order(terms), weights)


def test_terms_are_the_words_of_names_and_links() -> None:
    assert terms_of(parse(PAGE)) == {
        *("single", "post", "entry", "content", "main", "navigati", "author"),
        *("body:single", "body:post"),
        *("link:read", "link:more", "link:été"),
    }


def test_the_text_outside_links_has_no_terms() -> None:
    assert "link:text" not in terms_of(parse(PAGE))


@given(MARKUP, st.data())
def test_known_terms_are_found_on_any_page(markup: str, data: st.DataObject) -> None:
    document = parse(markup)
    terms = terms_of(document)
    known = data.draw(st.sets(st.sampled_from(sorted(terms | {"unseen", "body:unseen", "link:unseen"}))))
    model = model_of(*known)

    assert {model.terms[number] for number in model.find(document)} == terms & known


def test_a_term_counts_less_the_more_there_are() -> None:
    model = TermModel(("one", "two"), np.ones((2, 3), np.float32))

    assert model.scores([0])[0] < model.scores([0, 1])[0] < 2 * model.scores([0])[0]
    assert model.scores([]).tolist() == [0, 0, 0]


def test_the_fewer_terms_are_known_the_less_sure_the_model_is() -> None:
    model = page_model()
    rows, terms = np.zeros((3, len(model.card.features)), np.float32), np.array([[3.0, -3.0, 0.0]] * 3)

    none, few, many = model.scores(rows, terms, [0, 8, 10**6])

    np.testing.assert_allclose(none, many / 2, rtol=0.01)
    np.testing.assert_allclose(few, many * 3 / 4, rtol=0.01)


def test_the_terms_that_speak_most_for_a_kind_are_named_without_prefix() -> None:
    weights = np.array([[0, 0, 0], [0.1, 0, 0], [1, 0, 0], [0, 1, 0]], np.float32)
    model = TermModel(("a", "b", "body:c", "link:d"), weights)

    assert model.typical([0, 1, 2, 3], kind=0, rival=1) == ["c", "b"]
    assert model.typical([0, 1, 2, 3], kind=1, rival=0) == ["d"]


def test_a_model_file_holds_the_terms(tmp_path: Path) -> None:
    model = model_of("byline", "body:single", "link:more")
    save(page_model().trees, tmp_path / "with.npz", model.arrays())
    save(page_model().trees, tmp_path / "without.npz")

    loaded = load_terms(tmp_path / "with.npz")

    assert loaded.terms == model.terms
    assert (loaded.weights == model.weights).all()
    with pytest.raises(ModelError, match="has no array"):
        load_terms(tmp_path / "without.npz")


@pytest.mark.parametrize(
    ("terms", "shape", "message"),
    [
        (("a", "b"), (1, 3), "3 for each term"),
        (("a",), (1, 2), "3 for each term"),
    ],
)
def test_terms_and_weights_that_do_not_fit_are_refused(
    terms: tuple[str, ...], shape: tuple[int, int], message: str
) -> None:
    with pytest.raises(ModelError, match=message):
        TermModel(terms, np.zeros(shape, np.float32))


@pytest.mark.parametrize("terms", [("link:a", "b"), ("link:two words",), ("link:",), ("a", "a")])
def test_terms_that_are_not_distinct_and_sorted_are_refused(terms: tuple[str, ...]) -> None:
    model = TermModel(terms, np.zeros((len(terms), 3), np.float32))

    with pytest.raises(ModelError, match="distinct and sorted"):
        model.find(parse(PAGE))


def test_weights_that_are_not_finite_are_refused() -> None:
    with pytest.raises(ModelError, match="finite"):
        TermModel(("a",), np.full((1, 3), np.nan, np.float32))


@given(st.lists(st.integers(0, 39), unique=True), st.integers(0, 1_000))
def test_scores_and_typical_terms_are_those_of_all_weights(found: list[int], seed: int) -> None:
    # Few different weights, so that there are ties.
    weights = (np.random.default_rng(seed).integers(-3, 4, (40, 3)) / 4).astype(np.float32)
    model = TermModel(tuple(f"t{number:02}" for number in range(40)), weights)
    margins = [float(importance(len(found)) * (weights[term, 0] - weights[term, 1])) for term in found]
    ranked = sorted(zip(margins, found, strict=True), key=lambda pair: -pair[0])[:MAX_NAMED]

    assert model.typical(found, 0, 1) == [f"t{term:02}" for margin, term in ranked if margin >= MIN_NAMED]
    assert np.allclose(model.scores(found), importance(len(found)) * weights[found].sum(axis=0))


def test_a_term_that_is_not_in_the_model_is_refused() -> None:
    with pytest.raises(IndexError, match="no term 1"):
        TermModel(("byline",), np.zeros((1, 3), np.float32)).scores([1])
