"""Tasks in supervised processes: one that dies, hangs or takes too much memory costs one task."""

import ctypes
import multiprocessing
import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from broadsheet.base.clock import SystemClock
from broadsheet.base.errors import BroadsheetError
from broadsheet.base.pool import AHEAD, Failed, Lost, Pool, TaskMessage, cores
from broadsheet.base.reasons import CRASHED
from broadsheet.base.workers import OneAnswer


def doubling() -> Callable[[int], Iterator[int]]:
    return lambda task: iter((2 * task,))


def counting() -> Callable[[int], Iterator[int]]:
    """Count up to the task's number; die at 3."""

    def work(task: int) -> Iterator[int]:
        for number in range(task):
            if number == 3:
                os._exit(1)
            yield number

    return work


def listing() -> Callable[[int], list[int]]:
    return lambda task: list(range(task))


def dying() -> Callable[[int], Iterator[int]]:
    def work(task: int) -> Iterator[int]:
        if not task:
            os._exit(1)
        yield task

    return work


def refusing(task: int) -> tuple[int, int]:
    if task == 1:
        raise KeyError(task)
    return task, os.getpid()


def first_slowest() -> Callable[[int], Iterator[int]]:
    def work(task: int) -> Iterator[int]:
        time.sleep(0 if task else 1)
        yield task

    return work


def environment() -> Callable[[str], Iterator[str | None]]:
    return lambda name: iter((os.environ.get(name),))


def marking() -> Callable[[tuple[str, str, bytes]], Iterator[str]]:
    """Wait for a file, if one is named, then make another."""

    def work(task: tuple[str, str, bytes]) -> Iterator[str]:
        awaited, made, _ = task
        seen = not awaited or appears(Path(awaited))
        Path(made).touch()
        yield made if seen else "in vain"

    return work


def pausing() -> Callable[[float], Iterator[float]]:
    def work(task: float) -> Iterator[float]:
        time.sleep(task)
        yield task

    return work


def telling() -> Callable[[object], Iterator[str]]:
    return lambda task: iter((str(task),))


def moody() -> Callable[[tuple[str, str]], Iterator[str]]:
    """Do what the mood of a task is, after noting the try in a file; `once` limits it to the first try."""

    def work(task: tuple[str, str]) -> Iterator[str]:
        mood, notes = task
        if notes:
            with Path(notes).open("a") as file:
                file.write("x")
        if not mood.endswith("once") or Path(notes).read_text() == "x":
            trouble(mood.split()[0])
        yield mood

    return work


def trouble(mood: str) -> None:
    match mood:
        case "segfault":
            ctypes.string_at(0)
        case "hang":
            time.sleep(600)
        case "grow":
            bytearray(10**9)
        case "raise":
            raise LookupError(mood)


def appears(path: Path) -> bool:
    for _ in range(600):
        if path.exists():
            return True
        time.sleep(0.05)
    return False


def broken() -> Callable[[int], Iterator[int]]:
    os._exit(1)


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    yield
    assert not multiprocessing.active_children()


def test_every_task_yields_its_message_once() -> None:
    run = Pool(doubling, 2, SystemClock()).run(range(10))

    messages = {event.task: event.message for event in run if isinstance(event, TaskMessage)}

    assert messages == {number: 2 * number for number in range(10)}


def test_a_lost_task_has_its_messages_and_its_remainder_can_be_resubmitted() -> None:
    run = Pool(counting, 1, SystemClock()).run([2, 5, 1])
    messages, lost = [], []

    for event in run:
        if isinstance(event, Lost):
            lost.append(event)
            run.resubmit(event.number, 3)
        else:
            messages.append((event.number, event.message))

    assert lost == [Lost(1, 5, (0, 1, 2), "the process died", CRASHED)]
    assert sorted(messages) == [(0, 0), (0, 1), (1, 0), (1, 0), (1, 1), (1, 1), (1, 2), (1, 2), (2, 0)]


