"""Progress and messages, on standard error, so that standard output has only the table."""

import sys


def say(message: str) -> None:
    """Print one line to standard error."""
    print(message, file=sys.stderr)


class Progress:
    """Shows progress towards a total: in place on a terminal, at every tenth elsewhere."""

    def __init__(self, what: str, total: int) -> None:
        """Name what is counted."""
        self._what = what
        self._total = total

    def __call__(self, done: int) -> None:
        """Show the progress."""
        terminal = sys.stderr.isatty()
        tenth = done * 10 // self._total > (done - 1) * 10 // self._total
        if terminal or tenth:
            ending = "\r" if terminal and done < self._total else "\n"
            print(f"{self._what}: {done} of {self._total}", end=ending, file=sys.stderr, flush=True)
