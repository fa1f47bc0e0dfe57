"""The same work tried on page after page, here or in another process: whatever goes wrong is told in plain text."""

import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from broadsheet.base.errors import BroadsheetError, InputError
from broadsheet.cli.inputs import Loaded

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class FailedPage:
    """A page that nothing could be made of: the kind of failure, why in one line, and where in the program."""

    kind: str
    reason: str
    trace: str = ""

    @classmethod
    def by(cls, error: Exception) -> "FailedPage":
        """Describe an error; one that no page should be able to cause is called unexpected."""
        kind = type(error).__name__
        text = str(error) if isinstance(error, InputError) else f"unexpected {kind}: {error}"
        return cls(kind, text, "".join(traceback.format_exception(error)))


@dataclass(frozen=True, slots=True)
class Stopped:
    """What went wrong with all pages, as the process tells it in which that showed."""

    reason: str
    trace: str


def attempt(work: Callable[[Loaded], T], page: Loaded) -> T | FailedPage:
    """Return what the work makes of a page, or why it makes nothing of it."""
    try:
        return work(page)
    except InputError as error:
        return FailedPage.by(error)
    except (BroadsheetError, MemoryError):
        # Something is missing that all pages need, or this process is not to be trusted with the next one.
        raise
    except Exception as error:  # noqa: BLE001 - one page must not end the work on all others
        return FailedPage.by(error)


@dataclass(frozen=True, slots=True)
class Attempts(Generic[T]):
    """The work as a process is told it."""

    work: Callable[[Loaded], T]

    def __call__(self) -> Callable[[Loaded], Iterator[T | FailedPage | Stopped]]:
        """Prepare nothing: the work is ready when it has been received."""
        return self._outcomes

    def _outcomes(self, page: Loaded) -> Iterator[T | FailedPage | Stopped]:
        try:
            yield attempt(self.work, page)
        except BroadsheetError as error:
            yield Stopped(str(error), "".join(traceback.format_exception(error)))
