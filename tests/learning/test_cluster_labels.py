"""Clusters as labels, and how well a division holds together."""

import numpy as np
import pytest

from broadsheet.learning.cluster_labels import class_entropy, silhouette, standardised, two_clusters

APART = np.array([[0.0, 0.0], [0.1, 0.0], [0.0, 0.1], [5.0, 5.0], [5.1, 5.0], [5.0, 5.1]])


def test_two_clusters_are_named_by_the_direction() -> None:
    ahead = two_clusters(APART, np.array([1.0, 1.0]))

    assert ahead.tolist() == [False] * 3 + [True] * 3
    assert two_clusters(APART, np.array([-1.0, -1.0])).tolist() == (~ahead).tolist()


def test_equal_rows_are_one_cluster() -> None:
    assert not two_clusters(np.zeros((4, 2)), np.array([1.0, 1.0])).any()


def test_a_silhouette_is_high_where_classes_are_apart_and_negative_where_they_are_mixed() -> None:
    assert silhouette(APART, np.array([0, 0, 0, 1, 1, 1])) > 0.95
    assert silhouette(APART, np.array([0, 1, 0, 1, 0, 1])) < 0
    assert np.isnan(silhouette(APART, np.zeros(6, np.intp)))


def test_a_silhouette_is_that_of_its_definition() -> None:
    rows, labels = np.array([[0.0], [1.0], [4.0]]), np.array([0, 0, 1])

    # The first: 1 to its own class, 4 to the other; the second: 1 and 3; one alone in its class counts 0.
    assert silhouette(rows, labels) == pytest.approx((3 / 4 + 2 / 3 + 0) / 3)


def test_the_entropy_of_a_division_is_that_within_its_classes() -> None:
    rows = np.array([[0.0], [0.0], [1.0], [1.0]])

    assert class_entropy(rows, np.array([0, 0, 1, 1])) == 0
    assert class_entropy(rows, np.array([0, 1, 0, 1])) == pytest.approx(1)


def test_what_is_unknown_becomes_the_mean() -> None:
    assert standardised(np.array([[1.0], [np.nan], [3.0]]))[1, 0] == 0


def test_rows_of_which_most_are_alike_are_still_divided() -> None:
    rows = np.array([[1.0, 1.0]] * 8 + [[0.0, 0.1]] * 3)

    assert two_clusters(rows, np.array([1.0, 1.0])).tolist() == [True] * 8 + [False] * 3
    assert not two_clusters(rows[:8], np.array([1.0, 1.0])).any()
    assert two_clusters(rows[:0], np.array([1.0, 1.0])).shape == (0,)