def test_messages_may_come_together() -> None:
    events = list(Pool(listing, 1, SystemClock()).run([3, 0, 2]))

    assert [(event.number, event.message) for event in events if isinstance(event, TaskMessage)] == [
        (0, 0),
        (0, 1),
        (0, 2),
        (2, 0),
        (2, 1),
    ]
    assert len(events) == 5


def test_results_are_ordered_and_no_task_runs_far_ahead() -> None:
    tasks = iter(range(200))
    results = Pool(first_slowest, 2, SystemClock()).ordered(tasks)

    first = next(results)

    assert (first, next(tasks) <= 2 * AHEAD) == (0, True)
    # One task was drawn by this test, to see how far the run had got.
    assert len(list(results)) == 198


def test_a_lost_task_keeps_its_place() -> None:
    results = Pool(dying, 2, SystemClock()).ordered([1, 0, 2, 3])

    assert list(results) == [1, Failed("the process died", CRASHED), 2, 3]


def test_an_error_costs_its_task_and_not_its_process() -> None:
    events = list(Pool(OneAnswer(refusing), 1, SystemClock()).run(range(3)))

    [lost] = [event for event in events if isinstance(event, Lost)]
    messages = [event.message for event in events if isinstance(event, TaskMessage)]
    assert (lost.task, lost.reason) == (1, "unexpected KeyError: 1")
    assert "refusing" in lost.trace
    assert [task for task, _ in messages] == [0, 2]
    assert len({process for _, process in messages}) == 1


def test_a_process_goes_on_while_nobody_listens(tmp_path: Path) -> None:
    tasks = [("", str(tmp_path / name), b"") for name in "ab"]
    events = iter(Pool(marking, 1, SystemClock(), waiting=1).run(tasks))

    first = next(events)

    assert isinstance(first, TaskMessage)
    assert appears(tmp_path / "b")
    assert len(list(events)) == 1


def test_a_long_task_for_a_busy_process_keeps_no_other_waiting(tmp_path: Path) -> None:
    long = b" " * 5_000_000
    # The first task is done when the last one is, and the third waits behind it.
    tasks = [(str(tmp_path / "d"), "a", long), ("", "b", long), ("", "c", long), ("", "d", long)]
    named = [(awaited, str(tmp_path / made), data) for awaited, made, data in tasks]

    made = list(Pool(marking, 2, SystemClock(), waiting=1).ordered(named))

    assert made == [str(tmp_path / name) for name in "abcd"]


def test_what_waits_behind_a_lost_task_is_done_by_another_process() -> None:
    assert list(Pool(dying, 1, SystemClock(), waiting=1).ordered([1, 0, 2, 3])) == [
        1,
        Failed("the process died", CRASHED),
        2,
        3,
    ]


def test_a_task_is_not_charged_with_the_time_that_it_waits() -> None:
    assert list(Pool(pausing, 1, SystemClock(), limit=3.5, waiting=1).ordered([2.0, 2.0])) == [2.0, 2.0]


def test_a_process_uses_one_thread_for_its_numbers() -> None:
    assert list(Pool(environment, 1, SystemClock()).ordered(["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"])) == ["1", "1"]


def test_a_process_that_cannot_start_ends_the_run_with_one_line() -> None:
    with pytest.raises(BroadsheetError, match="ended before it started"):
        list(Pool(broken, 1, SystemClock()).run([1]))


def test_no_process_outlives_an_interrupted_run() -> None:
    results = Pool(first_slowest, 2, SystemClock()).ordered(range(100))

    next(results)
    results.close()

    assert not multiprocessing.active_children()


def test_a_failing_source_ends_the_run_with_its_error() -> None:
    def tasks() -> Iterator[int]:
        yield 1
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(Pool(doubling, 1, SystemClock()).ordered(tasks()))


def test_a_run_without_tasks_ends_at_once() -> None:
    assert list(Pool(doubling, 1, SystemClock()).ordered([])) == []
    assert cores() >= 1


def test_a_task_that_always_kills_its_process_is_lost_after_its_tries(tmp_path: Path) -> None:
    tasks = [("well", ""), ("segfault", str(tmp_path / "tries")), ("well", ""), ("well", "")]

    answers = list(Pool(moody, 2, SystemClock(), waiting=1, tries=2).ordered(tasks))

    assert answers == ["well", Failed("the process died (tried 2 times)", CRASHED), "well", "well"]
    assert (tmp_path / "tries").read_text() == "xx"


