"""What a `with` block closes is closed once, whatever happened in the block."""

import pytest

from broadsheet.base.closable import Closable


class Door(Closable):
    def __init__(self) -> None:
        self.closings = 0

    def close(self) -> None:
        self.closings += 1


def test_a_block_gives_what_it_opened_and_closes_it() -> None:
    door = Door()

    with door as given:
        is_open = not door.closings

    assert given is door
    assert is_open
    assert door.closings == 1


def test_an_error_in_the_block_closes_as_well_and_goes_on() -> None:
    door = Door()

    with pytest.raises(LookupError, match="inside"), door:
        raise LookupError("inside")

    assert door.closings == 1
