"""Parts of the program that not every installation has."""

from collections.abc import Iterator
from contextlib import contextmanager

from broadsheet.base.errors import BroadsheetError


class ExtraMissing(BroadsheetError):  # noqa: N818 - errors are named after what is wrong
    """A command needs packages that were not installed."""


@contextmanager
def needing(extra: str, what: str) -> Iterator[None]:
    """Say in one line what to install where an import fails for want of an extra."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("broadsheet"):
            raise
        raise ExtraMissing(f"{what} needs {error.name}: pip install 'broadsheet[{extra}]'") from error
