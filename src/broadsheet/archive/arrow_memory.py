"""The memory that Arrow takes for tables, while files are written and merged in a process that runs for weeks."""

from collections.abc import Iterator
from contextlib import contextmanager

import pyarrow as pa


@contextmanager
def returned_memory() -> Iterator[None]:
    """Let Arrow return the memory of each table to the system while inside.

    By default it takes memory through an allocator of its own, which keeps several times as much as was ever in use.
    """
    before = pa.default_memory_pool()
    pa.set_memory_pool(pa.system_memory_pool())
    try:
        yield
    finally:
        pa.set_memory_pool(before)
