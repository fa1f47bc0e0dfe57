"""What a `with` block closes."""

from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self


class Closable(ABC):
    """Something that is open from the beginning, and is closed when a block ends."""

    @abstractmethod
    def close(self) -> None:
        """Close it."""

    def __enter__(self) -> Self:
        """Give what is open already."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it, whatever happened in the block."""
        self.close()
