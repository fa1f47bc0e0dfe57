"""An action that is repeated beside a block of code."""

import threading

import pytest

from broadsheet.base.repetition import repeatedly

PATIENCE = 60


def test_the_action_is_called_again_and_again_until_the_block_ends() -> None:
    calls: list[str] = []
    is_third = threading.Event()

    def act() -> None:
        calls.append(threading.current_thread().name)
        if len(calls) == 3:
            is_third.set()

    with repeatedly(0.001, act):
        assert is_third.wait(PATIENCE)

    assert threading.current_thread().name not in calls
    assert not any(thread.name in calls for thread in threading.enumerate())


def test_the_end_of_the_block_waits_for_a_call_in_progress() -> None:
    has_begun, go_on, finished = threading.Event(), threading.Event(), []

    def act() -> None:
        has_begun.set()
        go_on.wait(PATIENCE)
        finished.append("call")

    with repeatedly(0.001, act):
        assert has_begun.wait(PATIENCE)
        threading.Timer(0.01, go_on.set).start()

    assert finished


def test_an_action_that_is_not_due_is_not_called_and_an_error_of_the_block_is_raised() -> None:
    calls: list[int] = []

    with pytest.raises(KeyError), repeatedly(3_600, lambda: calls.append(1)):
        raise KeyError

    assert calls == []
