"""Optional dependencies."""

from collections.abc import Iterator
from contextlib import contextmanager

from broadsheet.base.errors import BroadsheetError


class ExtraMissing(BroadsheetError):  # noqa: N818 - errors are named after what is wrong
    """A command needs packages that are not installed."""


@contextmanager
def needing(extra: str, what: str) -> Iterator[None]:
    """Turn an import that fails for lack of an extra into an error that says what to install."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("broadsheet"):
            raise
        raise ExtraMissing(f"{what} needs {error.name}: pip install 'broadsheet[{extra}]'") from error
