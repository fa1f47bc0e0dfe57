"""The steps at which tests kill a process that works on an archive."""

from collections.abc import Iterable
from typing import Any

import pytest

from broadsheet.archive.durable_files import PUT_STEPS

_ALIKE = frozenset(
    f"{step} merged {kind}" for step in PUT_STEPS if "replace" not in step for kind in ("visits", "occurrences")
)


def kinds_of(steps: Iterable[str]) -> list[Any]:
    """Return the steps; those that are like another are left to `make soak`.

    All files are put into an archive alike. So a process is killed at every step of putting one of them there, and
    after it has put each of the others.
    """
    return [pytest.param(step, marks=pytest.mark.soak) if step in _ALIKE else step for step in steps]
