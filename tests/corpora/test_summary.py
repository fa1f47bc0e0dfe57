import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from broadsheet.corpora.measures import Overlap
from broadsheet.corpora.summary import summarise

overlaps = st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9)).map(
    lambda counts: Overlap(counts[0], counts[0] + counts[1], counts[0] + counts[2])
)


def test_pages_are_averaged_and_pooled() -> None:
    summary = summarise([Overlap(1, 2, 2), Overlap(90, 90, 100)])

    assert (summary.precision.value, summary.recall.value) == (0.75, 0.7)
    assert summary.f.value == pytest.approx((0.5 + 180 / 190) / 2)
    assert summary.pooled == pytest.approx((91 / 92, 91 / 102, 2 * 91 / (92 + 102)))
    assert (summary.pages, summary.below_half) == (2, 0.0)


def test_the_benchmark_ignores_pages_without_output_for_precision_only() -> None:
    summary = summarise([Overlap(4, 5, 8), Overlap(0, 0, 8)])

    # Precision 0.8 over one page, recall 0.25 over two.
    assert summary.benchmark_f.value == pytest.approx(2 * 0.8 * 0.25 / 1.05)
    assert summary.precision.value == 0.4
    assert summary.below_half == 0.5


def test_the_same_seed_gives_the_same_interval() -> None:
    counts = [Overlap(correct, 10, 10) for correct in range(10)]

    assert summarise(counts, seed=3) == summarise(counts, seed=3)
    assert summarise(counts, seed=3).f != summarise(counts, seed=4).f


def test_zero_pages_cannot_be_summarised() -> None:
    with pytest.raises(ValueError, match="zero pages"):
        summarise([])


@given(st.lists(overlaps, min_size=1, max_size=20))
def test_intervals_are_within_the_range_of_the_pages(counts: list[Overlap]) -> None:
    summary = summarise(counts, count=50)

    figures = [count.score.f for count in counts]
    assert min(figures) - 1e-9 <= summary.f.low <= summary.f.high <= max(figures) + 1e-9
    assert summary.f.value == pytest.approx(np.mean(figures))
