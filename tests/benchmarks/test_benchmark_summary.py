import pytest
from benchmarks.stages import BASELINE
from benchmarks.summary import summarise
from benchmarks.system import System
from benchmarks.table import lay_out, of_rows
from benchmarks.timing import Record

BARE = Record(BASELINE, {"a": 1_000_000, "b": 2_000_000, "c": 9_000_000})
PEER = Record(
    System("peer", "no-such-distribution", BASELINE.load),
    {"a": 4_000_000, "b": 2_000_000},
    {"c": "ValueError in peer.py, read"},
)


def test_ratios_use_pages_that_both_systems_read() -> None:
    bare, peer = summarise([BARE, PEER], BARE, {"peer": 7.5})
    assert (bare.ratio, bare.ratio_of_medians) == (1, 1)
    assert peer.ratio == pytest.approx(6 / 3)
    assert peer.ratio_of_medians == pytest.approx(3 / 1.5)
    assert (bare.median_ms, bare.mean_ms, bare.p95_ms) == (2, 4, 9)
    assert (peer.version, peer.pages, peer.peak_mb, bare.peak_mb) == (None, 2, 7.5, None)
    assert peer.errors == {"ValueError in peer.py, read": 1}


def test_a_system_that_read_nothing_has_no_figures() -> None:
    (row,) = summarise([Record(PEER.system, {}, {"a": "x", "b": "x", "c": "y"})], BARE, {})
    assert (row.median_ms, row.mean_ms, row.p95_ms, row.ratio, row.ratio_of_medians) == (None,) * 5
    assert row.errors == {"x": 2, "y": 1}
    assert of_rows([row]).splitlines()[-1].split("|")[1].strip() == "peer"


@pytest.mark.parametrize(("count", "expected"), [(1, 1), (2, 2), (20, 19), (100, 95), (101, 96)])
def test_p95_is_the_nearest_rank(count: int, expected: int) -> None:
    record = Record(BASELINE, {str(number): number * 1_000_000 for number in range(1, count + 1)})
    assert summarise([record], record, {})[0].p95_ms == expected


def test_tables_are_aligned_markdown() -> None:
    assert lay_out(["name", "n"], [["a", "1"], ["long name", "1,000"]], left=1).splitlines() == [
        "| name      |     n |",
        "| --------- | ----: |",
        "| a         |     1 |",
        "| long name | 1,000 |",
    ]
