import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.reading.facts._name_words import LEADS, OTHERS
from broadsheet.reading.facts._person_names import MAX_BYLINE, MAX_NAMES, fold, has_lead, is_organisation, names_in


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Nora Pell", ["Nora Pell"]),
        ("By Nora Pell and Ian Moor", ["Nora Pell", "Ian Moor"]),
        ("Von Nora Pell, Berlin-Korrespondentin", ["Nora Pell", "Berlin-Korrespondentin"]),
        ("Nora Pell, Senior Editor", ["Nora Pell"]),
        ("Nora Pell, MD, PhD", ["Nora Pell"]),
        ("Nora Pell; Ian Moor & Ada Lind", ["Nora Pell", "Ian Moor", "Ada Lind"]),
        ("By Nora Pell | March 2, 2026", ["Nora Pell"]),
        ("By Nora Pell March 2, 2026", ["Nora Pell"]),
        ("Nora Pell is a writer in Brimmouth", ["Nora Pell"]),
        ("Nora Pell (nora@courier.example)", ["Nora Pell"]),
        ("Par Anne de la Tour et Luc van Dyck", ["Anne de la Tour", "Luc van Dyck"]),
        ("By Nora Pell | Reviewed by | Ian Moor", ["Nora Pell"]),
        ("Text: Nora Pell, Foto: Ian Moor", ["Nora Pell"]),
        ("작성 기자", ["작성"]),
        ("구현모 기자", ["구현모"]),
        ("Staff Writer", ["Staff Writer"]),
        ("By", []),
        ("What happened? Read on!", []),
        ("12 March 2026", []),
        ("", []),
    ],
)
def test_a_byline_is_split_into_names(text: str, names: list[str]) -> None:
    assert list(names_in(text)) == names


@pytest.mark.parametrize("text", ["By Nora Pell", "von | Nora Pell", "Autor: Nora Pell", "文／田中"])
def test_bylines_are_recognized_by_their_first_words(text: str) -> None:
    assert has_lead(text)


def test_a_sentence_is_not_a_byline() -> None:
    assert not has_lead("The bridge was opened")
    assert not has_lead("Byron was there")


@pytest.mark.parametrize(
    "name", ["Reuters", "Associated Press", "Newsdesk", "The Courier", "Courier Staff", "x.com", "Acme Ltd"]
)
def test_agencies_desks_sites_and_companies_are_not_people(name: str) -> None:
    assert is_organisation(name, frozenset((fold("The Courier"),)))


@pytest.mark.parametrize("name", ["Nora Pell", "n.pell", "Cory Baxter"])
def test_people_are_not_organisations(name: str) -> None:
    assert not is_organisation(name, frozenset((fold("The Courier"),)))


@pytest.mark.parametrize("lead", LEADS)
def test_every_lead_begins_a_byline_in_any_case(lead: str) -> None:
    assert has_lead(f"{lead}: Nora Pell")
    assert has_lead(f"{lead.upper()} | Åsa Pell")


@pytest.mark.parametrize("other", OTHERS)
def test_other_contributors_are_left_out(other: str) -> None:
    assert names_in(f"Nora Pell, {other}: Ian Moor") == ("Nora Pell",)


@given(st.text(max_size=MAX_BYLINE + 50))
def test_any_text_can_be_read(text: str) -> None:
    names = names_in(text)

    assert len(names) <= MAX_NAMES
    assert all(name.strip() == name and name for name in names)


@given(st.lists(st.sampled_from(["Nora Pell", "Ian Moor", "Ada Lind", "Luc van Dyck"]), unique=True, min_size=1))
def test_listed_names_are_found_in_order(names: list[str]) -> None:
    assert list(names_in("By " + ", ".join(names))) == names
