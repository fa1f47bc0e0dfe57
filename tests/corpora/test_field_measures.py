import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.corpora.field_measures import Fields, FieldScores, is_same_title, names, score_fields
from broadsheet.corpora.labelled_page import Gold


@pytest.mark.parametrize(
    ("title", "wanted"),
    [
        ("Crane falls", "CRANE FALLS!"),
        ("„Crane falls“", "crane  falls"),
        ("Crane falls into the harbour", "Crane falls into the harbour | Courier"),
    ],
)
def test_titles_match_up_to_case_punctuation_and_a_short_suffix(title: str, wanted: str) -> None:
    assert is_same_title(title, wanted)
    assert is_same_title(wanted, title)


@pytest.mark.parametrize(
    ("title", "wanted"),
    [
        (None, "Crane falls"),
        ("", "Crane"),
        ("Crane", "Crane falls into the harbour"),
        ("The crane falls", "Crane falls"),
    ],
)
def test_other_titles_do_not_match(title: str | None, wanted: str) -> None:
    assert not is_same_title(title, wanted)


def test_names_are_compared_one_by_one_in_any_kind_of_list() -> None:
    assert names(["By Nora Pell and Ian Moor"]) == names(["nora pell", "Ian  Moor"])
    assert names(["Nora Pell; Ian Moor, Ada Lind"]) == {"norapell", "ianmoor", "adalind"}


def test_an_introduction_is_only_removed_where_a_list_begins() -> None:
    assert names(["Shelby Lind", "Christoph von Ritter"]) == {"shelbylind", "christophvonritter"}
    assert names(["von Nora Pell"]) == {"norapell"}


def test_degrees_and_forms_of_address_are_no_part_of_a_name() -> None:
    assert names(["Dr. Nora Pell, MD, Ph.D., and Prof. Ian Moor, DVM"]) == {"norapell", "ianmoor"}


def test_only_what_is_labelled_is_scored() -> None:
    fields = Fields("Crane falls", "2026-03-02", ("Nora Pell", "Ian Moor"))

    assert score_fields(fields, Gold(title="Crane falls")) == FieldScores(1.0, None, None)
    assert score_fields(fields, Gold(date="2026-03-03", authors=())) == FieldScores(None, 0.0, None)
    assert score_fields(fields, Gold(authors=("Nora Pell",))).authors == pytest.approx(2 / 3)


@given(st.text(), st.text())
def test_the_comparison_of_titles_is_symmetric(one: str, other: str) -> None:
    assert is_same_title(one, other) == is_same_title(other, one)
