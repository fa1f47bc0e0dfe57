"""Round-robin over queues."""

from collections import OrderedDict
from collections.abc import Iterator
from typing import TypeVar

T = TypeVar("T")


def round_robin(queues: "OrderedDict[str, T]") -> Iterator[tuple[str, T]]:
    """Yield each queue once and move it to the end; queues may be removed during the iteration."""
    for _ in range(len(queues)):
        if not queues:
            return
        name = next(iter(queues))
        queues.move_to_end(name)
        yield name, queues[name]
