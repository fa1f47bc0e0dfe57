"""Every error that Broadsheet raises on purpose: a caller who catches `BroadsheetError` has caught them all."""

from broadsheet.base import reasons
from broadsheet.base.reasons import Reason


class BroadsheetError(Exception):
    """The base class of all errors that Broadsheet raises; its text is one line for a person."""

    def __reduce__(self) -> tuple[object, ...]:
        """Let errors pass between processes: pickle would make one anew from its text, which few classes take."""
        return _remade, (type(self), self.args, self.__dict__)


def _remade(kind: type[BroadsheetError], args: tuple[object, ...], state: dict[str, object]) -> BroadsheetError:
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
    """A process that was to work on pages ended before it began, so that no page is to blame."""


class LimitError(InputError):
    """A page goes beyond one of the caps that keep time and memory bounded."""

    #: What is capped, as a person would say it.
    what = "size"

    def __init__(self, found: int, allowed: int) -> None:
        """Keep both numbers, so that a caller can raise the cap knowingly."""
        super().__init__(f"the page's {self.what} is {found:,} or more; at most {allowed:,} is allowed")
        self.found = found
        self.allowed = allowed


class TooManyBytes(LimitError):
    """The page is longer than the cap."""

    what = "length in bytes"
    reason = reasons.TOO_LONG


class TooManyNodes(LimitError):
    """The page has more tags, comments and attributes than the cap."""

    what = "number of nodes"
    reason = reasons.TOO_MANY_NODES


class TooDeep(LimitError):
    """The page nests elements deeper than the cap."""

    what = "nesting depth"
    reason = reasons.TOO_DEEP


class TooTangled(LimitError):
    """The page has so many tags at such depth that parsing it would take very long."""

    what = "number of tags times their depth"
    reason = reasons.TOO_TANGLED


class AttributeTooLong(LimitError):
    """One attribute's value is longer than the cap."""

    what = "longest attribute in bytes"
    reason = reasons.ATTRIBUTE_TOO_LONG


class TooManyAttributes(LimitError):
    """One tag has more attributes than the cap (the parser takes quadratic time in them)."""

    what = "number of attributes in one tag"
    reason = reasons.TOO_MANY_ATTRIBUTES


class TooManyLines(LimitError):
    """The page has more lines of text than any article, and is not read."""

    what = "number of lines of text"
    reason = reasons.TOO_MANY_LINES
