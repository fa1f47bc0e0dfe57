import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.corpora.field_measures import Fields, FieldScores, is_same_title, names, score_fields
from broadsheet.corpora.labelled_page import Gold


@pytest.mark.parametrize(
    ("found", "wanted"),
    [
        ("Crane falls", "CRANE FALLS!"),
        ("„Crane falls“", "crane  falls"),
        ("Crane falls into the harbour", "Crane falls into the harbour | Courier"),
    ],
)
def test_titles_are_the_same_but_for_case_punctuation_and_a_short_rest(found: str, wanted: str) -> None:
    assert is_same_title(found, wanted)
    assert is_same_title(wanted, found)


@pytest.mark.parametrize(
    ("found", "wanted"),
    [
        (None, "Crane falls"),
        ("", "Crane"),
        ("Crane", "Crane falls into the harbour"),
        ("The crane falls", "Crane falls"),
    ],
)
def test_other_titles_are_not(found: str | None, wanted: str) -> None:
    assert not is_same_title(found, wanted)


def test_names_are_compared_one_by_one_however_they_are_listed() -> None:
    assert names(["By Nora Pell and Ian Moor"]) == names(["nora pell", "Ian  Moor"])
    assert names(["Nora Pell; Ian Moor, Ada Lind"]) == {"norapell", "ianmoor", "adalind"}


def test_only_what_is_labelled_is_scored() -> None:
    found = Fields("Crane falls", "2026-03-02", ("Nora Pell", "Ian Moor"))

    assert score_fields(found, Gold(title="Crane falls")) == FieldScores(1.0, None, None)
    assert score_fields(found, Gold(date="2026-03-03", authors=())) == FieldScores(None, 0.0, None)
    assert score_fields(found, Gold(authors=("Nora Pell",))).authors == pytest.approx(2 / 3)


@given(st.text(), st.text())
def test_sameness_has_no_direction(one: str, other: str) -> None:
    assert is_same_title(one, other) == is_same_title(other, one)
