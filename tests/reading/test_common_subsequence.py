from hypothesis import given
from hypothesis import strategies as st

from broadsheet.reading._common_subsequence import common_length

TEXTS = st.text("abcé新", max_size=30)


def dynamic_programming(left: str, right: str) -> int:
    row = [0] * (len(right) + 1)
    for character in left:
        before = row
        row = [0]
        for place, against in enumerate(right):
            row.append(before[place] + 1 if character == against else max(row[-1], before[place + 1]))
    return row[-1]


@given(TEXTS, TEXTS)
def test_the_length_is_that_of_plain_dynamic_programming(left: str, right: str) -> None:
    assert common_length(left, right) == common_length(right, left) == dynamic_programming(left, right)


def test_a_text_has_itself_in_common_with_itself() -> None:
    assert common_length("Reply to Ann, 3 May", "Reply to Ann, 3 May") == 19
