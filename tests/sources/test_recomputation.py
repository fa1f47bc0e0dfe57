"""Counting visit by visit and recomputing from the rows of the archive give the same numbers."""

from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from broadsheet.base.errors import InputError
from broadsheet.sources.link_history import LinkHistory, LinkVisit
from broadsheet.sources.recomputation import recompute
from broadsheet.sources.target_counts import TargetCounts
from tests.sources.visits import HOUR, Lists, visit, write_parquet

_LISTS = st.dictionaries(st.integers(1, 2), st.lists(st.sampled_from(["home", "s", *"abcdef"]), max_size=6), max_size=2)
_ROUNDS = st.lists(st.fixed_dictionaries({"home": st.none() | _LISTS, "s": st.none() | _LISTS}), min_size=1, max_size=9)


def as_visits(rounds: list[dict[str, Lists]], of_a_snapshot: int = 1) -> list[LinkVisit]:
    """Return the visits of rounds, of which each snapshot has some."""
    return [
        visit(page, number // of_a_snapshot, lists, 10 * (number % of_a_snapshot) + minute)
        for number, pages in enumerate(rounds)
        for minute, (page, lists) in enumerate(pages.items())
    ]


def assert_equal(one: TargetCounts, other: TargetCounts) -> None:
    for field in fields(TargetCounts):
        np.testing.assert_equal(getattr(one, field.name), getattr(other, field.name), field.name)


def without_failed(history: TargetCounts) -> TargetCounts:
    """Leave out pages that were asked for in vain and that nothing links to: the archive has no row of them."""
    return history.chosen((history.visits > 0) | (history.referrers > 0))


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(_ROUNDS, st.integers(1, 4), st.sets(st.sampled_from("abcd")), st.integers(1, 40))
def test_both_give_the_same_numbers_however_many_rows_are_counted_at_a_time(
    tmp_path: Path, rounds: list[dict[str, Lists]], of_a_snapshot: int, articles: set[str], rows_of_a_part: int
) -> None:
    visits = as_visits(rounds, of_a_snapshot)
    counted = LinkHistory().add_all(visits).counts(articles)

    files = write_parquet(visits, tmp_path)
    recomputed = recompute(*files, every=HOUR, articles=articles, rows_of_a_part=rows_of_a_part)

    assert_equal(without_failed(counted).ordered(), recomputed)


def test_rows_in_another_order_give_the_same_numbers(tmp_path: Path) -> None:
    rounds: list[dict[str, Lists]] = [{"home": {1: ["a", "b", "s"]}}, {"home": {1: ["c", "a", "s"]}}] * 2
    visits = as_visits(rounds)

    recomputed = recompute(*write_parquet(visits[::-1], tmp_path), every=HOUR)

    assert_equal(LinkHistory().add_all(visits).counts().ordered(), recomputed)


def test_a_visit_counts_links_of_a_much_earlier_one_that_it_is_the_same_as(tmp_path: Path) -> None:
    rounds: list[dict[str, Lists]] = [{"home": {1: ["a", "b"]}}, {"s": {1: ["b"]}}, {"s": {1: ["c"]}}]
    again = visit("home", 3, {1: ["a", "b"]})
    counted = LinkHistory().add_all([*as_visits(rounds), again])
    files = write_parquet([*as_visits(rounds), again], tmp_path, same_as={4: 1})

    recomputed = recompute(*files, every=HOUR, rows_of_a_part=1)

    assert_equal(counted.counts().ordered(), recomputed)


def test_a_gap_of_days_counts_no_snapshots_and_moves_nothing(tmp_path: Path) -> None:
    visits = [visit("home", 0, {1: ["a", "b"]}), visit("home", 100, {1: ["a", "b"]})]

    recomputed = recompute(*write_parquet(visits, tmp_path), every=HOUR)

    assert recomputed.total_snapshots == 2
    assert recomputed.moves.tolist() == [0, 0, 0]
    assert recomputed.comparisons.sum() == 2


def test_a_repeated_visit_is_an_error_that_names_it(tmp_path: Path) -> None:
    visits, occurrences = write_parquet(as_visits([{"home": {1: ["a"]}}]), tmp_path)

    with pytest.raises(InputError, match="visit 1 stands twice"):
        recompute(visits * 2, occurrences * 2, every=HOUR)


@pytest.mark.parametrize("damaged", [0, 1], ids=["visits", "occurrences"])
def test_a_truncated_file_is_an_error_that_says_so(tmp_path: Path, damaged: int) -> None:
    files = write_parquet(as_visits([{"home": {1: ["a"]}}]), tmp_path)
    file = files[damaged][0]
    file.write_bytes(file.read_bytes()[:-20])

    with pytest.raises(InputError, match=f"cannot be read: .*{file.name}"):
        recompute(*files, every=HOUR)
