from concurrent.futures import ThreadPoolExecutor

import pytest

from broadsheet.base.counters import Counted, Counters


def test_drops_are_counted_with_their_reason() -> None:
    counters = Counters()

    counters.count("dropped", "robots")
    counters.count("dropped", "too long", by=2)
    counters.count("dropped", "robots")

    assert counters.snapshot() == {Counted("dropped", "robots"): 2, Counted("dropped", "too long"): 2}
    assert counters.total("dropped") == 4


def test_an_unknown_counter_is_zero() -> None:
    assert Counters().total("pages") == 0


def test_counts_are_sorted_by_name_and_reason() -> None:
    counters = Counters()
    for name, reason in [("pages", None), ("dropped", "b"), ("dropped", None), ("dropped", "a")]:
        counters.count(name, reason)

    names = [counted for counted, _ in counters]

    assert names == [("dropped", None), ("dropped", "a"), ("dropped", "b"), ("pages", None)]


def test_a_snapshot_does_not_change_later() -> None:
    counters = Counters()
    counters.count("pages")

    snapshot = counters.snapshot()
    counters.count("pages")

    assert snapshot == {Counted("pages"): 1}


def test_other_snapshots_are_merged() -> None:
    counters, others = Counters(), Counters()
    counters.count("pages", by=2)
    others.count("pages")
    others.count("dropped", "robots")

    counters.merge(others.snapshot())

    assert dict(counters) == {Counted("pages"): 3, Counted("dropped", "robots"): 1}


def test_counters_only_grow() -> None:
    with pytest.raises(ValueError, match="only grow"):
        Counters().count("pages", by=-1)


def test_counting_is_thread_safe() -> None:
    counters = Counters()

    def work(_: int) -> None:
        for _ in range(500):
            counters.count("pages")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))

    assert counters.total("pages") == 4000
