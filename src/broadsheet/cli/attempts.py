"""Apply work to a page and turn its errors into values that can be sent between processes."""

import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from broadsheet.base.errors import BroadsheetError, InputError
from broadsheet.cli.inputs import LoadedPage

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class FailedPage:
    """A page that could not be processed: the type of the error, the reason in one line, and the traceback."""

    kind: str
    reason: str
    trace: str = ""

    @classmethod
    def from_error(cls, error: Exception) -> "FailedPage":
        """Describe an error; anything but an `InputError` is reported as unexpected."""
        kind = type(error).__name__
        reason = str(error) if isinstance(error, InputError) else f"unexpected {kind}: {error}"
        return cls(kind, reason, "".join(traceback.format_exception(error)))


@dataclass(frozen=True, slots=True)
class BatchFailure:
    """An error that would affect every page, such as a missing dependency, as reported by a worker process."""

    reason: str
    trace: str


def attempt(work: Callable[[LoadedPage], T], page: LoadedPage) -> T | FailedPage:
    """Return the result of the work on a page, or why it failed."""
    try:
        return work(page)
    except InputError as error:
        return FailedPage.from_error(error)
    except (BroadsheetError, MemoryError):
        # Something that every page needs is missing, or this process can no longer be trusted with the next page.
        raise
    except Exception as error:  # noqa: BLE001 - one page must not stop the others
        return FailedPage.from_error(error)


@dataclass(frozen=True, slots=True)
class AttemptFactory(Generic[T]):
    """Sends the work to a worker process."""

    work: Callable[[LoadedPage], T]

    def __call__(self) -> Callable[[LoadedPage], Iterator[T | FailedPage | BatchFailure]]:
        """Return the function that a worker calls for each page; there is nothing to prepare."""
        return self._outcomes

    def _outcomes(self, page: LoadedPage) -> Iterator[T | FailedPage | BatchFailure]:
        try:
            yield attempt(self.work, page)
        except BroadsheetError as error:
            yield BatchFailure(str(error), "".join(traceback.format_exception(error)))
