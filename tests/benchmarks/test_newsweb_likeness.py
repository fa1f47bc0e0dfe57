"""Specifies the comparison of planned sites with real ones."""

from pathlib import Path

import pytest
from benchmarks.newsweb.__main__ import main
from benchmarks.newsweb.likeness import STATISTICS, compare, distance
from benchmarks.newsweb.made_sites import make_sites
from benchmarks.newsweb.models_check import ModelScore
from benchmarks.newsweb.snapshot import SeenSite

pytest.importorskip("matplotlib")


@pytest.fixture(scope="module")
def sites() -> list[SeenSite]:
    return make_sites(3, 2, 3, 1)


def test_the_distance_is_0_for_equal_samples_and_1_for_samples_apart() -> None:
    assert distance([1, 2, 3], [3, 2, 1]) == 0
    assert distance([1, 2, 3], [7, 8]) == 1
    assert distance([1, 2, 3, 4], [1, 2, 7, 8]) == 0.5


def test_a_web_is_like_itself_in_every_statistic(sites: list[SeenSite]) -> None:
    comparisons = [
        compare(statistic, sites, sites) for statistic in STATISTICS if any(map(list, map(statistic.values, sites)))
    ]

    assert len(comparisons) >= 15
    assert all(each.distance == 0 and each.real == each.made for each in comparisons)


def test_each_statistic_is_plotted(sites: list[SeenSite], tmp_path: Path) -> None:
    from benchmarks.newsweb.plots import plot_all  # noqa: PLC0415 - needs matplotlib

    plot_all(tmp_path, STATISTICS[:2], sites, sites)

    assert {file.name for file in tmp_path.iterdir()} == {"all.svg", "links-on-a-front.svg", "targets-on-a-front.svg"}


def test_scores_are_alike_within_a_margin() -> None:
    assert ModelScore("a", 0.90, 0.92, 1, 1).alike
    assert not ModelScore("a", 0.90, 0.94, 1, 1).alike


def test_few_real_pages_say_little() -> None:
    few, many = ModelScore("a", 12 / 13, 0.9, 13, 1), ModelScore("a", 0.9, 0.9, 1_000, 1)

    assert few.interval == pytest.approx((0.667, 0.986), abs=0.001)
    assert many.interval == pytest.approx((0.880, 0.917), abs=0.001)


def test_real_pages_have_to_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([])

    assert "--data" in capsys.readouterr().err
