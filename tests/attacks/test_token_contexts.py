"""No token of HTML, CSS, JSON-LD or URLs, however often it stands in whatever place, makes a page dear."""

import subprocess
import sys
import time

import pytest

from tests.attacks.token_contexts import CONTEXTS, SECONDS, SIZES, TOKENS, Page, campaign, report


def test_a_sample_of_pages_is_read_or_refused_within_the_bar() -> None:
    # In a program of its own: a process that is forked has all the memory of the one that runs the tests.
    program = [sys.executable, "-m", "tests.attacks.token_contexts", "60", "7", str(SIZES[0])]

    done = subprocess.run(program, capture_output=True, text=True, check=False)  # noqa: S603 - it is ours

    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("token", ["<a href='/a'>", "<a href='/a'>a</a> "])
def test_pages_that_once_took_too_much_are_within_the_bar(token: str) -> None:
    [taken] = campaign([Page(token, "deeper", SIZES[0])])

    assert taken.seconds <= SECONDS, taken


def test_a_page_that_takes_too_much_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(_page: bytes) -> None:
        end = time.process_time() + SECONDS + 0.1
        while time.process_time() < end:
            pass

    monkeypatch.setattr("tests.attacks.token_contexts.WAYS", (busy,))

    [taken] = campaign([Page("<", "text", 100)])

    assert taken.too_much


def test_every_context_holds_its_token() -> None:
    assert all("<>" in Page("<>", context, 2).make().decode() for context in CONTEXTS)
    assert len(TOKENS) == len(set(TOKENS))


@pytest.mark.soak
def test_ten_thousand_pages_are_read_or_refused_within_the_bar() -> None:
    assert [taken for taken in report(10_000, seed=1) if taken.too_much] == []
