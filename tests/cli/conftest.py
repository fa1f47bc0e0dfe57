"""A command line to run in tests, with streams that are terminals or not."""

import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from broadsheet.cli.main import main


class Terminal(io.StringIO):
    """A text stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


@dataclass(frozen=True)
class Outcome:
    """The exit code and output of a run."""

    code: int
    out: str
    err: str

    @property
    def rows(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Outcome]:
    """Run the program as if piped, or on a terminal of 100 columns."""
    monkeypatch.setenv("COLUMNS", "100")

    def call(
        *argv: object,
        stdin: bytes = b"",
        terminal: bool = False,
        environment: dict[str, str] | None = None,
        called: str = "broadsheet",
    ) -> Outcome:
        stdout, stderr = (Terminal(), Terminal()) if terminal else (io.StringIO(), io.StringIO())
        words = [str(word) for word in argv]
        code = main(words, io.BytesIO(stdin), stdout, stderr, environment or {}, called=called)
        return Outcome(code, stdout.getvalue(), stderr.getvalue())

    return call
