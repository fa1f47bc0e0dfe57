"""The errors that Broadsheet raises on purpose: all derive from `BroadsheetError`."""


class BroadsheetError(Exception):
    """The base class of Broadsheet's errors; its text is one clear line for a person."""

    def __reduce__(self) -> tuple[object, ...]:
        """Support pickling: by default, pickle would pass the message to constructors that do not take one."""
        return _rebuild, (type(self), self.args, self.__dict__)


def _rebuild(kind: type[BroadsheetError], args: tuple[object, ...], state: dict[str, object]) -> BroadsheetError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


class ConfigError(BroadsheetError):
    """A setting is unknown, or its value is invalid."""


class InputError(BroadsheetError):
    """An input cannot be used: it is missing, empty, or not a page."""


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


class TooManyNodes(LimitError):
    """The page has more tags, comments and attributes than the limit."""

    what = "number of nodes"


class TooDeep(LimitError):
    """The page nests elements deeper than the limit."""

    what = "nesting depth"


class TooTangled(LimitError):
    """The page has so many tags at such depth that parsing it would take very long."""

    what = "number of tags times their depth"


class AttributeTooLong(LimitError):
    """An attribute's value is longer than the limit."""

    what = "longest attribute in bytes"


class TooManyAttributes(LimitError):
    """A tag has more attributes than the limit (the parser takes quadratic time in them)."""

    what = "number of attributes in one tag"


class TooManyLines(LimitError):
    """The page has far more lines of text than any article, and is not read."""

    what = "number of lines of text"
