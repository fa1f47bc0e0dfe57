import json
from pathlib import Path

import pytest

from broadsheet.base.errors import InputError
from broadsheet.corpora.author_labels import AuthorLabel, author_labels
from broadsheet.reading.facts import FILE, Candidate, FactWeights, shipped_weights
from broadsheet.reading.facts._candidates import Mention
from broadsheet.training import fact_training
from broadsheet.training._fact_examples import FactExample
from broadsheet.training._fact_fitting import chosen_names, fit_weights, page_f
from broadsheet.training.title_weights import title_weights

JUNK = AuthorLabel("en", (), ())


def name(value: str, *signals: str) -> Candidate[str]:
    key = value.casefold().replace(" ", "")
    return Candidate((Mention(key, value, "marked below", signals, (0, 1)),), frozenset(signals), 0.0)


def examples() -> list[FactExample]:
    """Sites whose bylines name the author, and whose menus are marked like authors."""
    pages = []
    for number in range(12):
        author = f"Nora Pell{chr(97 + number)}"
        names = [name("Contact Us", "marked", "marked above"), name(author, "marked", "marked below")]
        titles = [(frozenset(("h2",)), False), (frozenset(("h1",)), True)]
        headlines = [(signals | {"line like a headline +1"} if right else signals, right) for signals, right in titles]
        days = [(frozenset(("near",)), True), (frozenset(("closing",)), False)]
        label = AuthorLabel("en", (author,), ())
        pages.append(
            FactExample(f"c/{number}", f"site-{number}.example", "train", titles, headlines, days, names, label)
        )
        pages.append(
            FactExample(f"c/none-{number}", f"other-{number}.example", "train", None, None, None, names[:1], JUNK)
        )
    return pages


def test_signals_of_right_candidates_get_the_higher_weights() -> None:
    weights = fit_weights(examples())

    assert weights.title["h1"] > weights.title["h2"]
    assert weights.headline["line like a headline +1"] > 0
    assert weights.published["near"] > weights.published["closing"]
    assert weights.author["marked below"] > weights.author["marked above"]


def test_a_line_that_looks_more_like_a_headline_never_counts_less() -> None:
    pages = [
        example._replace(headlines=[(signals, not is_right) for signals, is_right in example.headlines])
        for example in examples()
        if example.headlines
    ]

    weights = fit_weights(pages)

    assert weights.headline["line like a headline +1"] == 0


def test_none_is_better_than_a_word_of_the_menu() -> None:
    weights = fit_weights(examples())
    page = examples()[0]

    assert chosen_names(page.names, weights) == ("Nora Pella",)
    assert chosen_names(page.names[:1], weights) == ()


def test_letters_are_fitted_on_names_and_texts_of_links() -> None:
    pages = [
        example._replace(people=("Nora Pell", "Anna Moor"), other_texts=("Contact us", "Privacy"))
        for example in examples()
    ]

    letters = fit_weights(pages).letters

    assert letters["^nora$"] > 0 > letters["^us$"]


def test_the_same_examples_give_the_same_weights() -> None:
    assert fit_weights(examples()).to_json() == fit_weights(examples()).to_json()


@pytest.mark.parametrize(
    ("given", "authors", "accepted", "f"),
    [
        (("Nora Pell",), ("Nora Pell",), (), 1.0),
        (("Nora Pell", "Home"), ("Nora Pell",), (), 2 / 3),
        ((), (), (), 1.0),
        (("Home",), (), (), 0.0),
        (("Reuters",), (), ("Reuters",), 1.0),
        ((), ("Nora Pell",), (), 0.0),
    ],
)
def test_a_name_where_there_is_none_is_an_error(
    given: tuple[str, ...], authors: tuple[str, ...], accepted: tuple[str, ...], f: float
) -> None:
    assert page_f(given, AuthorLabel("en", authors, accepted)) == pytest.approx(f)


def test_each_page_is_judged_by_weights_of_other_sites() -> None:
    judged = fact_training.cross_validate(examples())

    assert len({id(weights) for _, weights in judged}) > 1
    assert fact_training.describe(judged).startswith("title 1.000 (12 pages), day 1.000 (12 pages), authors 1.000")


def test_data_without_labels_are_refused(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()

    with pytest.raises(InputError, match="no page of a train site has labels of facts"):
        fact_training.train(tmp_path, tmp_path / "out", print)


def test_the_shipped_weights_are_finite_and_survive_a_round_trip() -> None:
    weights = shipped_weights()

    assert FactWeights.from_json(weights.to_json(), FILE) == weights


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"title": {"h1": "x"}}', '{"title": {"h1": NaN}}'])
def test_a_damaged_file_of_weights_is_named(text: str) -> None:
    with pytest.raises(InputError, match=r"weights\.json: not the weights of facts"):
        FactWeights.from_json(text, "weights.json")


def test_labels_by_hand_have_many_languages_and_pages_without_an_author() -> None:
    labels = author_labels()

    assert len(labels) >= 300
    assert len({label.language for label in labels.values()}) >= 10
    assert json.dumps(sorted(labels)).count("/") == len(labels)
    assert sum(not label.authors for label in labels.values()) > 50


def test_names_are_counted_by_language(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = examples()[:2]
    weights = fit_weights(examples())
    monkeypatch.setattr(fact_training, "author_labels", lambda: {page.id: page.authors for page in pages})

    assert fact_training.by_language([(page, weights) for page in pages]) == "en 1/1 and 1/1"


def test_without_labelled_titles_the_shipped_weights_are_used(tmp_path: Path) -> None:
    assert title_weights(tmp_path) == shipped_weights().title
