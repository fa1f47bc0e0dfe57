import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import balanced_accuracy_score, confusion_matrix, f1_score

from broadsheet.learning.confusion import balanced_accuracy, confusion, f_by_kind, macro_f, recalls

cases = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=40)


@given(cases)
def test_figures_are_those_of_scikit_learn(rows: list[tuple[int, int]]) -> None:
    # One case of each kind that is told right: scikit-learn leaves kinds out that do not occur.
    truth, found = np.array([*rows, (0, 0), (1, 1), (2, 2)], np.intp).T

    counts = confusion(truth, found, 3)

    assert counts.tolist() == confusion_matrix(truth, found).tolist()
    assert balanced_accuracy(counts) == pytest.approx(balanced_accuracy_score(truth, found))
    assert macro_f(counts) == pytest.approx(f1_score(truth, found, average="macro"))


def test_a_kind_that_is_not_there_counts_as_not_found() -> None:
    counts = confusion(np.array([0, 0]), np.array([0, 0]), 2)

    assert recalls(counts).tolist() == f_by_kind(counts).tolist() == [1.0, 0.0]
