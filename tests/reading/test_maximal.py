from hypothesis import given
from hypothesis import strategies as st

from broadsheet.reading.maximal import Subsequence, best_subsequence, maximal_subsequences
from tests.attacks.growth import superlinear

VALUES = st.lists(st.integers(-4, 4), max_size=9)


def by_definition(values: list[int]) -> list[Subsequence]:
    """Try every run: keep those that score more than all their parts and are not in a larger such run."""
    runs = [(start, end) for end in range(len(values) + 1) for start in range(end)]
    totals = {(start, end): sum(values[start:end]) for start, end in runs}

    def beats_its_parts(run: tuple[int, int]) -> bool:
        parts = [part for part in runs if run[0] <= part[0] and part[1] <= run[1] and part != run]
        return totals[run] > 0 and all(totals[run] > totals[part] for part in parts)

    good = [run for run in runs if beats_its_parts(run)]
    largest = [
        run for run in good if not any(other[0] <= run[0] and run[1] <= other[1] and other != run for other in good)
    ]
    return sorted(Subsequence(start, end, totals[start, end]) for start, end in largest)


@given(VALUES)
def test_all_maximal_subsequences_meet_the_definition(values: list[int]) -> None:
    assert maximal_subsequences(values) == by_definition(values)


@given(st.lists(st.integers(-100, 100), max_size=60))
def test_the_best_subsequence_has_the_highest_sum_of_any_run(values: list[int]) -> None:
    highest = max((sum(values[start:end]) for end in range(len(values) + 1) for start in range(end)), default=0)

    best = best_subsequence(values)

    assert (best.total if best else 0) == max(highest, 0)


def test_the_example_of_the_paper() -> None:
    values = [4, -5, 3, -3, 1, 2, -2, 2, -2, 1, 5]

    subsequences = maximal_subsequences(values)

    assert [values[run.start : run.end] for run in subsequences] == [[4], [3], [1, 2, -2, 2, -2, 1, 5]]


def test_ties_go_to_the_first() -> None:
    assert best_subsequence([3, -5, 3]) == Subsequence(0, 1, 3)


def test_only_a_positive_number_opens_a_subsequence() -> None:
    assert best_subsequence([0, -1, 0]) is None
    assert best_subsequence([0, 2, 0]) == Subsequence(1, 2, 2)


def rising(size: int) -> list[int]:
    """Numbers that rise through zero, followed by as many that cancel each other out."""
    return list(range(-size // 2, size // 2)) + [-1, 1] * (size // 2)


def test_the_best_run_of_a_hundred_thousand_numbers_is_found() -> None:
    assert best_subsequence(rising(100_000)) == Subsequence(50_001, 100_000, 49_999 * 50_000 // 2)


def test_time_grows_linearly() -> None:
    assert superlinear(maximal_subsequences, rising, [4_000, 40_000]) is None
