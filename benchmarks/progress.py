"""Progress and messages, on standard error, so that standard output holds the table alone."""

import sys


def say(message: str) -> None:
    """Print one line for the person who waits."""
    print(message, file=sys.stderr)


class Progress:
    """Counts up to a total: in place on a terminal, at every tenth elsewhere."""

    def __init__(self, what: str, total: int) -> None:
        """Name what is counted."""
        self._what = what
        self._total = total

    def __call__(self, done: int) -> None:
        """Show how far it is."""
        terminal = sys.stderr.isatty()
        tenth = done * 10 // self._total > (done - 1) * 10 // self._total
        if terminal or tenth:
            ending = "\r" if terminal and done < self._total else "\n"
            print(f"{self._what}: {done} of {self._total}", end=ending, file=sys.stderr, flush=True)
