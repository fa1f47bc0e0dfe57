"""Tests of the bound on what any policy of visiting articles again could catch."""

from itertools import pairwise

import pytest

from benchmarks import revisit_bound


def test_more_visits_find_more_but_each_finds_less_than_the_one_before() -> None:
    ages = [0.25] * 100

    shares = [revisit_bound.best_share(ages, visits) for visits in (0, 50, 100, 200, 300)]

    gains = [after - before for before, after in pairwise(shares)]
    assert shares[0] == 0
    assert gains[0] == pytest.approx(gains[1])
    assert gains[0] + gains[1] > gains[2] > gains[3] > 0
    assert shares[-1] < 1


def test_visits_go_first_to_articles_that_were_fetched_soon() -> None:
    assert revisit_bound.best_share([0.1, 8.0], 1) > revisit_bound.best_share([8.0, 8.0], 1) > 0


def test_the_bound_is_printed_with_and_without_dates(capsys: pytest.CaptureFixture[str]) -> None:
    revisit_bound.main(["--seeds", "1", "--sites", "1", "--days", "1", "--budgets", "0.25,2"])

    rows = [line.split("|") for line in capsys.readouterr().out.splitlines()[2:]]
    assert [row[1].strip() for row in rows] == ["0.25", "2", "0.25 + dates", "2 + dates"]
    caught = [float(row[-2]) for row in rows]
    assert 0 < caught[0] <= caught[1] <= 1
    assert caught[0] <= caught[2] <= caught[3] <= 1