@pytest.mark.parametrize("mood", ["segfault once", "hang once", "grow once"])
def test_a_task_that_fails_once_succeeds_at_the_second_try(mood: str, tmp_path: Path) -> None:
    tasks = [("well", ""), (mood, str(tmp_path / "tries")), ("well", "")]

    answers = list(Pool(moody, 1, SystemClock(), 5.0, 400_000_000, waiting=1, tries=2).ordered(tasks))

    assert answers == ["well", mood, "well"]
    assert (tmp_path / "tries").read_text() == "xx"


@pytest.mark.parametrize(
    ("mood", "reason"),
    [("hang", "took more than 1 s (tried 2 times)"), ("grow", "took more than 400 MB of memory (tried 2 times)")],
)
def test_the_limits_hold_at_every_try(mood: str, reason: str, tmp_path: Path) -> None:
    tasks = [(mood, str(tmp_path / "tries")), ("well", "")]

    [failed, well] = Pool(moody, 1, SystemClock(), 1.0, 400_000_000, tries=2).ordered(tasks)

    assert isinstance(failed, Failed)
    assert (failed.reason, well) == (reason, "well")


def test_an_error_is_not_tried_again(tmp_path: Path) -> None:
    [failed] = Pool(moody, 1, SystemClock(), tries=3).ordered([("raise", str(tmp_path / "tries"))])

    assert isinstance(failed, Failed)
    assert (tmp_path / "tries").read_text() == "x"


def test_a_task_that_has_sent_messages_is_not_tried_again() -> None:
    events = list(Pool(counting, 1, SystemClock(), tries=3).run([5]))

    assert [event.message for event in events if isinstance(event, TaskMessage)] == [0, 1, 2]
    assert [event.messages for event in events if isinstance(event, Lost)] == [(0, 1, 2)]


@pytest.mark.parametrize("waiting", [0, 2])
@pytest.mark.parametrize("size", [1, 2])
def test_a_process_is_replaced_after_so_many_tasks(size: int, waiting: int) -> None:
    pool = Pool(OneAnswer(refusing), size, SystemClock(), waiting=waiting, renew_after=10)

    answers = list(pool.ordered(range(2, 37)))

    done = Counter(answer[1] for answer in answers if not isinstance(answer, Failed))
    assert [answer[0] for answer in answers if not isinstance(answer, Failed)] == list(range(2, 37))
    assert max(done.values()) <= 10
    assert len(done) >= 4


def test_killed_processes_lose_no_task() -> None:
    pool = Pool(pausing, 2, SystemClock(), waiting=1, tries=3, renew_after=50)
    choose = Random(1)
    answers = []

    for answer in pool.ordered(0.002 + number / 1e6 for number in range(200)):
        answers.append(answer)
        if len(answers) % 25 == 0:
            # A process may be killed while it starts, works or leaves.
            os.kill(choose.choice(multiprocessing.active_children()).pid or 0, signal.SIGKILL)

    assert answers == [0.002 + number / 1e6 for number in range(200)]


def test_a_task_that_cannot_be_sent_costs_itself() -> None:
    tasks: list[object] = [1, lambda: None, 3]

    first, failed, last = Pool(telling, 1, SystemClock()).ordered(tasks)

    assert (first, last) == ("1", "3")
    assert isinstance(failed, Failed)
    assert failed.reason.startswith("cannot be sent to a process (")


@pytest.mark.parametrize("wrong", [{"size": 0}, {"tries": 0}, {"renew_after": 0}])
def test_terms_under_which_nothing_is_done_are_refused(wrong: dict[str, int]) -> None:
    terms: dict[str, int] = {"size": 1, **wrong}

    with pytest.raises(ValueError, match=f"{next(iter(wrong))} of a pool must be at least 1, not 0"):
        Pool(doubling, clock=SystemClock(), **terms)
