"""Tests of how it is stored which bytes of a file were kept."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.archive import kept_ranges
from broadsheet.archive.pruning import KeptPart, divided, laid_out


@given(st.lists(st.integers(1, 1 << 40), max_size=40))
def test_ranges_are_returned_as_they_were_packed(steps: list[int]) -> None:
    ends = [sum(steps[: number + 1]) for number in range(len(steps) // 2 * 2)]
    ranges = list(zip(ends[::2], ends[1::2], strict=True))

    if ranges:
        assert kept_ranges.unpacked(kept_ranges.packed(ranges)) == ranges


def test_a_range_takes_a_few_bytes_and_neighbours_are_one() -> None:
    ranges = [(number * 20_000, number * 20_000 + 9_000) for number in range(1_000)]

    assert len(kept_ranges.packed(ranges)) < 6 * len(ranges)
    assert kept_ranges.packed([(0, 5), (5, 9)]) == kept_ranges.packed([(0, 9)])


@pytest.mark.parametrize("data", [b"", b"\x05", b"\x05\x85"])
def test_damaged_ranges_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="damaged"):
        kept_ranges.unpacked(data)


@given(st.lists(st.lists(st.booleans(), min_size=12, max_size=12), min_size=1, max_size=4))
def test_whatever_is_left_out_in_turn_every_byte_is_found_where_it_lies(rounds: list[list[bool]]) -> None:
    content, base, kept = list(range(12)), 0, kept_ranges.packed([(0, 12)])
    for stays in rounds:
        parts = [KeptPart(place, place + 1) for place, stay in enumerate(stays[: len(content)]) if stay]
        left = list(divided(kept_ranges.lying_parts(kept, base, len(content)), laid_out({"file": parts})["file"]))
        content = [content[part.start] for part in parts]
        if not left:
            assert not content
            return
        base, kept = left[0].shift, kept_ranges.packed((part.start, part.stop) for part in left)

        found = {
            place: content[place + part.shift]
            for part in kept_ranges.lying_parts(kept, base, len(content))
            for place in range(part.start, part.stop)
        }
        assert found == {place: place for place in content}
