"""The errors that Broadsheet raises on purpose: all derive from `BroadsheetError`."""

from broadsheet.base import reasons
from broadsheet.base.reasons import Reason


class BroadsheetError(Exception):
    """The base class of all errors that Broadsheet raises; its text is one line for a person."""

    def __reduce__(self) -> tuple[object, ...]:
        """Support pickling: by default, pickle would pass the message to constructors that do not take one."""
        return _rebuild, (type(self), self.args, self.__dict__)


def _rebuild(kind: type[BroadsheetError], args: tuple[object, ...], state: dict[str, object]) -> BroadsheetError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


class ConfigError(BroadsheetError):
    """A setting is unknown, or its value has the wrong type."""


class InputError(BroadsheetError):
    """An input cannot be used: it is missing, empty, or not a page."""

    #: What a page is counted as that raises it.
    reason: Reason = reasons.UNREADABLE


class WorkerFailed(BroadsheetError):
    """A worker process ended before its first task, so no page is to blame."""


class LimitError(InputError):
    """A page exceeds one of the limits that bound time and memory."""

    #: What is limited, for the message.
    what = "size"

    def __init__(self, found: int, allowed: int) -> None:
        """Store both numbers, so that a caller can choose a higher limit."""
        super().__init__(f"the page's {self.what} is {found:,} or more; at most {allowed:,} is allowed")
        self.found = found
        self.allowed = allowed


class TooManyBytes(LimitError):
    """The page has more bytes than the limit."""

    what = "length in bytes"
    reason = reasons.TOO_LONG


class TooManyNodes(LimitError):
    """The page has more tags, comments and attributes than the limit."""

    what = "number of nodes"
    reason = reasons.TOO_MANY_NODES


class TooDeep(LimitError):
    """The page nests elements deeper than the limit."""

    what = "nesting depth"
    reason = reasons.TOO_DEEP


class TooTangled(LimitError):
    """The page has so many tags at such depth that parsing it would take very long."""

    what = "number of tags times their depth"
    reason = reasons.TOO_TANGLED


class AttributeTooLong(LimitError):
    """An attribute's value is longer than the limit."""

    what = "longest attribute in bytes"
    reason = reasons.ATTRIBUTE_TOO_LONG


class TooManyAttributes(LimitError):
    """A tag has more attributes than the limit (the parser takes quadratic time in them)."""

    what = "number of attributes in one tag"
    reason = reasons.TOO_MANY_ATTRIBUTES


class TooManyLines(LimitError):
    """The page has far more lines of text than any article, and is not read."""

    what = "number of lines of text"
    reason = reasons.TOO_MANY_LINES
