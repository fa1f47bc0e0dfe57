"""Queues that take turns."""

from collections import OrderedDict
from collections.abc import Iterator
from typing import TypeVar

T = TypeVar("T")


def in_turn(queues: "OrderedDict[str, T]") -> Iterator[tuple[str, T]]:
    """Give each queue once; whichever was given last is then the last in turn. Queues may go meanwhile."""
    for _ in range(len(queues)):
        if not queues:
            return
        name = next(iter(queues))
        queues.move_to_end(name)
        yield name, queues[name]
