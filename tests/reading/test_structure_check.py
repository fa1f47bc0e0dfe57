"""The structure of an article, read by a state machine: one title before the text, no heading after a heading."""

import pytest

from broadsheet.base.records import Label
from broadsheet.reading.structure_check import StructureError, describe_errors, structure_errors

LETTERS = {"t": Label.TITLE, "h": Label.HEADING, "b": Label.BODY, "g": Label.GARBAGE, "d": Label.DATE}
NONE, SEVERAL, ADJACENT = StructureError.NO_TITLE, StructureError.SEVERAL_TITLES, StructureError.ADJACENT_HEADINGS


@pytest.mark.parametrize(
    ("labels", "errors"),
    [
        ("tbbb", ()),
        ("tbhbhb", ()),
        ("thb", ()),
        ("ggtgdgbgg", ()),
        # What is garbage to the article stands between two headings.
        ("tbhghb", (ADJACENT,)),
        ("", (NONE,)),
        ("ggg", (NONE,)),
        ("bb", (NONE,)),
        ("hb", (NONE,)),
        ("ttb", (SEVERAL,)),
        ("tbtbt", (SEVERAL, SEVERAL)),
        ("thhhb", (ADJACENT, ADJACENT)),
        ("bbt", (NONE,)),
        ("bhhtt", (NONE, ADJACENT, SEVERAL)),
    ],
)
def test_the_machine_finds_the_three_errors_in_page_order(labels: str, errors: tuple[StructureError, ...]) -> None:
    assert structure_errors(LETTERS[letter] for letter in labels) == errors


def test_errors_are_described_with_how_often_they_occur() -> None:
    assert describe_errors([NONE, ADJACENT, ADJACENT]) == "no title, adjacent headings (2 times)"
    assert describe_errors([]) == ""
