import gc
import time
from collections import Counter
from itertools import pairwise

import pytest
from benchmarks.pages import Page
from benchmarks.system import Run, System
from benchmarks.timing import measure, order

PAGES = [Page.decode(name, b"<p>text") for name in "abcd"]


def spinning(milliseconds: float) -> Run:
    def run(_page: Page) -> None:
        end = time.process_time_ns() + milliseconds * 1e6
        while time.process_time_ns() < end:
            pass

    return run


def refusing() -> Run:
    def run(page: Page) -> None:
        if page.id in "bd":
            raise ValueError(f"cannot read {page.text}")

    return run


@pytest.mark.parametrize("count", [1, 2, 5, 6, 15])
def test_every_turn_has_every_system_once(count: int) -> None:
    assert all(sorted(order(count, turn)) == list(range(count)) for turn in range(2 * count))


@pytest.mark.parametrize("count", [2, 5, 6, 15])
def test_every_system_follows_every_other_equally_often(count: int) -> None:
    followed = Counter(pair for turn in range(2 * count) for pair in pairwise(order(count, turn)))
    assert len(followed) == count * (count - 1)
    assert set(followed.values()) == {2}
    assert Counter(order(count, turn)[0] for turn in range(2 * count)) == dict.fromkeys(range(count), 2)


def test_systems_take_turns_on_one_page_before_the_next() -> None:
    calls: list[tuple[str, str]] = []

    def noting(name: str) -> System:
        return System(name, "lxml", lambda: lambda page: calls.append((name, page.id)))

    measure([noting("x"), noting("y"), noting("z")], PAGES, repeat=2)
    assert [page_id for _, page_id in calls] == [page.id for page in PAGES for _ in range(6)]
    turns = [tuple(name for name, _ in calls[at : at + 3]) for at in range(0, len(calls), 3)]
    assert all(set(turn) == {"x", "y", "z"} for turn in turns)
    assert len(set(turns)) == 6


def test_times_are_cpu_times_of_only_the_call() -> None:
    def slow_preparation(page: Page) -> Page:
        spinning(20)(page)
        return page

    def load() -> Run:
        return lambda _: time.sleep(0.02)

    systems = [System("spun", "lxml", lambda: spinning(2), slow_preparation), System("slept", "lxml", load)]
    spun, slept = measure(systems, PAGES, repeat=2)
    assert all(2e6 <= taken < 20e6 for taken in spun.times.values())
    assert all(taken < 20e6 for taken in slept.times.values())


def test_an_error_is_counted_without_a_time_or_a_quotation_of_the_page() -> None:
    (record,) = measure([System("refusing", "lxml", refusing)], PAGES, repeat=2)
    assert set(record.times) == {"a", "c"}
    assert record.errors == dict.fromkeys("bd", "ValueError in test_benchmark_timing.py, run")


def test_the_collector_is_off_during_a_run_and_on_after_it() -> None:
    seen: list[bool] = []
    measure([System("x", "lxml", lambda: lambda _: seen.append(gc.isenabled()))], PAGES, repeat=1)
    assert seen == [False] * 4
    assert gc.isenabled()
