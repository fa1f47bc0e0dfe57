"""Tasks that are submitted one by one, from any thread, to processes that stay."""

import asyncio
import multiprocessing
import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from random import Random

import pytest

from broadsheet.base.clock import SystemClock
from broadsheet.base.errors import WorkerFailed
from broadsheet.base.pool import Failed, Pool
from broadsheet.base.reasons import CRASHED
from broadsheet.base.submission import PoolThread
from broadsheet.base.workers import OneAnswer
from tests.base.test_pool import appears, broken, doubling, dying, marking, moody, pausing, refusing, telling

SECONDS = 60


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    yield
    assert not multiprocessing.active_children()


def test_every_task_is_answered() -> None:
    with PoolThread(Pool(doubling, 2, SystemClock(), waiting=1)) as pool:
        futures = [pool.submit(number) for number in range(100)]

        assert [future.result(SECONDS) for future in futures] == [2 * number for number in range(100)]
        assert len(pool) == 0


def test_processes_start_with_the_first_task_or_on_request() -> None:
    with PoolThread(Pool(doubling, 1, SystemClock())) as pool:
        before = multiprocessing.active_children()
        pool.start()
        pool.start()

        assert pool.submit(4).result(SECONDS) == 8
        assert (len(before), len(multiprocessing.active_children())) == (0, 1)


def test_tasks_come_from_several_threads() -> None:
    with PoolThread(Pool(doubling, 2, SystemClock())) as pool, ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda number: pool.submit(number).result(SECONDS), range(200)))

    assert answers == [2 * number for number in range(200)]


def test_an_asyncio_program_goes_on_while_a_task_is_done(tmp_path: Path) -> None:
    async def main() -> str | Failed:
        answer = asyncio.wrap_future(pool.submit((str(tmp_path / "go"), str(tmp_path / "done"), b"")))
        await asyncio.sleep(0)
        (tmp_path / "go").touch()
        return await answer

    with PoolThread(Pool(marking, 1, SystemClock())) as pool:
        assert asyncio.run(main()) == str(tmp_path / "done")


def test_an_idle_pool_uses_no_processor_time() -> None:
    with PoolThread(Pool(doubling, 1, SystemClock())) as pool:
        pool.submit(1).result(SECONDS)
        began = time.process_time()
        time.sleep(2)
        used = time.process_time() - began

        assert pool.submit(2).result(SECONDS) == 4
    assert used < 0.1


def test_a_task_that_kills_its_process_fails_and_no_other_does(tmp_path: Path) -> None:
    with PoolThread(Pool(moody, 2, SystemClock(), waiting=1, tries=2)) as pool:
        moods = ["well"] * 10 + ["segfault"] + ["well"] * 10
        answers = [pool.submit((mood, str(tmp_path / str(n)))) for n, mood in enumerate(moods)]
        results = [answer.result(SECONDS) for answer in answers]

    assert results[10] == Failed("the process died (tried 2 times)", CRASHED)
    assert results[:10] + results[11:] == ["well"] * 20


def test_killed_processes_lose_no_task() -> None:
    choose = Random(2)
    with PoolThread(Pool(pausing, 2, SystemClock(), waiting=1, tries=3, renew_after=40)) as pool:
        futures: list[Future[float | Failed]] = []
        for number in range(200):
            futures.append(pool.submit(0.002 + number / 1e6))
            if number % 25 == 24:
                wait(futures[: number - 5], SECONDS)
                os.kill(choose.choice(multiprocessing.active_children()).pid or 0, signal.SIGKILL)

        assert [future.result(SECONDS) for future in futures] == [0.002 + number / 1e6 for number in range(200)]


def test_errors_and_tasks_that_cannot_be_sent_cost_themselves() -> None:
    with PoolThread(Pool(OneAnswer(refusing), 1, SystemClock())) as pool:
        refused = pool.submit(1).result(SECONDS)
        assert isinstance(refused, Failed)
        assert refused.reason == "unexpected KeyError: 1"
    with PoolThread(Pool(telling, 1, SystemClock())) as odd:
        unsent = odd.submit(lambda: None).result(SECONDS)
        assert isinstance(unsent, Failed)
        assert odd.submit(2).result(SECONDS) == "2"


def test_a_pool_that_cannot_start_fails_every_open_task() -> None:
    with PoolThread(Pool(broken, 2, SystemClock())) as pool:
        futures = [pool.submit(number) for number in range(5)]

        for future in futures:
            with pytest.raises(WorkerFailed, match="ended before it started"):
                future.result(SECONDS)
        assert len(pool) == 0
        # Whoever submits later learns of it as well.
        with pytest.raises(WorkerFailed):
            pool.submit(9).result(SECONDS)


def test_closing_a_busy_pool_cancels_what_is_open() -> None:
    pool = PoolThread(Pool(pausing, 1, SystemClock(), waiting=1))
    done = pool.submit(0.0)
    futures = [pool.submit(600.0) for _ in range(5)]
    done.result(SECONDS)

    pool.close()
    pool.close()

    assert [future.cancelled() for future in futures] == [True] * 5
    assert len(pool) == 0
    with pytest.raises(RuntimeError, match="closed"):
        pool.submit(1.0)
    with pytest.raises(RuntimeError, match="closed"):
        pool.start()


def test_a_pool_that_was_never_used_closes() -> None:
    pool = PoolThread(Pool(doubling, 1, SystemClock()))

    pool.close()

    with pytest.raises(RuntimeError, match="closed"):
        pool.submit(1)


def test_a_cancelled_task_is_not_begun_and_holds_up_nothing(tmp_path: Path) -> None:
    with PoolThread(Pool(marking, 1, SystemClock())) as pool:
        first = pool.submit((str(tmp_path / "go"), str(tmp_path / "first"), b""))
        second = pool.submit(("", str(tmp_path / "second"), b""))
        third = pool.submit(("", str(tmp_path / "third"), b""))

        assert second.cancel()
        (tmp_path / "go").touch()

        assert (first.result(SECONDS), third.result(SECONDS)) == (str(tmp_path / "first"), str(tmp_path / "third"))
    assert appears(tmp_path / "third")
    assert not (tmp_path / "second").exists()


def test_a_task_cancelled_while_it_is_done_costs_no_other() -> None:
    with PoolThread(Pool(dying, 1, SystemClock())) as pool:
        lost = pool.submit(0)
        lost.cancel()

        assert pool.submit(3).result(SECONDS) == 3
