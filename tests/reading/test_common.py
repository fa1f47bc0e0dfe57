from hypothesis import given
from hypothesis import strategies as st

from broadsheet.reading.common import common_length

TEXTS = st.text("abcé新", max_size=30)


def by_table(one: str, other: str) -> int:
    row = [0] * (len(other) + 1)
    for character in one:
        before = row
        row = [0]
        for place, against in enumerate(other):
            row.append(before[place] + 1 if character == against else max(row[-1], before[place + 1]))
    return row[-1]


@given(TEXTS, TEXTS)
def test_the_longest_common_subsequence_is_that_of_the_table(one: str, other: str) -> None:
    assert common_length(one, other) == common_length(other, one) == by_table(one, other)


def test_a_text_is_all_its_own() -> None:
    assert common_length("Reply to Ann, 3 May", "Reply to Ann, 3 May") == 19
