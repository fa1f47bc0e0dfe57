"""How far the addresses of a site are trusted follows from what the links to its pages say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.sources._address_trust import TRUST, shift_and_scale, trusted

#: Logarithms of odds that a model of addresses gives, and probabilities that links give.
TARGETS = st.lists(st.tuples(st.floats(-9.3, 9.3), st.floats(0.0, 1.0)), max_size=40)


def test_without_targets_addresses_are_taken_as_they_are() -> None:
    assert shift_and_scale(np.zeros(0), np.zeros(0)) == (0.0, 1.0)


def test_addresses_that_agree_with_the_links_keep_their_say() -> None:
    odds = np.array([4.0, -4.0] * 200)

    shift, scale = shift_and_scale(odds, 1 / (1 + np.exp(-odds)))

    assert (shift, scale) == pytest.approx((0, 1), abs=1e-6)


def test_addresses_that_are_the_same_for_topics_and_articles_say_less() -> None:
    odds, links = np.full(400, 5.0), np.tile([0.95, 0.05], 200)

    shift, scale = shift_and_scale(odds, links)

    assert abs(shift + scale * 5.0) < 0.2


def test_one_target_alone_does_not_turn_them_round() -> None:
    shift, scale = shift_and_scale(np.array([5.0]), np.array([0.0]))

    assert 1 < shift + scale * 5.0 < 5


def test_addresses_never_speak_against_themselves() -> None:
    odds = np.array([5.0, -5.0] * 500)

    assert shift_and_scale(odds, 1 / (1 + np.exp(odds)))[1] == 0


def test_whether_it_is_a_section_stays_with_the_address() -> None:
    address = np.array([[5.0, 1.0], [-2.0, -3.0]])

    found = trusted(address, np.array([[0.1, 0.8, 0.1], [0.1, 0.8, 0.1]]))

    assert found[:, 1].tolist() == [1.0, -3.0]
    assert found[0, 0] < 5


@given(TARGETS)
def test_no_other_shift_and_scale_nearby_agrees_better(targets: list[tuple[float, float]]) -> None:
    odds, links = np.array([each[0] for each in targets]), np.array([each[1] for each in targets])

    shift, scale = shift_and_scale(odds, links)

    def loss(a: float, b: float) -> float:
        scores = a + b * odds
        return float((np.logaddexp(0, scores) - links * scores).sum() + TRUST / 2 * (a**2 + (b - 1) ** 2))

    if scale > 0:
        for a, b in ((0.01, 0.0), (-0.01, 0.0), (0.0, 0.01), (0.0, -0.01)):
            assert loss(shift, scale) <= loss(shift + a, scale + b) + 1e-9
